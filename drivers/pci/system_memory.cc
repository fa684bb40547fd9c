// SPDX-License-Identifier: MIT
// MemoryKernel on the running Linux.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/mman.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "drivers/pci/dma.h"

namespace hcq::pci {

namespace {

class SystemMemory final : public MemoryKernel {
 public:
  explicit SystemMemory(std::string proc) : proc_(std::move(proc)) {}

  // Shared, not private: after a fork a private page would be copied on the parent's next write and the device would go
  // on with the old one.
  Result<Mapping> map(std::size_t bytes, bool locked, bool huge) override {
    int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE;
    if (locked) flags |= MAP_LOCKED;
    if (huge) flags |= MAP_HUGETLB | MAP_HUGE_2MB;
    void* p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (p == MAP_FAILED) return failed(errno, bytes, locked);
    Mapping m{static_cast<std::byte*>(p), bytes};
    if (::madvise(p, bytes, MADV_DONTFORK) != 0) return errno_error(errno, "madvise", "anonymous memory");
    return m;
  }

  Status lock(std::byte* data, std::size_t bytes) override {
    if (::mlock(data, bytes) != 0) return failed(errno, bytes, true);
    return {};
  }

  Result<std::vector<std::uint64_t>> pagemap(const std::byte* data, std::size_t pages) override {
    const std::string path = proc_ + "/self/pagemap";
    const Fd fd = HCQ_TRY(open_file(path, O_RDONLY));
    std::vector<std::uint64_t> entries(pages);
    const std::size_t want = pages * sizeof entries[0];
    const auto at = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(data) / kDmaPage * sizeof entries[0]);
    std::size_t got = 0;
    while (got < want) {
      const ssize_t n =
          ::pread(fd.get(), reinterpret_cast<char*>(entries.data()) + got, want - got, at + static_cast<off_t>(got));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno_error(errno, "read", path);
      if (n == 0) return Error{.code = Errc::io, .operation = "read", .subject = path, .detail = "ended early"};
      got += static_cast<std::size_t>(n);
    }
    return entries;
  }

  std::uint64_t memlock_limit() override {
    rlimit r{};
    if (::getrlimit(RLIMIT_MEMLOCK, &r) != 0 || r.rlim_cur == RLIM_INFINITY) return ~0ull;
    return r.rlim_cur;
  }

  // VmLck counts mlock and the pages that VFIO pins; VmPin counts those that other subsystems pin.
  std::uint64_t locked_bytes() override {
    const auto text = read_text(proc_ + "/self/status");
    if (!text.ok()) return 0;
    return status_kib(*text, "VmLck:") * 1024 + status_kib(*text, "VmPin:") * 1024;
  }

 private:
  Error failed(int err, std::size_t bytes, bool locked) {
    // mmap and mlock say EAGAIN or ENOMEM when the limit is exceeded, EPERM when it is zero.
    const bool over = memlock_limit() != ~0ull && locked_bytes() + bytes > memlock_limit();
    if (locked && over && (err == EAGAIN || err == ENOMEM || err == EPERM)) return memlock_error("", bytes, *this);
    Error e = errno_error(err, "alloc_dma", fmt::format("{} bytes", bytes));
    if (err == EAGAIN) e.code = Errc::no_memory;
    return e;
  }

  static std::uint64_t status_kib(const std::string& text, std::string_view key) {
    const std::size_t line = text.find(key);
    if (line == std::string::npos) return 0;
    const std::size_t digits = text.find_first_of("0123456789", line + key.size());
    if (digits == std::string::npos) return 0;
    std::uint64_t v = 0;
    std::from_chars(text.data() + digits, text.data() + text.size(), v);
    return v;
  }

  std::string proc_;
};

}  // namespace

std::shared_ptr<MemoryKernel> system_memory(const Host& host) { return std::make_shared<SystemMemory>(host.proc); }

}  // namespace hcq::pci
