// SPDX-License-Identifier: MIT
// The copy engine SDMA0 with its queue 0 (SDMA 6.0): ring in bytes, packets of drivers/am/abi/sdma.h, on a thread of
// its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "models/am/gfx/worker.h"
#include "models/am/memory.h"

namespace hcq::models::am {

class Sdma final : public Block {
 public:
  Sdma(Chip& chip, Memory& memory);
  ~Sdma() override;

  void doorbell(std::uint32_t dword, std::uint64_t value);

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
  Next execute(Packet p, const Source& s);
  Next copy(Packet p);
  Next write(Packet p);
  Next fill(Packet p);
  Next fence(Packet p);
  Next trap(Packet p);
  Next poll(Packet p);
  Next timestamp(Packet p);
  Next cache_request(Packet p);
  Next indirect(Packet p, const Source& s);

  Requester reader() const;
  Requester writer() const;
  Next faulted();
  Next broken(std::string rule, std::uint64_t value, std::string text);
  void violation(std::string rule, std::uint64_t value, std::string text) const;
  void post(std::uint8_t source, std::uint32_t context0 = 0);

  Chip& chip_;
  Memory& memory_;
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
