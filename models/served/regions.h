// SPDX-License-Identifier: MIT
// What a served device knows about its host's memory: the regions that the host has shared, and the translations that
// it has given out and not taken back.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <shared_mutex>

#include "base/error.h"
#include "models/served/protocol.h"

namespace hcq::models::served {

// Thread-safe. Pointers handed out stay readable until the object is gone, also when their region was removed: then
// there is other memory behind them, which nobody looks at.
class Regions {
 public:
  ~Regions();

  // Errc::refused or corrupt when the descriptor cannot be trusted, or the id is taken.
  Status add(const RegionAdd& r, const Fd& file);
  // Also forgets translations into it. Errc::corrupt: no such region.
  Status remove(std::uint32_t id);
  // Forgets translations that overlap; size 0: all.
  void invalidate(std::uint64_t bus, std::uint64_t size);

  // Memory behind [bus, bus + size), if a translation that allows the access is known.
  std::byte* find(std::uint64_t bus, std::uint64_t size, bool write) const;
  // Takes the host's answer in and gives the memory that the question was about; nullptr when the answer forbids the
  // access. Errc::corrupt when it does not fit the question or the region.
  Result<std::byte*> learn(const Translate& question, const TranslateReply& answer);

 private:
  struct Region {
    std::byte* data = nullptr;
    std::uint64_t size = 0;
    bool read_only = false;
  };
  struct Extent {
    std::uint64_t size = 0;
    std::uint32_t region = 0, access = 0;
    std::byte* data = nullptr;
  };

  mutable std::shared_mutex mutex_;
  std::array<Region, kMaxRegions> regions_{};
  std::map<std::uint64_t, Extent> extents_;                   // by first bus address
  std::vector<std::pair<std::byte*, std::uint64_t>> mapped_;  // all ever mapped
};

}  // namespace hcq::models::served
