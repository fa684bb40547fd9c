// SPDX-License-Identifier: MIT
// Memory: the one door through which everything on the chip reaches memory. A virtual or memory-controller address goes
// through a hub (aperture, TLB, page walk, permissions) to VRAM or to host memory, and from there through GL2 when the
// page's MTYPE says so. The host comes in through the HDP.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_set>

#include "models/am/chip.h"
#include "models/am/hdp.h"
#include "models/am/hub.h"
#include "models/am/l1.h"
#include "models/am/l2.h"
#include "models/isa/isa.h"

namespace hcq::models::am {

// What GL2 does with an access to a cached page.
enum class CachePolicy : std::uint8_t {
  lru,     // keeps a copy; a write stays in it until it is written back
  bypass,  // reads take what is there but keep nothing; writes go to memory (and to a copy, if there is one)
};

struct Requester {
  ClientId client;
  HubKind hub = HubKind::gc;
  unsigned vmid = 0;
  CachePolicy policy = CachePolicy::lru;
};

class Memory final : public Block, public MemoryPort {
 public:
  explicit Memory(Chip& chip);

  // One access of `size` bytes within a 4 KiB page. On success a pointer to where the access takes place, good for this
  // access only; nullptr: fault, latched and posted.
  std::byte* translate(const Requester& from, std::uint64_t va, AccessKind access, std::size_t size);

  // Any length; false when a page of it faulted, after what came before it was done.
  bool read(const Requester& from, std::uint64_t va, MutableBytes out);
  bool write(const Requester& from, std::uint64_t va, Bytes in);
  // Naturally aligned 32 and 64-bit accesses that other threads see whole and in order.
  bool load32(const Requester& from, std::uint64_t va, std::uint32_t& out);
  bool load64(const Requester& from, std::uint64_t va, std::uint64_t& out);
  bool store32(const Requester& from, std::uint64_t va, std::uint32_t value);
  bool store64(const Requester& from, std::uint64_t va, std::uint64_t value);

  // What a wave of the shader engine sees (isa::MemoryPort): a whole page for the kinds of access it may keep using.
  isa::Translation shader_page(unsigned vmid, std::uint64_t va, isa::Access access);
  // Grows whenever a page handed out by shader_page() must be asked for again.
  std::uint64_t generation();

  L2& l2() { return l2_; }
  L1& l1() { return l1_; }
  // What GCR_CNTL asks for, in the order in which it reaches the caches. Returns the bytes of GL2 that were invalidated
  // while they had not been written back.
  struct CacheRequest {
    bool gl2_wb = false, gl2_inv = false, gl1_inv = false, glv_inv = false, glk_inv = false;
  };
  std::size_t cache_request(const CacheRequest& r);
  Hub& hub(HubKind kind) { return kind == HubKind::gc ? gc_ : mm_; }
  Hdp& hdp() { return hdp_; }

  // MemoryPort
  bool mc_read(std::string_view client, std::uint64_t mc, MutableBytes out) override;
  bool mc_write(std::string_view client, std::uint64_t mc, Bytes in) override;
  bool mc_valid(std::uint64_t mc, std::uint64_t size) const override;
  void host_read(std::uint64_t offset, MutableBytes out) override { hdp_.read(offset, out); }
  void host_write(std::uint64_t offset, Bytes in) override { hdp_.write(offset, in); }
  void hdp_flush() override;

  // Block
  void reset(Reset kind) override;

 private:
  // Memory behind an address, below GL2. nullptr: fault or not reachable, both reported.
  struct Backing {
    std::byte* byte = nullptr;
    bool cached = false, read = false, write = false, execute = false;
  };
  Backing back(const Requester& from, std::uint64_t va, AccessKind access, std::size_t size);
  std::byte* through_l2(const Backing& b, CachePolicy policy, bool write);
  void before_write(const Backing& b);
  bool guarded(ClientId client, std::uint64_t offset, std::size_t size, bool write);
  // Within a 4 KiB page.
  std::byte* mc_target(std::string_view client, std::uint64_t mc, std::size_t size, bool write);
  bool in_page_table(std::uint64_t mc, std::uint64_t size) const;  // of VMID 0 of the MM hub
  void before_store(std::uint64_t vram_page, const Hdp::Page& page);
  void find_tables();
  template <class T>
  bool store(const Requester& from, std::uint64_t va, T value);
  template <class T>
  bool load(const Requester& from, std::uint64_t va, T& out);

  Chip& chip_;
  std::atomic<std::uint64_t> generation_{1};
  Hub gc_, mm_;
  L1 l1_;
  L2 l2_;
  Hdp hdp_;
  std::atomic<HostPort*> last_host_{nullptr};

  std::mutex tables_mutex_;
  std::unordered_set<std::uint64_t> tables_;  // VRAM pages that page tables of an enabled context lie in
  bool tables_known_ = false;
  std::uint64_t roots_ = 0;  // of the contexts that tables_ was made from

  // Where an access goes that the bus or a protection rule swallowed: reads give ones, writes are lost.
  alignas(kPageBytes) std::byte ones_[kPageBytes];
  alignas(kPageBytes) std::byte lost_[kPageBytes];
};

}  // namespace hcq::models::am
