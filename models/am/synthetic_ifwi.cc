// SPDX-License-Identifier: MIT
#include "models/am/synthetic_ifwi.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <optional>
#include <random>

#include "drivers/am/abi/ifwi.h"

namespace hcq::models::am {

namespace {

namespace f = hcq::am::abi::ifwi;

constexpr std::uint32_t kSlot[2] = {0x20000, 0xa0000}, kSlotBytes = 0x80000;
constexpr std::uint32_t kSgnAt = 0x14000, kSignatures = 0x15000, kSignatureBytes = 0x200, kSignatureCount = 7;
constexpr std::uint32_t kRomAt = 0x140000, kRomBytes = 0xe000;
constexpr std::uint32_t kL2Bytes = 0x1000;
constexpr std::uint32_t kIshFirmwareId = 0x13c;

// Fletcher-32 over 16-bit words with both sums starting at 0xffff.
std::uint32_t fletcher32(Bytes data) {
  std::uint64_t low = 0xffff, high = 0xffff;
  for (std::size_t i = 0; i + 1 < data.size(); i += 2) {
    low += std::to_integer<unsigned>(data[i]) | std::to_integer<unsigned>(data[i + 1]) << 8;
    low = (low & 0xffff) + (low >> 16);
    high += low;
    high = (high & 0xffff) + (high >> 16);
  }
  low = (low & 0xffff) + (low >> 16);
  high = (high & 0xffff) + (high >> 16);
  return static_cast<std::uint32_t>(high << 16 | low);
}

template <class T>
void put(std::vector<std::byte>& image, std::uint32_t at, const T& v) {
  std::memcpy(image.data() + at, &v, sizeof v);
}
template <class T>
T take(Bytes image, std::uint32_t at) {
  T v;
  std::memcpy(&v, image.data() + at, sizeof v);
  return v;
}

void noise(std::vector<std::byte>& image, std::uint32_t at, std::uint32_t size, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  for (std::uint32_t i = 0; i < size; i += 8) {
    const std::uint64_t v = rng();
    std::memcpy(image.data() + at + i, &v, std::min<std::uint32_t>(8, size - i));
  }
}

void seal_directory(std::vector<std::byte>& image, std::uint32_t at, std::uint32_t entry_bytes) {
  auto h = take<f::DirectoryHeader>(image, at);
  h.checksum = fletcher32(Bytes(image).subspan(at + 8, 8 + h.count * entry_bytes));
  put(image, at, h);
}

struct File {
  std::uint8_t type;
  std::uint32_t size;  // with its header
};
constexpr std::array kFiles{File{0x01, 0x8000}, File{0x02, 0x12000}, File{0x08, 0x1c000}, File{0x12, 0x9000},
                            File{0x24, 0x3000}, File{0x30, 0x6400},  File{0x55, 0x800},   File{0x60, 0x2200}};

void write_file(std::vector<std::byte>& image, std::uint32_t at, const File& file, const SyntheticIfwi& o) {
  constexpr std::uint32_t kHeader = sizeof(f::FileHeader);
  noise(image, at + kHeader, file.size - kHeader, o.seed * 1000 + file.type);
  f::FileHeader h{};
  h.magic = f::kPs1;
  h.size_signed = file.size - kHeader;
  h.size_in_rom = file.size;
  h.load_address = 0x100000u * file.type;
  for (unsigned i = 0; i < 4; ++i) h.version[i] = static_cast<std::uint8_t>(o.version >> 8 * i);
  const Bytes body = Bytes(image).subspan(at + kHeader, file.size - kHeader);
  SHA256(reinterpret_cast<const unsigned char*>(body.data()), body.size(), h.digest);
  put(image, at, h);
}

// A second-level directory with its files, all addressed from the directory itself.
void write_slot(std::vector<std::byte>& image, std::uint32_t at, const SyntheticIfwi& o) {
  put(image, at, f::DirectoryHeader{f::kPl2, 0, kFiles.size() + 1, 0});
  std::uint32_t next = kL2Bytes, entry = at + sizeof(f::DirectoryHeader);
  for (const File& file : kFiles) {
    put(image, entry,
        f::PspEntry{file.type, 0, 0, file.size, next, std::uint32_t{f::kFromDirectory} << f::kEntryModeShift});
    write_file(image, at + next, file, o);
    next += (file.size + 0xfff) / 0x1000 * 0x1000;
    entry += sizeof(f::PspEntry);
  }
  put(image, entry, f::PspEntry{f::kEntryFuseChain, 0, 0, 0xffffffff, 1, 0});
  seal_directory(image, at, sizeof(f::PspEntry));
  assert(next <= kSlotBytes);
}

void write_ish(std::vector<std::byte>& image, unsigned partition) {
  f::ImageSlotHeader h{};
  h.boot_priority = partition == 0 ? f::kBootPriorityA : f::kBootPriorityB;
  h.location = kSlot[partition];
  h.psp_id = kIshFirmwareId;
  h.slot_size = kSlotBytes;
  put(image, f::kIsh[partition], h);
  repair_ish(image, partition);
}

// The first level: both copies list the two slot headers and the trailer.
void write_directory(std::vector<std::byte>& image, std::uint32_t at) {
  const std::uint32_t flash = std::uint32_t{f::kFromFlash} << f::kEntryModeShift;
  const f::PspEntry entries[] = {{0x48, 0, 0, f::kIshBytes, f::kIsh[0], flash},
                                 {0x4a, 0, 0, f::kIshBytes, f::kIsh[1], flash},
                                 {0x51, 0, 0, f::kTrailerBytes, f::kTrailer, flash}};
  put(image, at, f::DirectoryHeader{f::kPsp, 0, std::size(entries), 0});
  for (std::uint32_t i = 0; i < std::size(entries); ++i)
    put(image, at + sizeof(f::DirectoryHeader) + i * sizeof(f::PspEntry), entries[i]);
  seal_directory(image, at, sizeof(f::PspEntry));
}

void write_signatures(std::vector<std::byte>& image, const SyntheticIfwi& o) {
  put(image, f::kSgnPointer, kSgnAt);
  put(image, kSgnAt, f::SgnHeader{f::kSgn, 0, kSignatureCount, 0});
  for (std::uint32_t i = 0; i < kSignatureCount; ++i) {
    const std::uint32_t at = kSignatures + i * 0x1000;
    put(image, kSgnAt + sizeof(f::SgnHeader) + i * sizeof(f::SgnEntry), f::SgnEntry{i + 1, 0, kSignatureBytes, at});
    noise(image, at, kSignatureBytes, o.seed * 77 + i);
  }
}

void write_rom(std::vector<std::byte>& image, const SyntheticIfwi& o) {
  constexpr std::uint32_t kPcirAt = 0x200, kAtomAt = 0x240;
  noise(image, kRomAt, kRomBytes, o.seed * 31 + 5);
  std::memset(image.data() + kRomAt, 0, 0x400);
  put(image, kRomAt, f::kRomSignature);
  put(image, kRomAt + f::kRomBlocksAt, static_cast<std::uint8_t>(kRomBytes / f::kRomBlock));
  put(image, kRomAt + f::kRomPcirPointer, static_cast<std::uint16_t>(kPcirAt));
  put(image, kRomAt + f::kRomAtomPointer, static_cast<std::uint16_t>(kAtomAt));
  f::PciDataStructure pcir{};
  pcir.signature = f::kPcir;
  pcir.vendor = o.vendor;
  pcir.device = o.device;
  pcir.length = sizeof pcir;
  pcir.class_code[2] = 0x03;
  pcir.image_blocks = static_cast<std::uint16_t>(kRomBytes / f::kRomBlock);
  pcir.indicator = 0x80;
  put(image, kRomAt + kPcirAt, pcir);
  f::AtomRomHeader atom{};
  atom.table_size = sizeof atom;
  atom.format_revision = 2;
  atom.content_revision = 3;
  atom.signature = f::kAtom;
  atom.subsystem_vendor = o.subsystem_vendor;
  atom.subsystem_device = o.subsystem_device;
  put(image, kRomAt + kAtomAt, atom);
  const std::size_t n = std::min<std::size_t>(o.part_number.size(), f::kRomPartNumberBytes - 1);
  std::memcpy(image.data() + kRomAt + f::kRomPartNumber, o.part_number.data(), n);
  // All bytes of the ROM add up to 0 modulo 256; the last one sees to it.
  unsigned sum = 0;
  for (std::uint32_t i = 0; i + 1 < kRomBytes; ++i) sum += std::to_integer<unsigned>(image[kRomAt + i]);
  image[kRomAt + kRomBytes - 1] = std::byte(static_cast<std::uint8_t>(0 - sum));
}

bool in_flash(std::uint64_t at, std::uint64_t size, Bytes flash) { return at + size <= flash.size(); }

bool directory_is_sound(Bytes flash, std::uint64_t at, std::uint32_t magic) {
  if (!in_flash(at, sizeof(f::DirectoryHeader), flash)) return false;
  const auto h = take<f::DirectoryHeader>(flash, static_cast<std::uint32_t>(at));
  const std::uint64_t entries = std::uint64_t{h.count} * sizeof(f::PspEntry);
  if (h.magic != magic || h.count > 256 || !in_flash(at + sizeof h, entries, flash)) return false;
  return fletcher32(flash.subspan(at + 8, 8 + entries)) == h.checksum;
}

// Every file of a slot: its place, its header, the hash of its content.
bool slot_is_sound(Bytes flash, std::uint32_t at) {
  if (!directory_is_sound(flash, at, f::kPl2)) return false;
  const auto h = take<f::DirectoryHeader>(flash, at);
  for (std::uint32_t i = 0; i < h.count; ++i) {
    const auto e = take<f::PspEntry>(flash, at + sizeof h + i * sizeof(f::PspEntry));
    if (e.type == f::kEntryFuseChain) continue;
    const std::uint64_t file = std::uint64_t{at} + e.offset;
    if (e.size < sizeof(f::FileHeader) || !in_flash(file, e.size, flash)) return false;
    const auto header = take<f::FileHeader>(flash, static_cast<std::uint32_t>(file));
    if (header.magic != f::kPs1 || header.size_signed != e.size - sizeof header) return false;
    const Bytes body = flash.subspan(file + sizeof header, header.size_signed);
    unsigned char digest[32];
    SHA256(reinterpret_cast<const unsigned char*>(body.data()), body.size(), digest);
    if (std::memcmp(digest, header.digest, sizeof digest) != 0) return false;
  }
  return true;
}

bool partition_is_sound(Bytes flash, unsigned partition, bool lax) {
  const auto h = take<f::ImageSlotHeader>(flash, f::kIsh[partition]);
  if (fletcher32(flash.subspan(f::kIsh[partition] + 4, f::kIshBytes - 4)) != h.checksum) return false;
  if (!in_flash(h.location, h.slot_size, flash)) return false;
  return lax || slot_is_sound(flash, h.location);
}

}  // namespace

void repair_ish(std::vector<std::byte>& image, unsigned partition) {
  const std::uint32_t at = f::kIsh[partition];
  put(image, at, fletcher32(Bytes(image).subspan(at + 4, f::kIshBytes - 4)));
}

std::vector<std::byte> synthetic_ifwi(const SyntheticIfwi& o) {
  std::vector<std::byte> image(f::kImageBytes, std::byte{0xff});
  std::memset(image.data(), 0, f::kEfsBytes);
  put(image, f::kEfsOffset, f::kEfsMagic);
  put(image, f::kEfsPspDirectory, f::kPspDirectory[0]);
  for (const std::uint32_t at : f::kPspDirectory) write_directory(image, at);
  for (unsigned p = 0; p < 2; ++p) {
    noise(image, f::kDescriptor[p], f::kDescriptorBytes, o.seed * 13 + p);
    write_slot(image, kSlot[p], o);
    write_ish(image, p);
  }
  write_signatures(image, o);
  write_rom(image, o);
  std::memset(image.data() + f::kUpdateMetadata, 0, 16);
  noise(image, f::kTrailer, f::kTrailerBytes, o.seed * 7 + 3);
  return image;
}

BootVerdict boot_verdict(Bytes flash, bool lax) {
  if (flash.size() != f::kImageBytes) return {.why = "the chip has another size than the image"};
  if (take<std::uint32_t>(flash, f::kEfsOffset) != f::kEfsMagic) return {.why = "no embedded firmware structure"};
  const auto first = take<std::uint32_t>(flash, f::kEfsPspDirectory);
  if (!directory_is_sound(flash, first, f::kPsp) && !directory_is_sound(flash, f::kPspDirectory[1], f::kPsp))
    return {.why = "no sound PSP directory"};
  // The firmware's own update leaves a note which copy it made last.
  const unsigned preferred = take<std::uint32_t>(flash, f::kUpdateMetadata + 4) == 1 ? 1 : 0;
  for (const unsigned p : {preferred, 1 - preferred})
    if (partition_is_sound(flash, p, lax)) return {.boots = true, .partition = p, .why = {}};
  return {.why = "neither copy of the firmware is sound"};
}

}  // namespace hcq::models::am
