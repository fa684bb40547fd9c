// SPDX-License-Identifier: MIT
// What a wave finds in its registers when it starts, derived from a Dispatch.
// Field positions: COMPUTE_PGM_RSRC1/2 in the GFX11 register headers and LLVM's AMDGPU usage guide.
#pragma once

#include <cstdint>

#include "models/isa/translator.h"
#include "models/isa/wave.h"

namespace hcq::models::isa {

constexpr std::uint32_t kPoison = 0xdeadbeef;  // uninitialised registers and LDS; no number a kernel could want

struct Launch {
  Mode mode;
  unsigned lanes = 32;
  unsigned waves = 1;  // per workgroup
  std::uint32_t threads = 1;
  std::uint32_t lds_bytes = 0;
  std::uint32_t scratch_lane_bytes = 0;
  unsigned user_sgprs = 0;
  bool group_id[3] = {};
  bool group_size = false;
};

Launch parse_launch(const Dispatch& dispatch);

// Fills registers of wave `index` of workgroup `group`. `wave.vgpr` must point to mode.vgprs * lanes dwords.
void start_wave(WaveState& wave, const Launch& launch, const Dispatch& dispatch, const std::uint32_t group[3],
                unsigned index);

}  // namespace hcq::models::isa
