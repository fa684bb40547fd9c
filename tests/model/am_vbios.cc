// SPDX-License-Identifier: MIT
// The video BIOS of the Navi31 model, and the way to it: the ROM's read window, the scratch register that says that it
// has been run.
#include <cstring>

#include "am_board.h"
#include "drivers/am/abi/discovery.h"
#include "models/am/vbios.h"
#include "models/am/vendor_registers.h"

namespace hcq::models::am::test {
namespace {

template <class T>
T at(Bytes b, std::size_t offset) {
  T v;
  std::memcpy(&v, b.data() + offset, sizeof v);
  return v;
}

std::uint32_t byte_address(std::string_view name) {
  for (const VendorRegister& r : vendor_registers())
    if (r.name == name) return (block_bases(r.hw_id)[r.segment] + r.dword) * 4;
  ADD_FAILURE() << name;
  return 0;
}

class Vbios : public ::testing::Test, public Board {
 protected:
  // Where the image lies in the ROM's window, as nbio_v4_3_get_rom_offset() and its caller find it.
  std::uint32_t rom_offset() {
    write<regs::BIF_BX_PF0_RSMU_INDEX>(byte_address("REGS_ROM_OFFSET_CTRL"));  // it lies beyond BAR 5
    return read<regs::BIF_BX_PF0_RSMU_DATA>() << 17;
  }
  std::vector<std::byte> read_rom(std::size_t bytes) {
    const std::uint32_t index = byte_address("ROM_INDEX"), data = byte_address("ROM_DATA");
    std::vector<std::byte> rom(bytes);
    mmio.write32(index, rom_offset());
    for (std::size_t i = 0; i < bytes; i += 4) {
      const std::uint32_t v = mmio.read32(data);
      std::memcpy(rom.data() + i, &v, 4);
    }
    return rom;
  }
};

TEST_F(Vbios, RomHoldsAnAtomImage) {
  const auto head = read_rom(512);
  ASSERT_EQ(at<std::uint16_t>(head, 0), 0xaa55);
  const std::size_t size = at<std::uint8_t>(head, 2) * 512u;
  const auto rom = read_rom(size);
  unsigned sum = 0;
  for (const std::byte b : rom) sum += std::to_integer<unsigned>(b);
  EXPECT_EQ(sum & 0xff, 0u);
  EXPECT_EQ(std::memcmp(rom.data() + 0x30, " 761295520", 10), 0);
  const std::size_t header = at<std::uint16_t>(rom, 0x48);
  EXPECT_EQ(std::memcmp(rom.data() + header + 4, "ATOM", 4), 0);
  const std::size_t list = at<std::uint16_t>(rom, header + 32);  // masterdatatable_offset
  const std::uint16_t firmware_info = at<std::uint16_t>(rom, list + 4 + 2 * 4);
  EXPECT_EQ(at<std::uint8_t>(rom, firmware_info + 2), 3) << "format of firmwareinfo";
  EXPECT_EQ(at<std::uint32_t>(rom, firmware_info + 24u) * 4, byte_address("BIF_BX0_BIOS_SCRATCH_0"));
  for (unsigned i = 0; i < 35; ++i) {
    const std::size_t table = at<std::uint16_t>(rom, list + 4 + 2 * i);
    if (table == 0) continue;
    EXPECT_LE(table + at<std::uint16_t>(rom, table), size) << i;
  }
  EXPECT_TRUE(clean()) << said();
}

TEST_F(Vbios, BehindTheImageTheRomIsErased) {
  mmio.write32(byte_address("ROM_INDEX"), rom_offset() + (1u << 20));
  EXPECT_EQ(mmio.read32(byte_address("ROM_DATA")), ~0u);
  mmio.write32(byte_address("ROM_INDEX"), 2);
  mmio.read32(byte_address("ROM_DATA"));
  EXPECT_TRUE(saw("smuio.rom_address"));
}

TEST_F(Vbios, HasBeenRun) { EXPECT_TRUE(mmio.read32(byte_address("BIF_BX0_BIOS_SCRATCH_7")) & 1u << 9); }

TEST_F(Vbios, TheRomEngineIsGatedOnABoardThatRuns) {
  const std::uint32_t smuio = block_bases(hcq::am::abi::discovery::SMUIO_HWID)[0] * 4;
  mmio.write32(smuio + 0x3a8, 0x9f);     // ROM_SW_COMMAND
  mmio.write32(smuio + 0x3a0, 0x80004);  // ROM_SW_CNTL
  EXPECT_TRUE(saw("rom.gated"));
}

}  // namespace
}  // namespace hcq::models::am::test
