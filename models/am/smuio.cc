// SPDX-License-Identifier: MIT
#include "models/am/smuio.h"

#include <chrono>
#include <cstring>
#include <utility>

namespace hcq::models::am {

Smuio::Smuio(Chip& chip, std::vector<std::byte> rom) : chip_(chip), rom_(std::move(rom)) {
  auto& bank = chip.registers.bank();
  const std::uint32_t data = chip.registers.named("ROM_DATA");
  bank.spec(data).writable = 0;
  bank.on_read(data, [this](std::uint32_t) { return rom_data(); });
}

void Smuio::reset(Reset) {}

// ROM_INDEX holds a byte address and moves on by four with every read of ROM_DATA (amdgpu_soc15_read_bios_from_rom).
std::uint32_t Smuio::rom_data() {
  const std::lock_guard lock(mutex_);
  const std::uint32_t index = chip_.registers.named("ROM_INDEX");
  auto& bank = chip_.registers.bank();
  const std::uint32_t at = bank.peek(index);
  bank.poke(index, at + 4);
  std::uint32_t v = ~0u;  // an erased part
  if (at % 4)
    chip_.report("smuio", "smuio.rom_address", "ROM_INDEX", at, "the ROM is read in aligned dwords",
                 "smuio_13_0_6 headers; amdgpu_bios.c");
  else if (std::size_t{at} + 4 <= rom_.size()) std::memcpy(&v, rom_.data() + at, 4);
  return v;
}

}  // namespace hcq::models::am
