// SPDX-License-Identifier: MIT
// A copy engine with its queue 0 (SDMA 6.0): ring in bytes, packets of drivers/am/abi/sdma.h, on a thread of
// its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

#include "models/am/gfx/worker.h"
#include "models/am/memory.h"

namespace hcq::models::am {

class Sdma final : public Block {
 public:
  // `instance` 0 or 1: SDMA0, SDMA1. Both have the same registers.
  Sdma(Chip& chip, Memory& memory, unsigned instance = 0);
  ~Sdma() override;

  void doorbell(std::uint32_t dword, std::uint64_t value);
  bool listens_to(std::uint32_t dword) const;

  void reset(Reset kind) override;
  void soft_reset(std::uint32_t bits, bool asserted) override;
  void pause() override { worker_.pause(std::chrono::milliseconds(200), give_up_); }
  void resume() override { worker_.resume(); }

 private:
  enum class Next : std::uint8_t { go, again, stuck };
  using Packet = std::span<const std::uint32_t>;
  // Where packets come from: the ring, or an indirect buffer inside it.
  struct Source {
    std::uint64_t base = 0;         // VA
    std::uint64_t at = 0, end = 0;  // dwords from base; for the ring `at` does not wrap
    std::uint64_t wrap = ~0ull;     // the ring's dwords minus one
  };

  // SDMA1_REG_OFFSET and SDMA1_HYP_DEC_REG_OFFSET in sdma_v6_0.c; F32_CNTL is the one of the latter range.
  static constexpr std::uint32_t kStride = 0x600, kHypervisorStride = 0x20;
  template <class R>
  std::uint32_t dword_of() const {
    const std::uint32_t stride = std::is_same_v<R, regs::SDMA0_F32_CNTL> ? kHypervisorStride : kStride;
    return chip_.registers.address<R>() + instance_ * stride;
  }
  template <class R>
  std::uint32_t raw() const {
    return chip_.registers.bank().peek(dword_of<R>());
  }
  template <class R>
  regs::Value<R> get() const {
    return chip_.registers.map().decode<R>(raw<R>());
  }
  template <class R>
  void set_raw(std::uint32_t value) {
    chip_.registers.bank().poke(dword_of<R>(), value);
  }
  void describe();
  void ring_control(std::uint32_t value, std::uint32_t before);
  void write_pointer_guard(std::uint32_t value, std::uint32_t before);
  void enable();
  void disable();
  void step();
  bool take_wptr();
  void report_rptr();
  Next run_one(Source& s);
  std::uint64_t packet_dwords(std::uint32_t header, const Source& s);
  bool fetch(std::uint64_t dwords);
  bool dword_at(const Source& s, std::uint64_t index, std::uint32_t& out);
  Next execute(Packet p, Source& s);
  Next copy(Packet p);
  Next write(Packet p);
  Next fill(Packet p);
  Next fence(Packet p);
  Next trap(Packet p);
  Next poll(Packet p);
  Next timestamp(Packet p);
  Next cache_request(Packet p);
  Next table_entries(Packet p);
  Next register_write(Packet p);
  Next skip_if_other(Packet p, Source& s);
  Next indirect(Packet p, const Source& s);

  Requester reader() const;
  Requester writer() const;
  Next faulted();
  Next broken(std::string rule, std::uint64_t value, std::string text);
  void violation(std::string rule, std::uint64_t value, std::string text) const;
  void post(std::uint8_t source, std::uint32_t context0 = 0);

  ClientId client() const { return instance_ == 0 ? ClientId::sdma0 : ClientId::sdma1; }

  Chip& chip_;
  Memory& memory_;
  const unsigned instance_;
  std::mutex mutex_;  // enabling and disabling
  std::atomic<bool> enabled_{false}, give_up_{false};
  std::atomic<std::uint64_t> doorbell_{0};
  std::atomic<bool> rung_{false};
  bool stuck_ = false, hung_ = false;  // of the thread
  Source ring_, buffer_;
  bool in_buffer_ = false;
  std::uint32_t polls_ = 0;  // retries so far of the POLL_REGMEM that is waiting
  std::vector<std::uint32_t> packet_;
  std::uint64_t packet_va_ = 0;
  Worker worker_;  // last: its thread uses all of the above
};

}  // namespace hcq::models::am
