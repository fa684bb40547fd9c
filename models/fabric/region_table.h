// SPDX-License-Identifier: MIT
// RegionTable: keys over memory of this process, for programs and tests that stand behind an RC engine without being a
// NIC. Every rule that a NIC's table of memory regions has is here: key, protection domain, range, rights.
#pragma once

#include <mutex>
#include <unordered_map>

#include "models/fabric/rc.h"

namespace hcq::models::fabric {

// Thread-safe; atomics are atomic among accesses through one table.
class RegionTable final : public RcMemory {
 public:
  struct Rights {
    bool local_write = true, remote_read = false, remote_write = false, remote_atomic = false;
  };
  // Makes [data, data + size) reachable under `address`. Returns the key, local and remote. The memory is the caller's
  // and must stay until remove().
  std::uint32_t add(std::uint32_t pd, std::uint64_t address, MutableBytes data, Rights rights);
  void remove(std::uint32_t key);
  // The memory behind a key stays registered but the host's bus refuses it from now on.
  void break_host(std::uint32_t key, bool broken);

  MemoryFault check(std::uint32_t pd, std::uint32_t key, std::uint64_t address, std::uint64_t length,
                    Access access) override;
  MemoryFault read(std::uint32_t pd, std::uint32_t key, std::uint64_t address, MutableBytes out,
                   Access access) override;
  MemoryFault write(std::uint32_t pd, std::uint32_t key, std::uint64_t address, Bytes in, Access access) override;
  MemoryFault atomic(std::uint32_t pd, std::uint32_t key, std::uint64_t address, bool add, std::uint64_t operand,
                     std::uint64_t compare, std::uint64_t& original) override;
  MemoryFault invalidate(std::uint32_t pd, std::uint32_t key) override;

 private:
  struct Region {
    std::uint32_t pd;
    std::uint64_t address;
    MutableBytes data;
    Rights rights;
    bool broken = false;
  };
  // Null and the reason in `fault` when the access is not allowed.
  std::byte* locate(std::uint32_t pd, std::uint32_t key, std::uint64_t address, std::uint64_t length, Access access,
                    MemoryFault& fault);
  std::mutex mutex_;
  std::unordered_map<std::uint32_t, Region> regions_;
  std::uint32_t next_key_ = 0x1d2c3b00;
};

}  // namespace hcq::models::fabric
