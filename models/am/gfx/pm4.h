// SPDX-License-Identifier: MIT
// The packet processor of one queue: fetches PM4 from the ring and from indirect buffers and carries it out. Packet
// layouts are in drivers/am/abi/pm4.h. Compute queues (MEC), graphics queues (PFP and ME, without drawing) and the
// queue that maps others (KIQ) know different packets.
//
// A dispatch may run later than the packets behind it, as on silicon, unless an event or an end-of-pipe packet waits
// for it; which of the two happens is a matter of the seed.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "models/am/gfx/hqd.h"
#include "models/am/gfx/shaders.h"
#include "models/am/gfx/worker.h"
#include "models/am/memory.h"

namespace hcq::models::am {

// Where packets come from.
struct Pm4Ring {
  std::uint64_t base = 0;            // VA
  std::uint64_t dwords = 0;          // a power of two
  std::uint64_t rptr = 0, wptr = 0;  // in dwords, never wrapping
};

enum class Pm4Result : std::uint8_t {
  idle,         // everything up to wptr is done
  interrupted,  // something else wants the thread; call again later
  stuck,        // a fault or a broken packet: the queue needs a reset
};

// What runs the packets of a queue.
class PacketProcessor {
 public:
  virtual ~PacketProcessor() = default;
  virtual Pm4Result run(Pm4Ring& ring) = 0;
};

// Queues as those see them who put them on the hardware (KIQ, MES). Thread-safe; false after a violation.
class QueueMapper {
 public:
  virtual ~QueueMapper() = default;
  virtual bool map(const QueueName& queue, std::uint64_t mqd) = 0;  // loads the MQD and activates the queue
  virtual bool unmap(std::uint32_t doorbell_dword, bool reset) = 0;
};

// What the packet processor needs of its queue.
struct Pm4Host {
  QueueName name;
  unsigned vmid = 0;
  std::uint64_t eop_base = 0;
  std::function<bool()> interrupted;        // long waits end when true
  const std::atomic<bool>* stop = nullptr;  // waves end when true
  std::function<std::uint32_t(unsigned vmid)> sh_mem_bases;
  std::function<bool()> eop_interrupt_enabled;
  QueueMapper* mapper = nullptr;  // of the KIQ
};

class Pm4 final : public PacketProcessor {
 public:
  Pm4(Chip& chip, Memory& memory, Shaders& shaders, Pm4Host host, std::uint64_t seed);

  Pm4Result run(Pm4Ring& ring) override;
  ShRegisters& registers() { return sh_; }

 private:
  enum class Next : std::uint8_t { go, again, stuck };
  struct Buffer {
    std::uint64_t base;
    std::uint32_t size, at;
  };
  using Body = std::span<const std::uint32_t>;

  bool fetch(std::uint64_t va, std::uint32_t& out);
  bool fetch_packet(const Pm4Ring& ring, std::uint32_t& header, std::uint64_t& length);
  Next execute(std::uint32_t header, Body body);
  Next packet(std::uint32_t op, Body body);
  Next set_registers(std::uint32_t op, Body body);
  Next dispatch(Body body);
  Next indirect(Body body);
  Next set_context(Body body);
  Next skip_if_zero(Body body);
  Next nothing_to_model(Body body);
  Next map_queues(Body body);
  Next unmap_queues(Body body);
  bool graphics() const { return host_.name.me == QueueName::kGraphics; }
  Next predicate(Body body);
  Next write_data(Body body);
  Next wait_reg_mem(Body body);
  Next copy_data(Body body);
  Next event_write(Body body);
  Next release_mem(Body body);
  Next acquire_mem(Body body);
  Next store_release(Body body);
  Next drain();
  Next run_pending(const isa::Dispatch& d);

  struct Wait {
    bool memory;
    std::uint64_t address;
    std::uint32_t function, mask, reference;
  };
  static constexpr std::chrono::seconds kLongWait{2};
  std::string waits_for(const Wait& w) const;
  void report_long_wait(const Wait& w, std::uint32_t value) const;

  bool aligned(std::uint64_t va, unsigned bytes, std::string rule, const char* what);
  std::uint32_t read_register(std::uint32_t dword);
  Next broken(std::string rule, std::uint64_t value, std::string text);
  void violation(std::string rule, std::uint64_t value, std::string text);
  void post(std::uint8_t source, std::uint32_t context0 = 0, std::uint32_t context1 = 0);
  std::string where() const;

  Chip& chip_;
  Memory& memory_;
  Shaders& shaders_;
  const Pm4Host host_;
  const Requester fetcher_, writer_, coherent_writer_;
  std::minstd_rand rng_;

  ShRegisters sh_;
  std::array<std::uint32_t, 0x400> context_{};  // of a graphics queue
  std::vector<isa::Dispatch> pending_;
  std::vector<Buffer> buffers_;  // indirect buffers being read, innermost last
  std::vector<std::uint32_t> body_;
  std::uint64_t skip_ = 0;  // dwords that PRED_EXEC takes out of the innermost buffer
  std::uint64_t page_va_ = ~0ull, page_generation_ = 0;
  const std::byte* page_ = nullptr;
  std::uint64_t packet_va_ = 0;
  std::uint32_t packet_header_ = 0;
};

}  // namespace hcq::models::am
