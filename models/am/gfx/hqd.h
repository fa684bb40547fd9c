// SPDX-License-Identifier: MIT
// The registers of one hardware queue descriptor: the 56 consecutive registers CP_MQD_BASE_ADDR .. CP_HQD_PQ_WPTR_HI,
// which exist once per queue and are reached through GRBM_GFX_CNTL. They are numbered like the MQD dwords they mirror.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "drivers/am/abi/mqd.h"
#include "models/am/registers.h"

namespace hcq::models::am {

namespace mqd = hcq::am::abi::mqd;

struct QueueName {
  static constexpr unsigned kGraphics = 0, kCompute = 1, kMes = 3;  // values of `me`; MEC 2 is not modelled
  unsigned me = 0, pipe = 0, queue = 0;
  // RING_ID of interrupt entries. Source: gfx_v11_0.c (Linux 6.12), gfx_v11_0_eop_irq.
  std::uint8_t ring_id() const { return static_cast<std::uint8_t>(pipe | me << 2 | queue << 4); }
};

class HqdRegisters {
 public:
  static constexpr unsigned kCount = mqd::kLastRegister - mqd::kFirstRegister + 1;
  std::uint32_t operator[](std::uint32_t mqd_dword) const {
    return values_[mqd_dword - mqd::kFirstRegister].load(std::memory_order_acquire);
  }
  void set(std::uint32_t mqd_dword, std::uint32_t value) {
    values_[mqd_dword - mqd::kFirstRegister].store(value, std::memory_order_release);
  }
  std::uint64_t wide(std::uint32_t mqd_dword) const {
    return (*this)[mqd_dword] | static_cast<std::uint64_t>((*this)[mqd_dword + 1]) << 32;
  }
  void clear() {
    for (auto& v : values_) v.store(0, std::memory_order_release);
  }

 private:
  std::array<std::atomic<std::uint32_t>, kCount> values_{};
};

}  // namespace hcq::models::am
