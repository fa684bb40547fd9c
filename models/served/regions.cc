// SPDX-License-Identifier: MIT
#include "models/served/regions.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <iterator>
#include <mutex>

#include "models/core/shared_memory.h"

namespace hcq::models::served {

namespace {

Error bad_region(std::uint32_t id, std::string detail) {
  return Error{.code = Errc::corrupt,
               .operation = "model protocol",
               .subject = fmt::format("region {}", id),
               .detail = std::move(detail)};
}

}  // namespace

Regions::~Regions() {
  for (const auto& [data, size] : mapped_) munmap(data, size);
}

Status Regions::add(const RegionAdd& r, const Fd& file) {
  HCQ_TRY(check_sealed(file, r.size));
  const std::unique_lock lock(mutex_);
  Region& region = regions_[r.id];
  if (region.data) return bad_region(r.id, "the id is in use");
  const bool read_only = r.flags & kRegionReadOnly;
  void* p =
      mmap(nullptr, r.size, read_only ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
  if (p == MAP_FAILED) return errno_error(errno, "mmap", fmt::format("region {}", r.id));
  region = {static_cast<std::byte*>(p), r.size, read_only};
  mapped_.emplace_back(region.data, region.size);
  return {};
}

Status Regions::remove(std::uint32_t id) {
  const std::unique_lock lock(mutex_);
  Region& region = regions_[id];
  if (!region.data) return bad_region(id, "it does not exist");
  std::erase_if(extents_, [&](const auto& e) { return e.second.region == id; });
  // A thread of the model may be in the middle of an access; it must hit something, but not the host's memory.
  if (mmap(region.data, region.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
           -1, 0) == MAP_FAILED)
    return errno_error(errno, "mmap", fmt::format("region {}", id));
  region = {};
  return {};
}

void Regions::invalidate(std::uint64_t bus, std::uint64_t size) {
  const std::unique_lock lock(mutex_);
  if (size == 0) return extents_.clear();
  auto it = extents_.upper_bound(bus);
  if (it != extents_.begin()) --it;
  while (it != extents_.end() && it->first < bus + size)
    it = it->first + it->second.size > bus ? extents_.erase(it) : std::next(it);
}

std::byte* Regions::find(std::uint64_t bus, std::uint64_t size, bool write) const {
  const std::shared_lock lock(mutex_);
  auto it = extents_.upper_bound(bus);
  if (it == extents_.begin()) return nullptr;
  --it;
  const Extent& e = it->second;
  const std::uint64_t offset = bus - it->first;
  if (offset >= e.size || size > e.size - offset || !(e.access & (write ? kAccessWrite : kAccessRead))) return nullptr;
  return e.data + offset;
}

Result<std::byte*> Regions::learn(const Translate& question, const TranslateReply& a) {
  if (a.status == static_cast<std::uint32_t>(Translated::blocked) ||
      a.status == static_cast<std::uint32_t>(Translated::indirect))
    return static_cast<std::byte*>(nullptr);
  const auto bad = [&](std::string detail) {
    return Error{.code = Errc::corrupt,
                 .operation = "model protocol",
                 .subject = "TRANSLATE",
                 .address = question.bus,
                 .detail = std::move(detail)};
  };
  if (a.status != 0 || a.zero || (a.access & ~(kAccessRead | kAccessWrite))) return bad("unknown status or access");
  if (a.region >= kMaxRegions) return bad("no such region");
  if (a.bus % kPageBytes || a.size % kPageBytes || a.bus + a.size < a.bus) return bad("the extent is not whole pages");
  if (a.bus > question.bus || question.bus - a.bus >= a.size) return bad("the extent is somewhere else");
  const std::unique_lock lock(mutex_);
  const Region& r = regions_[a.region];
  if (!r.data) return bad("no such region");
  if (a.offset > r.size || a.size > r.size - a.offset) return bad("the extent is not in the region");
  if (r.read_only && (a.access & kAccessWrite)) return bad("write access to a read-only region");
  // What is known and overlaps is replaced: the newest answer is the right one, and extents stay disjoint.
  auto it = extents_.upper_bound(a.bus);
  if (it != extents_.begin()) --it;
  while (it != extents_.end() && it->first < a.bus + a.size)
    it = it->first + it->second.size > a.bus ? extents_.erase(it) : std::next(it);
  extents_[a.bus] = {a.size, a.region, a.access, r.data + a.offset};
  const bool allowed = a.access & (question.flags & kTranslateWrite ? kAccessWrite : kAccessRead);
  return allowed ? r.data + a.offset + (question.bus - a.bus) : nullptr;
}

}  // namespace hcq::models::served
