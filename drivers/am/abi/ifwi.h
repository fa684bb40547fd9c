// SPDX-License-Identifier: MIT
// The firmware image in a board's flash (IFWI): where its parts lie and how its tables look. Table layouts are those of
// AMD's images for CPUs, as PSPTool and coreboot's amdfwtool describe them; fixed places, item numbers and the ISH
// (image slot header) are those that flash tools for Navi31 use. See docs/unverified.md for what that leaves open.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hcq::am::abi::ifwi {

inline constexpr std::uint32_t kImageBytes = 2u << 20;

constexpr std::uint32_t fourcc(const char (&s)[5]) {
  return static_cast<std::uint32_t>(s[0]) | static_cast<std::uint32_t>(s[1]) << 8 |
         static_cast<std::uint32_t>(s[2]) << 16 | static_cast<std::uint32_t>(s[3]) << 24;
}

// Fixed places.
inline constexpr std::uint32_t kEfsOffset = 0x0, kEfsBytes = 0x54;  // embedded firmware structure
inline constexpr std::uint32_t kEfsMagic = 0x55aa55aa, kEfsPspDirectory = 0x14;
inline constexpr std::uint32_t kSgnPointer = 0x1000;  // u32: where the signature table is
inline constexpr std::uint32_t kPspDirectory[2] = {0x2000, 0x3000};
inline constexpr std::uint32_t kDescriptor[2] = {0x10000, 0x11000}, kDescriptorBytes = 0x1000;
inline constexpr std::uint32_t kIsh[2] = {0x12000, 0x13000}, kIshBytes = 0x20;
inline constexpr std::uint32_t kUpdateMetadata = 0x1ef000, kUpdateMetadataBytes = 0x1000;  // firmware writes it itself
inline constexpr std::uint32_t kTrailer = 0x1f0000, kTrailerBytes = 0x100;

inline constexpr std::uint32_t kPsp = fourcc("$PSP"), kPl2 = fourcc("$PL2"), kBhd = fourcc("$BHD"),
                               kBl2 = fourcc("$BL2"), k2Psp = fourcc("2PSP"), k2Bhd = fourcc("2BHD"),
                               kSgn = fourcc("$SGN"), kPs1 = fourcc("$PS1");

// Items by which the firmware asks for parts of an image (mailbox command 7).
enum Item : std::uint8_t {
  kItemEfs = 0x01,
  kItemPspDirectoryA = 0x02,
  kItemPspDirectoryB = 0x03,
  kItemDescriptorA = 0x04,
  kItemDescriptorB = 0x05,
  kItemIshA = 0x06,
  kItemIshB = 0x07,
  kItemPayload = 0x08,  // of the first ISH
  kItemSgnPointer = 0x80,
  kItemSgn = 0x81,
  kItemFirstSignature = 0x82,  // signature of type 1; up to 0x88 for type 7
  kItemLastSignature = 0x88,
  kItemTrailer = 0x89,
};
inline constexpr unsigned kItemCount = 19;  // of Navi31: the most that one update may ask for

// Address modes of directory entries.
enum AddressMode : std::uint8_t { kPhysical = 0, kFromFlash = 1, kFromDirectory = 2, kFromSlot = 3 };

inline constexpr std::uint8_t kEntryFuseChain = 0x0b;  // its offset field holds a value

#pragma pack(push, 1)

struct DirectoryHeader {
  std::uint32_t magic;
  std::uint32_t checksum;  // Fletcher-32 of everything behind this field
  std::uint32_t count;
  std::uint32_t info;  // bit 31 version; address mode in 30:29, or 25:24 for version 1
};
static_assert(sizeof(DirectoryHeader) == 16);

struct PspEntry {
  std::uint8_t type, subprogram;
  std::uint16_t flags;
  std::uint32_t size;
  std::uint32_t offset;
  std::uint32_t mode;  // 31:30 address mode
};
static_assert(sizeof(PspEntry) == 16);
inline constexpr unsigned kEntryModeShift = 30;

struct BhdEntry {
  std::uint8_t type, region;
  std::uint16_t flags;
  std::uint32_t size;
  std::uint64_t source, destination;
};
static_assert(sizeof(BhdEntry) == 24);

// Which of two copies of the firmware is booted.
struct ImageSlotHeader {
  std::uint32_t checksum;  // Fletcher-32 of the other 28 bytes
  std::uint32_t boot_priority;
  std::uint32_t update_retry_count;
  std::uint8_t glitch_retry_count;
  std::uint8_t reserved0[3];
  std::uint32_t location;  // of the second-level directory, in flash
  std::uint32_t psp_id;
  std::uint32_t slot_size;
  std::uint32_t reserved1;
};
static_assert(sizeof(ImageSlotHeader) == kIshBytes);
inline constexpr std::uint32_t kBootPriorityA = 0xffffffff, kBootPriorityB = 1;

struct SgnHeader {
  std::uint32_t magic, reserved0, count, reserved1;
};
static_assert(sizeof(SgnHeader) == 16);
struct SgnEntry {
  std::uint32_t type, reserved, size, offset;
};
static_assert(sizeof(SgnEntry) == 16);

// In front of a firmware file.
struct FileHeader {
  std::uint8_t nonce[16];
  std::uint32_t magic;        // +0x10
  std::uint32_t size_signed;  // +0x14
  std::uint32_t encrypted;    // +0x18
  std::uint8_t reserved0[20];
  std::uint32_t is_signed;       // +0x30
  std::uint32_t signature_type;  // +0x34
  std::uint8_t fingerprint[16];  // +0x38
  std::uint32_t compressed;      // +0x48
  std::uint32_t reserved1;
  std::uint32_t size_uncompressed;  // +0x50
  std::uint32_t size_zlib;          // +0x54
  std::uint8_t reserved2[8];
  std::uint8_t version[4];  // +0x60, last part first
  std::uint8_t reserved3[4];
  std::uint32_t load_address;  // +0x68
  std::uint32_t size_in_rom;   // +0x6c
  std::uint8_t reserved4[0x60];
  std::uint8_t digest[48];  // +0xd0, SHA-256 or SHA-384 of what is behind the header
};
static_assert(sizeof(FileHeader) == 0x100);
static_assert(offsetof(FileHeader, version) == 0x60 && offsetof(FileHeader, digest) == 0xd0);

// PCI expansion ROM (PCI Firmware Specification 3.0, 5.1) with AMD's additions (atomfirmware.h, atombios.h).
struct PciDataStructure {
  std::uint32_t signature;  // "PCIR"
  std::uint16_t vendor, device, reserved, length;
  std::uint8_t revision, class_code[3];
  std::uint16_t image_blocks, code_revision;
  std::uint8_t code_type, indicator;  // bit 7: last image
  std::uint16_t reserved1;
};
static_assert(sizeof(PciDataStructure) == 24);

struct AtomRomHeader {
  std::uint16_t table_size;
  std::uint8_t format_revision, content_revision;
  std::uint32_t signature;  // "ATOM"
  std::uint16_t bios_segment, protected_mode, config_name, crc_block, boot_message, int10, init_code, io_base;
  std::uint16_t subsystem_vendor, subsystem_device;
};
static_assert(sizeof(AtomRomHeader) == 28);

#pragma pack(pop)

inline constexpr std::uint16_t kRomSignature = 0xaa55;
inline constexpr std::uint32_t kRomBlock = 512, kRomBlocksAt = 0x02, kRomPcirPointer = 0x18, kRomAtomPointer = 0x48,
                               kRomPartNumber = 0x80, kRomPartNumberBytes = 20;
inline constexpr std::uint32_t kPcir = fourcc("PCIR"), kAtom = fourcc("ATOM");

}  // namespace hcq::am::abi::ifwi
