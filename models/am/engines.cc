// SPDX-License-Identifier: MIT
#include "models/am/engines.h"

#include <thread>

#include "models/am/gfx/cp.h"
#include "models/am/memory.h"
#include "models/am/sdma.h"

namespace hcq::models::am {

namespace {

class Doorbells final : public Block, public DoorbellPort {
 public:
  Doorbells(Cp& cp, Sdma& sdma0, Sdma& sdma1) : cp_(cp), sdma0_(sdma0), sdma1_(sdma1) {}
  void reset(Reset) override {}
  void doorbell(DoorbellTarget target, std::uint32_t dword, std::uint64_t value) override {
    if (target == DoorbellTarget::cp) cp_.doorbell(dword, value);
    else if (target == DoorbellTarget::sdma) (sdma1_.listens_to(dword) ? sdma1_ : sdma0_).doorbell(dword, value);
  }

 private:
  Cp& cp_;
  Sdma& sdma0_;
  Sdma& sdma1_;
};

}  // namespace

std::vector<std::unique_ptr<Block>> make_engines(Chip& chip) {
  auto memory = std::make_unique<Memory>(chip);
  auto cp = std::make_unique<Cp>(chip, *memory, [] {
    const unsigned cores = std::thread::hardware_concurrency();
    return isa::Engine::create("gfx1100", cores > 1 ? cores - 1 : 0);
  });
  auto sdma0 = std::make_unique<Sdma>(chip, *memory, 0);
  auto sdma1 = std::make_unique<Sdma>(chip, *memory, 1);
  auto doorbells = std::make_unique<Doorbells>(*cp, *sdma0, *sdma1);
  chip.memory = memory.get();
  chip.doorbells = doorbells.get();
  std::vector<std::unique_ptr<Block>> blocks;
  blocks.push_back(std::move(memory));
  blocks.push_back(std::move(cp));
  blocks.push_back(std::move(sdma0));
  blocks.push_back(std::move(sdma1));
  blocks.push_back(std::move(doorbells));
  return blocks;
}

}  // namespace hcq::models::am
