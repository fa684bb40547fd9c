// SPDX-License-Identifier: MIT
#include "models/isa/launch.h"

#include <algorithm>

namespace hcq::models::isa {
namespace {

constexpr std::uint32_t bits(std::uint32_t value, unsigned high, unsigned low) {
  return value >> low & ((2u << (high - low)) - 1);
}

constexpr std::uint32_t kLdsGranule = 512;

}  // namespace

Launch parse_launch(const Dispatch& d) {
  Launch l;
  l.lanes = d.wave32 ? 32 : 64;
  l.mode.wave32 = d.wave32;
  const std::uint32_t granule = d.wave32 ? 8 : 4;
  l.mode.vgprs = static_cast<std::uint16_t>(std::min<std::uint32_t>((bits(d.rsrc1, 5, 0) + 1) * granule, kVectorCount));
  l.mode.float_mode = static_cast<std::uint8_t>(bits(d.rsrc1, 19, 12));
  l.mode.dx10_clamp = bits(d.rsrc1, 21, 21) != 0;
  l.mode.ieee = bits(d.rsrc1, 23, 23) != 0;
  l.user_sgprs = std::min<unsigned>(bits(d.rsrc2, 5, 1), static_cast<unsigned>(d.user_data.size()));
  for (unsigned n = 0; n < 3; ++n) l.group_id[n] = bits(d.rsrc2, 7 + n, 7 + n) != 0;
  l.group_size = bits(d.rsrc2, 10, 10) != 0;
  l.lds_bytes = bits(d.rsrc2, 23, 15) * kLdsGranule;
  l.threads = d.block[0] * d.block[1] * d.block[2];
  l.waves = (l.threads + l.lanes - 1) / l.lanes;
  l.scratch_lane_bytes = d.scratch_wave_bytes / l.lanes;
  return l;
}

void start_wave(WaveState& wave, const Launch& l, const Dispatch& d, const std::uint32_t group[3], unsigned index) {
  std::fill(std::begin(wave.sgpr), std::end(wave.sgpr), kPoison);
  std::fill_n(wave.vgpr, std::size_t{l.mode.vgprs} * l.lanes, kPoison);
  unsigned next = 0;
  for (; next < l.user_sgprs; ++next) wave.sgpr[next] = d.user_data[next];
  for (unsigned n = 0; n < 3; ++n)
    if (l.group_id[n]) wave.sgpr[next++] = group[n];
  // TG_SIZE: the number of waves in the workgroup, and whether this is the first.
  if (l.group_size) wave.sgpr[next++] = l.waves | (index == 0 ? 1u << 31 : 0);

  std::uint64_t exec = 0;
  for (unsigned lane = 0; lane < l.lanes; ++lane) {
    const std::uint32_t item = index * l.lanes + lane;
    if (item < l.threads) exec |= std::uint64_t{1} << lane;
    const std::uint32_t x = item % d.block[0];
    const std::uint32_t y = item / d.block[0] % d.block[1];
    const std::uint32_t z = item / d.block[0] / d.block[1];
    wave.vgpr[lane] = x | y << 10 | z << 20;
  }
  wave.sgpr[kExecLo] = static_cast<std::uint32_t>(exec);
  wave.sgpr[kExecLo + 1] = static_cast<std::uint32_t>(exec >> 32);
  wave.scc = 0;
  wave.mode = mode_bits(l.mode);
  wave.pc = 0;
}

}  // namespace hcq::models::isa
