// SPDX-License-Identifier: MIT
#include "drivers/am/queue/scratch.h"

#include <algorithm>
#include <bit>

#include "drivers/am/abi/kernel_descriptor.h"
#include "drivers/am/queue/core.h"

namespace hcq::am {

namespace {
constexpr std::uint32_t kLanes = 64;          // a wave is sized for 64 lanes, whatever it runs with
constexpr std::uint32_t kMinimumBytes = 128;  // per work-item: saves growing for every small kernel
}  // namespace

Result<ScratchSize> scratch_size(const GfxConfig& gfx, std::uint32_t private_bytes, std::uint64_t budget) {
  namespace t = abi::tmpring;
  // Powers of two: growing from kernel to kernel then takes a handful of buffers at most.
  const std::uint64_t per_item = std::bit_ceil<std::uint64_t>(std::max(private_bytes, kMinimumBytes));
  const std::uint64_t wave = per_item * kLanes;
  const std::uint64_t units = wave / t::kWaveSizeUnit;
  const auto refuse = [&](std::uint64_t expected, std::uint64_t actual, const char* detail) {
    return Error{.code = Errc::no_memory,
                 .operation = "allocate scratch",
                 .expected = expected,
                 .actual = actual,
                 .detail = detail};
  };
  if (units > t::WAVESIZE.max)
    return refuse(std::uint64_t{t::WAVESIZE.max} * t::kWaveSizeUnit, wave, "private memory of one wave");
  const std::uint64_t engines = std::max(1u, gfx.shader_engines);
  const std::uint64_t slots = std::uint64_t{gfx.max_scratch_slots_per_cu} * gfx.compute_units;
  const std::uint64_t fitting = budget / wave;
  const std::uint64_t waves = std::min({slots / engines, fitting / engines, std::uint64_t{t::WAVES.max}});
  if (waves == 0) return refuse(budget, wave * engines, "scratch for one wave of each shader engine does not fit");
  return ScratchSize{
      .bytes = waves * engines * wave,
      .bytes_per_item = static_cast<std::uint32_t>(per_item),
      .tmpring = t::WAVES(static_cast<std::uint32_t>(waves)) | t::WAVESIZE(static_cast<std::uint32_t>(units))};
}

Result<std::shared_ptr<ScratchBuffer>> Scratch::get(Core& core, std::uint32_t private_bytes) {
  const std::lock_guard lock(mutex_);
  if (current_ && current_->size.bytes_per_item >= private_bytes) return current_;
  // Half of what is free: buffers must still fit.
  Gpu& gpu = core.gpu();
  const ScratchSize size = HCQ_TRY(scratch_size(gpu.chip().gfx, private_bytes, gpu.memory().vram_free() / 2));
  auto made = std::make_shared<ScratchBuffer>();
  made->size = size;
  made->memory = HCQ_TRY(core.allocate(size.bytes, MemoryKind::device));
  current_ = std::move(made);
  return current_;
}

void Scratch::clear() {
  const std::lock_guard lock(mutex_);
  current_.reset();
}

}  // namespace hcq::am
