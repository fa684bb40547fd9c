// SPDX-License-Identifier: MIT
#include "models/isa/group.h"

#include <algorithm>

namespace hcq::models::isa {

void GroupRunner::prepare(const Run& run, std::shared_ptr<const Program> program) {
  program_ = std::move(program);
  others_.clear();
  const auto& l = run.launch;
  const std::size_t words = std::size_t{l.mode.vgprs} * l.lanes;
  waves_.resize(l.waves);
  states_.resize(l.waves);
  vgprs_.resize(words * l.waves / 16);
  lds_.resize(l.lds_bytes / sizeof(Line));
  worker_->port = &run.port;
  flush_scalar_tlb(*worker_);
  for (unsigned w = 0; w < l.waves; ++w) {
    auto& wave = waves_[w];
    wave = WaveState{};
    wave.vgpr = reinterpret_cast<std::uint32_t*>(vgprs_.data()) + words * w;
    wave.worker = worker_.get();
    wave.stop = &run.stop;
    wave.lds = reinterpret_cast<std::byte*>(lds_.data());
    wave.lds_size = l.lds_bytes;
    wave.single = l.waves == 1;
    wave.base = run.dispatch.entry;
    wave.scratch = run.dispatch.scratch_base + std::uint64_t{slot_ * l.waves + w} * run.dispatch.scratch_wave_bytes;
    wave.scratch_lane_bytes = l.scratch_lane_bytes;
    wave.lanes = l.lanes;
    wave.shared_aperture = run.dispatch.shared_aperture;
    wave.private_aperture = run.dispatch.private_aperture;
  }
}

void GroupRunner::start_group(const Run& run, const std::uint32_t group[3]) {
  const std::uint64_t generation = run.port.generation();
  if (generation != worker_->generation) {
    flush_tlb(*worker_);
    worker_->generation = generation;
  }
  Line poison;
  std::fill(std::begin(poison.words), std::end(poison.words), kPoison);
  std::fill(lds_.begin(), lds_.end(), poison);
  for (unsigned w = 0; w < waves_.size(); ++w) start_wave(waves_[w], run.launch, run.dispatch, group, w);
  std::fill(states_.begin(), states_.end(), State::ready);
}

std::shared_ptr<const Program>& GroupRunner::program_of(const Run& run, const WaveState& wave) {
  const std::uint32_t word = wave.mode & kModeOfTranslation;
  return word == mode_bits(run.launch.mode) ? program_ : others_[word];
}

Report GroupRunner::extend(const Run& run, WaveState& wave, bool partial) {
  const Mode mode = with_mode_bits(run.launch.mode, wave.mode);
  auto program = run.cache.extend(run.port, run.dispatch.entry, mode, wave.pc, partial);
  if (!program) return {.outcome = Outcome::illegal, .pc = wave.base + wave.pc, .text = describe(program.error())};
  program_of(run, wave) = std::move(program).value();
  return {};
}

Report GroupRunner::run_wave(const Run& run, WaveState& wave, State& state) {
  for (;;) {
    const auto& program = program_of(run, wave);
    const auto exit = program ? static_cast<Exit>(program->run(&wave)) : Exit::target;
    const std::uint64_t pc = wave.base + wave.pc;
    switch (exit) {
      case Exit::end:
        state = State::ended;
        return {};
      case Exit::barrier:
        state = State::waiting;
        return {};
      case Exit::mode:
        break;
      case Exit::target:
      case Exit::partial:
        if (Report r = extend(run, wave, exit == Exit::partial); r.outcome != Outcome::done) return r;
        break;
      case Exit::fault:
        return {.outcome = Outcome::memory_fault,
                .pc = wave.base + wave.fault_pc,
                .address = wave.fault_address,
                .access = static_cast<Access>(wave.fault_access)};
      case Exit::illegal:
        return {.outcome = Outcome::illegal,
                .pc = pc,
                .text = run.cache.describe_instruction(run.port, pc, run.launch.mode.wave32)};
      case Exit::stopped:
        return {.outcome = Outcome::stopped, .pc = pc};
      case Exit::fetch:
        return {.outcome = Outcome::memory_fault, .pc = pc, .address = pc, .access = Access::execute};
    }
  }
}

Report GroupRunner::run_group(const Run& run, const std::uint32_t group[3]) {
  start_group(run, group);
  for (;;) {
    bool waiting = false;
    for (unsigned w = 0; w < waves_.size(); ++w) {
      if (states_[w] == State::ended) continue;
      if (Report r = run_wave(run, waves_[w], states_[w]); r.outcome != Outcome::done) return r;
      waiting = waiting || states_[w] == State::waiting;
    }
    if (!waiting) return {};
    if (run.stop.load(std::memory_order_relaxed)) return {.outcome = Outcome::stopped, .pc = run.dispatch.entry};
  }
}

}  // namespace hcq::models::isa
