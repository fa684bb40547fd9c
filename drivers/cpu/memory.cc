// SPDX-License-Identifier: MIT
#include "drivers/cpu/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"

namespace hcq::cpu {

void RangeTable::add(std::uint64_t address, std::uint64_t size) {
  const std::lock_guard lock(mutex_);
  ranges_[address] = size;
}

void RangeTable::remove(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  ranges_.erase(address);
}

bool RangeTable::contains(std::uint64_t address, std::uint64_t size) const {
  const std::lock_guard lock(mutex_);
  auto it = ranges_.upper_bound(address);
  if (it == ranges_.begin()) return false;
  --it;
  const std::uint64_t offset = address - it->first;
  return offset <= it->second && size <= it->second - offset;
}

Result<std::shared_ptr<Storage>> Storage::create(std::uint64_t size, std::shared_ptr<RangeTable> table) {
  constexpr std::uint64_t kPage = 4096;
  constexpr std::uint64_t kHugePage = 2ull << 20;
  constexpr std::uint64_t kLimit = 1ull << 46;  // far above any machine, far below overflow
  if (size == 0 || size > kLimit)
    return Error{.code = Errc::invalid_argument,
                 .device = "cpu",
                 .operation = "alloc",
                 .actual = size,
                 .detail = "size is zero or absurd"};
  // The kernel would hand out more than there is, and end the process when it is touched.
  const auto machine = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * kPage;
  if (size > machine)
    return Error{.code = Errc::no_memory,
                 .device = "cpu",
                 .operation = "alloc",
                 .subject = "host memory",
                 .expected = machine,
                 .actual = size,
                 .detail = "more than this machine has"};
  const std::uint64_t mapped = round_up(size, kPage);
  void* p = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    Error e = errno_error(errno, "alloc", "host memory");
    e.code = Errc::no_memory;
    e.device = "cpu";
    e.actual = size;
    return e;
  }
  if (mapped >= kHugePage) (void)madvise(p, mapped, MADV_HUGEPAGE);  // a hint; without it everything still works
  table->add(reinterpret_cast<std::uint64_t>(p), size);
  return std::shared_ptr<Storage>(new Storage(static_cast<std::byte*>(p), mapped, std::move(table)));
}

Storage::~Storage() {
  table_->remove(reinterpret_cast<std::uint64_t>(data_));
  munmap(data_, mapped_);
}

}  // namespace hcq::cpu
