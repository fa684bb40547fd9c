// SPDX-License-Identifier: MIT
// For now: the memory side without engines. A doorbell says that nobody answers it.
#include "models/am/engines.h"

#include <fmt/format.h>

#include "models/am/memory.h"

namespace hcq::models::am {

namespace {

class NoEngines final : public Block, public DoorbellPort {
 public:
  explicit NoEngines(Chip& chip) : chip_(chip) { chip.doorbells = this; }
  void reset(Reset) override {}
  void doorbell(DoorbellTarget, std::uint32_t dword, std::uint64_t value) override {
    chip_.report("nbio", "doorbell.nobody", fmt::format("doorbell {:#x}", dword), value,
                 "no engine of this model answers doorbells", "model");
  }

 private:
  Chip& chip_;
};

}  // namespace

std::vector<std::unique_ptr<Block>> make_engines(Chip& chip) {
  std::vector<std::unique_ptr<Block>> blocks;
  auto memory = std::make_unique<Memory>(chip);
  chip.memory = memory.get();
  blocks.push_back(std::move(memory));
  blocks.push_back(std::make_unique<NoEngines>(chip));
  return blocks;
}

}  // namespace hcq::models::am
