// SPDX-License-Identifier: MIT
// For now: VRAM without translation, caches or engines. Memory-controller addresses are checked against the frame
// buffer only, and a doorbell says that nobody answers it.
#include "models/am/engines.h"

#include <fmt/format.h>

#include <cstring>

namespace hcq::models::am {

namespace {

class PlainMemory final : public Block, public MemoryPort, public DoorbellPort {
 public:
  explicit PlainMemory(Chip& chip) : chip_(chip) {
    auto& r = chip.registers;
    r.reset_value<regs::MMMC_VM_FB_LOCATION_BASE>(static_cast<std::uint32_t>(chip.fb_base >> 24));
    r.reset_value<regs::MMMC_VM_FB_LOCATION_TOP>(
        static_cast<std::uint32_t>((chip.fb_base + chip.vram->size() - 1) >> 24));
    chip.memory = this;
    chip.doorbells = this;
  }
  void reset(Reset) override {}

  bool mc_read(std::string_view client, std::uint64_t mc, MutableBytes out) override {
    if (!inside(client, mc, out.size())) return false;
    std::memcpy(out.data(), chip_.vram->at(mc - chip_.fb_base, out.size()), out.size());
    return true;
  }
  bool mc_write(std::string_view client, std::uint64_t mc, Bytes in) override {
    if (!inside(client, mc, in.size())) return false;
    std::memcpy(chip_.vram->at(mc - chip_.fb_base, in.size()), in.data(), in.size());
    return true;
  }
  void host_read(std::uint64_t offset, MutableBytes out) override {
    if (offset + out.size() > chip_.vram->size()) return;
    std::memcpy(out.data(), chip_.vram->at(offset, out.size()), out.size());
  }
  void host_write(std::uint64_t offset, Bytes in) override {
    if (offset + in.size() > chip_.vram->size()) return;
    std::memcpy(chip_.vram->at(offset, in.size()), in.data(), in.size());
  }
  void hdp_flush() override {}
  void doorbell(DoorbellTarget, std::uint32_t dword, std::uint64_t value) override {
    chip_.report("nbio", "doorbell.nobody", fmt::format("doorbell {:#x}", dword), value,
                 "no engine of this model answers doorbells", "model");
  }

 private:
  bool inside(std::string_view client, std::uint64_t mc, std::uint64_t size) {
    if (mc >= chip_.fb_base && mc - chip_.fb_base <= chip_.vram->size() &&
        size <= chip_.vram->size() - (mc - chip_.fb_base))
      return true;
    chip_.report("gmc", "gmc.mc_address", fmt::format("{} at {:#x}", client, mc), size,
                 "the address is not a memory-controller address of VRAM (fb_base + offset)", "gmc_v11_0.c");
    return false;
  }
  Chip& chip_;
};

}  // namespace

std::vector<std::unique_ptr<Block>> make_engines(Chip& chip) {
  std::vector<std::unique_ptr<Block>> blocks;
  blocks.push_back(std::make_unique<PlainMemory>(chip));
  return blocks;
}

}  // namespace hcq::models::am
