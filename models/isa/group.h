// SPDX-License-Identifier: MIT
// Runs one workgroup at a time on one thread: its waves take turns until each has ended or waits at the barrier.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "models/isa/launch.h"
#include "models/isa/program_cache.h"
#include "models/isa/runtime.h"

namespace hcq::models::isa {

// What all threads of one dispatch share.
struct Run {
  const Dispatch& dispatch;
  const Launch& launch;
  MemoryPort& port;
  ProgramCache& cache;
  const std::atomic<bool>& stop;
};

class GroupRunner {
 public:
  // `slot`: index of this runner among those of the dispatch; it owns the scratch slots [slot, slot + 1) * waves.
  explicit GroupRunner(unsigned slot) : slot_(slot) {}
  void prepare(const Run& run, std::shared_ptr<const Program> program);
  Report run_group(const Run& run, const std::uint32_t group[3]);

 private:
  enum class State : std::uint8_t { ready, waiting, ended };
  void start_group(const Run& run, const std::uint32_t group[3]);
  // Runs a wave until it ends, waits or fails.
  Report run_wave(const Run& run, WaveState& wave, State& state);
  // The translation for the wave's MODE; null when there is none yet.
  std::shared_ptr<const Program>& program_of(const Run& run, const WaveState& wave);
  Report extend(const Run& run, WaveState& wave, bool partial);

  unsigned slot_;
  std::shared_ptr<const Program> program_;                            // for the MODE of the dispatch
  std::map<std::uint32_t, std::shared_ptr<const Program>> others_{};  // for others, by kModeOfTranslation bits
  std::unique_ptr<Worker> worker_ = std::make_unique<Worker>();
  std::vector<WaveState> waves_;
  std::vector<State> states_;
  struct alignas(64) Line {
    std::uint32_t words[16];
  };
  std::vector<Line> vgprs_;
  std::vector<Line> lds_;
};

}  // namespace hcq::models::isa
