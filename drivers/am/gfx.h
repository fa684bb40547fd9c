// SPDX-License-Identifier: MIT
// The graphics block (GC) as far as compute needs it: the command processor's microcontroller (MEC), the shaders'
// memory apertures, the doorbell routes. Functions are boot steps; each is idempotent.
//
// Order and values: gfx_v11_0.c of Linux 6.12 (constants_init, cp_compute_resume, soft_reset).
#pragma once

#include <cstdint>

#include "base/error.h"

namespace hcq::am {

class Gpu;

// Selects what GRBM-indexed registers (HQD, SH_MEM) refer to, and goes back to 0 at the end of the scope. One at a
// time.
class GrbmSelect {
 public:
  struct Target {
    std::uint32_t me = 0, pipe = 0, queue = 0, vmid = 0;
  };
  static Result<GrbmSelect> make(Gpu& gpu, Target target);
  ~GrbmSelect();
  GrbmSelect(GrbmSelect&& other) noexcept : gpu_(other.gpu_) { other.gpu_ = nullptr; }
  GrbmSelect& operator=(GrbmSelect&&) = delete;

 private:
  explicit GrbmSelect(Gpu& gpu) : gpu_(&gpu) {}
  Gpu* gpu_;
};

// MEC 1 is micro engine 1.
inline constexpr std::uint32_t kMecEngine = 1, kMecPipes = 4;

// Doorbell slots of 8 bytes in BAR 2 (amdgpu_doorbell.h, Navi layout).
inline constexpr std::uint32_t kDoorbellMecFirst = 0x0, kDoorbellMecRing0 = 0x3, kDoorbellMecLast = 0x8a,
                               kDoorbellSdma0 = 0x100;

namespace gfx {

// Waits until the RLC has loaded and started all microcode.
Status wait_for_rlc(Gpu& gpu);
// Takes down what an earlier session may have left in the queues of MEC 1, pipe 0.
Status reset_queues(Gpu& gpu);
// Resets the command processor with everything in it.
Status reset_command_processor(Gpu& gpu);
// Halts the MEC and sets where its microcode starts.
Status configure_mec(Gpu& gpu);
// Shader memory apertures and alignment for all VMIDs, timeouts, doorbell routes and range.
Status configure_shaders(Gpu& gpu);
Status route_doorbells(Gpu& gpu);
Status start_mec(Gpu& gpu);
// Undo: dequeues what is active, then halts the MEC. Bounded.
void stop_mec(Gpu& gpu);

}  // namespace gfx
}  // namespace hcq::am
