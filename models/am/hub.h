// SPDX-License-Identifier: MIT
// A memory hub (GC or MM): the registers that describe its address spaces, the system aperture, the TLB that goes stale
// until it is invalidated, the invalidation engines, and the fault status. It turns addresses into physical ones;
// Memory (memory.h) turns those into bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "models/am/chip.h"
#include "models/am/page_walk.h"

namespace hcq::models::am {

enum class HubKind : std::uint8_t { gc, mm };
enum class AccessKind : std::uint8_t { read, write, execute, atomic };

// Who accesses memory: CID of the fault status register. Source: gfxhub_client_ids in gfxhub_v3_0.c (Linux 6.12).
enum class ClientId : std::uint16_t {
  cpf = 4,
  cpc = 5,
  cpg = 6,
  rlc = 7,
  tcp = 8,
  sqc_inst = 9,
  sqc_data = 10,
  sdma0 = 13,
  sdma1 = 14,
  // Of the MM hub, which counts its own clients: mmhub_client_ids_v3_0_0 in mmhub_v3_0.c. Bit 8 tells them apart here.
  mp0 = 0x100 | 6,
  mp1 = 0x100 | 7,
  osssys = 0x100 | 15,
};
const char* client_name(ClientId id);

struct Physical {
  bool ok = false;                                    // false: fault, latched and posted
  bool system = false;                                // `address` is a bus address; otherwise an offset in VRAM
  bool cached = false;                                // MTYPE lets GL2 keep a copy
  bool read = false, write = false, execute = false;  // what the page allows
  std::uint64_t address = 0;                          // of the byte asked for
};

class Hub {
 public:
  Hub(Chip& chip, HubKind kind, std::atomic<std::uint64_t>& generation);

  // One access that does not cross a 4 KiB page. Thread-safe.
  Physical resolve(ClientId client, unsigned vmid, std::uint64_t va, AccessKind access);
  // VRAM offset of a memory-controller address, through the system aperture only.
  std::optional<std::uint64_t> aperture(std::uint64_t mc, std::uint64_t size) const;

  // The L1 TLB is on and in the mode in which apertures and page tables hold.
  bool translates() const;

  void reset();
  VmContext context(unsigned vmid) const;
  std::uint64_t fb_offset() const;
  const PageWalker& walker() const { return walker_; }
  std::size_t tlb_entries() const;

 private:
  struct TlbEntry {
    WalkResult first;       // moved to the first page that the entry serves
    bool reported = false;  // a stale use has been reported
  };
  struct Config {  // what every access needs; kept up to date by register hooks
    bool tlb_on = false, mapped_mode = false, uncached = false;
    std::uint64_t aperture_low = 0, aperture_high = 0;
  };

  template <class R>
  void describe();
  template <class R>
  void describe_invalidation();
  template <class R>
  VmContext read_context(unsigned vmid) const;
  template <class R>
  Config read_config() const;
  template <class R>
  void request(unsigned engine, std::uint32_t value);
  template <class R>
  void latch(std::uint32_t permission, const WalkResult& r, ClientId client, unsigned vmid, std::uint64_t va,
             bool write);
  template <class R>
  bool wants_interrupt(unsigned vmid, std::uint32_t permission, const WalkResult& r) const;

  bool lookup(unsigned vmid, std::uint64_t va, WalkResult& out);
  void insert(unsigned vmid, std::uint64_t va, const WalkResult& r);
  void invalidate(std::uint32_t vmids, std::uint64_t last_page);
  void stale(const WalkResult& r, std::uint64_t va, std::uint64_t now);
  Physical fault(std::uint32_t permission, const WalkResult& r, ClientId client, unsigned vmid, std::uint64_t va,
                 AccessKind access);
  Physical untranslated(ClientId client, unsigned vmid, std::uint64_t mc, AccessKind access);
  static std::uint64_t key(unsigned vmid, unsigned shift, std::uint64_t va) {
    return (va >> shift) | static_cast<std::uint64_t>(shift) << 52 | static_cast<std::uint64_t>(vmid) << 58;
  }

  Chip& chip_;
  const HubKind kind_;
  const char* name_;
  const pt::Format& format_ = pt::kGfx11;
  PageWalker walker_;
  std::atomic<std::uint64_t>& generation_;
  std::uint32_t l1_cntl_ = 0, aperture_low_ = 0, aperture_high_ = 0;  // register addresses that every access looks at

  mutable std::shared_mutex tlb_mutex_;
  std::unordered_map<std::uint64_t, TlbEntry> tlb_;
  std::uint64_t tlb_shifts_ = 0;  // bit n: there are entries that serve 2^n bytes

  std::mutex mutex_;  // invalidation engines and fault status
  std::array<bool, 18> semaphore_{};
};

}  // namespace hcq::models::am
