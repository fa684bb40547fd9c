// SPDX-License-Identifier: MIT
#include "drivers/am/flash/expansion_rom.h"

#include <optional>

#include "drivers/am/abi/ifwi.h"

namespace hcq::am::flash {
namespace {

namespace f = abi::ifwi;

std::string printable(Bytes text) {
  std::string s;
  for (const std::byte b : text) {
    const char c = static_cast<char>(b);
    if (c == 0) break;
    if (c >= 0x20 && c < 0x7f) s += c;
  }
  return s;
}

void read_atom(const ByteReader& rom, ExpansionRom& r) {
  const auto pointer = rom.get<std::uint16_t>(f::kRomAtomPointer);
  if (!pointer.ok()) return;
  const auto atom = rom.get<f::AtomRomHeader>(*pointer);
  if (!atom.ok() || atom->signature != f::kAtom) return;
  r.subsystem_vendor = atom->subsystem_vendor;
  r.subsystem_device = atom->subsystem_device;
  const auto part = rom.slice(f::kRomPartNumber, f::kRomPartNumberBytes);
  if (part.ok()) r.part_number = printable(*part);
}

std::optional<ExpansionRom> rom_at(Bytes image, std::size_t at) {
  const ByteReader whole(image, "image");
  const auto signature = whole.get<std::uint16_t>(at);
  const auto blocks = whole.get<std::uint8_t>(at + f::kRomBlocksAt);
  if (!signature.ok() || *signature != f::kRomSignature || !blocks.ok() || *blocks == 0) return std::nullopt;
  const auto bytes = whole.slice(at, std::size_t{*blocks} * f::kRomBlock);
  if (!bytes.ok()) return std::nullopt;
  const ByteReader rom(*bytes, "expansion ROM");
  const auto pointer = rom.get<std::uint16_t>(f::kRomPcirPointer);
  if (!pointer.ok()) return std::nullopt;
  const auto pcir = rom.get<f::PciDataStructure>(*pointer);
  if (!pcir.ok() || pcir->signature != f::kPcir) return std::nullopt;
  ExpansionRom r{.offset = static_cast<std::uint32_t>(at),
                 .size = static_cast<std::uint32_t>(bytes->size()),
                 .vendor = pcir->vendor,
                 .device = pcir->device};
  unsigned sum = 0;
  for (const std::byte b : *bytes) sum += std::to_integer<unsigned>(b);
  r.checksum_matches = sum % 256 == 0;
  r.length_matches = pcir->image_blocks == *blocks;
  read_atom(rom, r);
  return r;
}

}  // namespace

std::vector<ExpansionRom> find_expansion_roms(Bytes image) {
  std::vector<ExpansionRom> found;
  for (std::size_t at = 0; at < image.size(); at += f::kRomBlock) {
    const auto rom = rom_at(image, at);
    if (!rom) continue;
    found.push_back(*rom);
    at += rom->size - f::kRomBlock;
  }
  return found;
}

}  // namespace hcq::am::flash
