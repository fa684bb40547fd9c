// SPDX-License-Identifier: MIT
#include "models/fabric/region_table.h"

namespace hcq::models::fabric {

std::uint32_t RegionTable::add(std::uint32_t pd, std::uint64_t address, MutableBytes data, Rights rights) {
  const std::lock_guard lock(mutex_);
  next_key_ += 0x101;  // the low byte is the key's variant
  regions_[next_key_] = {pd, address, data, rights};
  return next_key_;
}

void RegionTable::remove(std::uint32_t key) {
  const std::lock_guard lock(mutex_);
  regions_.erase(key);
}

void RegionTable::break_host(std::uint32_t key, bool broken) {
  const std::lock_guard lock(mutex_);
  if (const auto it = regions_.find(key); it != regions_.end()) it->second.broken = broken;
}

std::byte* RegionTable::locate(std::uint32_t pd, std::uint32_t key, std::uint64_t address, std::uint64_t length,
                               Access access, MemoryFault& fault) {
  fault = MemoryFault::refused;
  const auto it = regions_.find(key);
  if (it == regions_.end() || it->second.pd != pd) return nullptr;
  const Region& r = it->second;
  const std::uint64_t offset = address - r.address;
  if (address < r.address || offset > r.data.size() || length > r.data.size() - offset) return nullptr;
  const bool allowed = access == Access::local_read || (access == Access::local_write && r.rights.local_write) ||
                       (access == Access::remote_read && r.rights.remote_read) ||
                       (access == Access::remote_write && r.rights.remote_write) ||
                       (access == Access::remote_atomic && r.rights.remote_atomic);
  if (!allowed) return nullptr;
  fault = r.broken ? MemoryFault::host : MemoryFault::none;
  return r.broken ? nullptr : r.data.data() + offset;
}

MemoryFault RegionTable::check(std::uint32_t pd, std::uint32_t key, std::uint64_t address, std::uint64_t length,
                               Access access) {
  const std::lock_guard lock(mutex_);
  MemoryFault fault;
  (void)locate(pd, key, address, length, access, fault);
  return fault == MemoryFault::host ? MemoryFault::none : fault;  // the bus is only asked when it is used
}

MemoryFault RegionTable::read(std::uint32_t pd, std::uint32_t key, std::uint64_t address, MutableBytes out,
                              Access access) {
  const std::lock_guard lock(mutex_);
  MemoryFault fault;
  if (const std::byte* p = locate(pd, key, address, out.size(), access, fault)) std::memcpy(out.data(), p, out.size());
  return fault;
}

MemoryFault RegionTable::write(std::uint32_t pd, std::uint32_t key, std::uint64_t address, Bytes in, Access access) {
  const std::lock_guard lock(mutex_);
  MemoryFault fault;
  if (std::byte* p = locate(pd, key, address, in.size(), access, fault)) std::memcpy(p, in.data(), in.size());
  return fault;
}

MemoryFault RegionTable::atomic(std::uint32_t pd, std::uint32_t key, std::uint64_t address, bool add,
                                std::uint64_t operand, std::uint64_t compare, std::uint64_t& original) {
  const std::lock_guard lock(mutex_);
  MemoryFault fault;
  std::byte* const p = locate(pd, key, address, 8, Access::remote_atomic, fault);
  if (p == nullptr) return fault;
  std::memcpy(&original, p, 8);
  const std::uint64_t value = add ? original + operand : original == compare ? operand : original;
  std::memcpy(p, &value, 8);
  return MemoryFault::none;
}

MemoryFault RegionTable::invalidate(std::uint32_t pd, std::uint32_t key) {
  const std::lock_guard lock(mutex_);
  const auto it = regions_.find(key);
  if (it == regions_.end() || it->second.pd != pd) return MemoryFault::refused;
  regions_.erase(it);
  return MemoryFault::none;
}

}  // namespace hcq::models::fabric
