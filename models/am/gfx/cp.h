// SPDX-License-Identifier: MIT
// The command processor: microcode control, the banked registers behind GRBM_GFX_CNTL, doorbells, and the queues of
// MEC 1 (compute), of the graphics pipes, and of the micro engine scheduler (MES) with the KIQ. The queues run on their
// own threads.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "models/am/gfx/compute_queue.h"

namespace hcq::models::am {

class Cp final : public Block, public QueueMapper {
 public:
  static constexpr unsigned kPipes = 4, kQueuesPerPipe = 8, kVmids = 16, kGraphicsPipes = 2, kMesPipes = 2;
  static constexpr unsigned kMesScheduler = 0, kMesKiq = 1;  // pipes of the MES

  Cp(Chip& chip, Memory& memory, EngineMaker make);

  void doorbell(std::uint32_t dword, std::uint64_t value);

  // QueueMapper
  bool map(const QueueName& queue, std::uint64_t mqd) override;
  bool unmap(std::uint32_t doorbell_dword, bool reset) override;

  void reset(Reset kind) override;
  void soft_reset(std::uint32_t bits, bool asserted) override;
  void pause() override;
  void resume() override;

 private:
  struct Select {
    unsigned pipe, me, vmid, queue;
  };
  struct Pipe {
    std::uint64_t start = 0;               // PRGRM_CNTR_START
    std::optional<std::uint64_t> latched;  // what the last reset pulse took over
    std::atomic<bool> running{false};
    std::atomic<std::uint32_t> int_cntl{0};
  };

  Select select() const;
  ComputeQueue* find(const QueueName& name);
  std::unique_ptr<PacketProcessor> make_processor(Pm4Host&& host, std::uint64_t seed);
  bool running(const QueueName& name) const;
  bool eop_interrupt_enabled(const QueueName& name) const;
  void listen(ComputeQueue& q);
  unsigned selected_mes_pipe(const char* what);
  void describe_graphics();
  void describe_mes();
  void mes_cntl(std::uint32_t value, std::uint32_t before);
  ComputeQueue* selected_queue(const char* what, std::uint64_t value);
  void describe_hqd();
  void describe_banked();
  void describe_mec();
  void mec_cntl(std::uint32_t value, std::uint32_t before);
  bool check_microcode(const Pipe& p, const char* where, std::uint32_t firmware_type);
  void hqd_write(std::uint32_t dword, std::uint32_t value);
  void halt_all();
  void violation(std::string rule, const std::string& where, std::uint64_t value, std::string text) const;

  Chip& chip_;
  Shaders shaders_;
  std::mutex mutex_;  // microcode control
  std::array<Pipe, kPipes> pipes_;
  std::array<Pipe, kMesPipes> mes_;
  std::array<std::atomic<std::uint32_t>, kVmids> sh_mem_config_{}, sh_mem_bases_{};
  std::uint32_t range_lower_ = 0, range_upper_ = 0, grbm_gfx_cntl_ = 0;  // register addresses of the hot path
  std::uint32_t gfx_range_lower_ = 0, gfx_range_upper_ = 0, me_cntl_ = 0, gfx_int_cntl_ = 0;
  // Which queue listens to a doorbell, by doorbell number (pairs of dwords).
  static constexpr std::uint32_t kDoorbells = 4096;
  std::array<std::atomic<ComputeQueue*>, kDoorbells> listeners_{};
  ComputeQueue::Shared shared_;
  // Compute by pipe and queue, then one of each graphics pipe, then one of each pipe of the MES.
  static constexpr unsigned kFirstGraphics = kPipes * kQueuesPerPipe, kFirstMes = kFirstGraphics + kGraphicsPipes;
  std::array<std::unique_ptr<ComputeQueue>, kFirstMes + kMesPipes> queues_;
};

}  // namespace hcq::models::am
