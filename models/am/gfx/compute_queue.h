// SPDX-License-Identifier: MIT
// One hardware queue: its HQD registers, its ring, and the thread that runs it while it is active. Compute queues of
// the MEC, graphics queues and those of the MES differ in what is checked when they start and in who reads their
// packets.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "models/am/gfx/hqd.h"
#include "models/am/gfx/pm4.h"

namespace hcq::models::am {

class ComputeQueue {
 public:
  struct Shared {  // what the queues of a MEC have in common
    Chip& chip;
    Memory& memory;
    Shaders& shaders;
    std::function<bool(const QueueName&)> running;  // the microcode that serves this queue runs
    std::function<std::uint32_t(unsigned vmid)> sh_mem_bases;
    std::function<bool(const QueueName&)> eop_interrupt_enabled;
    std::function<void(ComputeQueue&)> released;  // no longer active
    std::function<std::unique_ptr<PacketProcessor>(Pm4Host&&, std::uint64_t seed)> processor;
  };
  ComputeQueue(Shared& shared, QueueName name) : shared_(shared), name_(name) {}
  ~ComputeQueue();

  // Registers, by MQD dword. Writes have their effects (ACTIVE, DEQUEUE_REQUEST).
  std::uint32_t read(std::uint32_t dword) const;
  void write(std::uint32_t dword, std::uint32_t value);

  // What a scheduler does: takes the registers from the MQD and activates the queue. False after a violation.
  bool load(std::uint64_t mqd_base);
  // The other way: dequeues it, at once when `reset`.
  void unload(bool reset_it);

  bool active() const { return active_.load(std::memory_order_acquire); }
  // DOORBELL_OFFSET in dwords, nothing when the doorbell is not enabled.
  std::optional<std::uint32_t> doorbell_dword() const;
  void doorbell(std::uint64_t wptr);

  void reset_waves();  // SPI_COMPUTE_QUEUE_RESET
  void reset();        // no longer active, at once; comes back when the thread is quiet
  void clear();        // that, and its registers to zero
  void pause();
  void resume();
  const QueueName& name() const { return name_; }

 private:
  void step();
  void activate();
  bool connect();
  void check_before_activation();
  bool graphics() const { return name_.me == QueueName::kGraphics; }
  bool check_mqd(const std::array<std::uint32_t, mqd::kDwords>& m);
  bool take_wptr();
  void report_rptr();
  void begin_dequeue();
  void release();
  void violation(std::string rule, std::uint64_t value, std::string text) const;

  Shared& shared_;
  const QueueName name_;
  HqdRegisters regs_;
  std::mutex mutex_;  // activation and release
  std::unique_ptr<PacketProcessor> processor_;
  Pm4Ring ring_;
  std::atomic<bool> active_{false}, stop_waves_{false};
  std::atomic<std::uint32_t> dequeue_{0};
  alignas(64) std::atomic<std::uint64_t> doorbell_{0};
  std::atomic<bool> rung_{false};
  bool connected_ = false, stuck_ = false, hung_ = false, dequeuing_ = false;  // of the thread
  std::uint32_t reported_ = 0;
  std::unique_ptr<Worker> worker_;  // last: its thread uses all of the above
};

}  // namespace hcq::models::am
