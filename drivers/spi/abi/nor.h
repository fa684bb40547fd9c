// SPDX-License-Identifier: MIT
// What serial NOR flash chips of the GD25Q kind understand: instructions, status bits, geometry, the SFDP header. Facts
// shared by driver and model. Source: the instruction set of the GD25LQ16 family and JEDEC JESD216.
#pragma once

#include <cstdint>

namespace hcq::spi::abi {

enum Instruction : std::uint8_t {
  WRSR = 0x01,  // write status registers 1 and 2
  PP = 0x02,    // page program
  READ = 0x03,
  WRDI = 0x04,
  RDSR1 = 0x05,
  WREN = 0x06,
  RDSR3 = 0x15,
  SE = 0x20,  // sector erase, 4 KiB
  RDSR2 = 0x35,
  EN_VSR = 0x50,  // write enable for volatile status registers
  BE32 = 0x52,
  SFDP = 0x5a,  // followed by a 24-bit address and one dummy byte
  CE = 0x60,
  RSTEN = 0x66,
  RST = 0x99,
  RDID = 0x9f,
  RDP = 0xab,  // release from deep power-down
  DP = 0xb9,   // deep power-down
  CE2 = 0xc7,
  BE64 = 0xd8,
};

inline constexpr std::uint32_t kPageBytes = 256, kSectorBytes = 4096;

// Status register 1.
inline constexpr std::uint8_t WIP = 1u << 0, WEL = 1u << 1, BP0 = 1u << 2, BP1 = 1u << 3, BP2 = 1u << 4, BP3 = 1u << 5,
                              BP4 = 1u << 6, SRP0 = 1u << 7;
inline constexpr std::uint8_t kBlockProtect = BP0 | BP1 | BP2 | BP3 | BP4;
// Status register 2.
inline constexpr std::uint8_t SRP1 = 1u << 0, QE = 1u << 1, SUS2 = 1u << 2, LB1 = 1u << 3, LB2 = 1u << 4, LB3 = 1u << 5,
                              CMP = 1u << 6, SUS1 = 1u << 7;

// JESD216: the header of the table, the header of each parameter table, and dwords 1 and 2 of the basic one.
inline constexpr std::uint32_t kSfdpSignature = 0x50444653;  // "SFDP", little endian
inline constexpr std::uint16_t kBasicTable = 0xff00;
inline constexpr std::uint32_t kDensityIsExponent = 1u << 31;  // of dword 2: the rest is log2 of the size in bits

#pragma pack(push, 1)

struct SfdpHeader {
  std::uint32_t signature;
  std::uint8_t minor, major;
  std::uint8_t last_table;  // number of parameter headers less one
  std::uint8_t access_protocol;
};
static_assert(sizeof(SfdpHeader) == 8);

struct SfdpTableHeader {
  std::uint8_t id_low, minor, major, dwords;
  std::uint8_t pointer[3];  // of the table, little endian
  std::uint8_t id_high;
};
static_assert(sizeof(SfdpTableHeader) == 8);

struct SfdpBasicTable {
  std::uint8_t erase_and_writes;  // 1:0 = 1: 4 KiB erase is there
  std::uint8_t erase_4k;          // its instruction
  std::uint16_t features;
  std::uint32_t density;  // size in bits less one, or see kDensityIsExponent
  std::uint32_t fast_read[5];
  struct Erase {
    std::uint8_t log2_bytes, instruction;
  } erase[4];
};
static_assert(sizeof(SfdpBasicTable) == 36);

#pragma pack(pop)

}  // namespace hcq::spi::abi
