// SPDX-License-Identifier: MIT
// Layouts: atomfirmware.h of Linux 6.12 (tables), PCI Firmware Specification 3.0 chapter 5 (option ROM).
#include "models/am/vbios.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace hcq::models::am {

namespace {

#pragma pack(push, 1)
struct TableHeader {
  std::uint16_t structuresize;
  std::uint8_t format_revision, content_revision;
};

struct RomHeaderV2_2 {
  TableHeader table_header;
  char atom_bios_string[4];
  std::uint16_t bios_segment_address, protectedmodeoffset, configfilenameoffset, crc_block_offset,
      vbios_bootupmessageoffset, int10_offset, pcibusdevinitcode, iobaseaddress, subsystem_vendor_id, subsystem_id,
      pci_info_offset, masterhwfunction_offset, masterdatatable_offset, reserved;
  std::uint32_t pspdirtableoffset;
};
static_assert(sizeof(RomHeaderV2_2) == 40);

struct MasterDataTableV2_1 {
  TableHeader table_header;
  std::uint16_t offset[35];
};

struct FirmwareInfoV3_4 {
  TableHeader table_header;
  std::uint32_t firmware_revision, bootup_sclk_in10khz, bootup_mclk_in10khz, firmware_capability,
      main_call_parser_entry, bios_scratch_reg_startaddr;
  std::uint16_t bootup_vddc_mv, bootup_vddci_mv, bootup_mvddc_mv, bootup_vddgfx_mv;
  std::uint8_t mem_module_id, coolingsolution_id, reserved1[2];
  std::uint32_t mc_baseaddr_high, mc_baseaddr_low;
  std::uint8_t board_i2c_feature_id, board_i2c_feature_gpio_id, board_i2c_feature_slave_addr, ras_rom_i2c_slave_addr;
  std::uint16_t bootup_mvddq_mv, bootup_mvpp_mv;
  std::uint32_t zfbstartaddrin16mb, pplib_pptable_id, mvdd_ratio;
  std::uint16_t hw_bootup_vddgfx_mv, hw_bootup_vddc_mv, hw_bootup_mvddc_mv, hw_bootup_vddci_mv;
  std::uint32_t maco_pwrlimit_mw, usb_pwrlimit_mw, fw_reserved_size_in_kb, pspbl_init_done_reg_addr,
      pspbl_init_done_value, pspbl_init_done_check_timeout, reserved[2];
};
static_assert(sizeof(FirmwareInfoV3_4) == 108);

struct SmuInfoV4_0 {
  TableHeader table_header;
  std::uint32_t bootup_gfxclk_bypass_10khz, bootup_usrclk_10khz, bootup_csrclk_10khz, core_refclk_10khz,
      syspll1_vco_freq_10khz, syspll2_vco_freq_10khz;
  std::uint8_t pcc_gpio_bit, pcc_gpio_polarity;
  std::uint16_t bootup_vddusr_mv;
  std::uint32_t syspll0_vco_freq_10khz, bootup_smnclk_10khz, bootup_socclk_10khz, bootup_mp0clk_10khz,
      bootup_mp1clk_10khz, bootup_lclk_10khz, bootup_dcefclk_10khz, ctf_threshold_override_value,
      syspll3_vco_freq_10khz, mm_syspll_vco_freq_10khz, bootup_fclk_10khz;
  std::uint32_t rest[59];
};
static_assert(sizeof(SmuInfoV4_0) == 312);

struct VramUsageByFirmwareV2_1 {
  TableHeader table_header;
  std::uint32_t start_address_in_kb;
  std::uint16_t used_by_firmware_in_kb, used_by_driver_in_kb;
};

struct GfxInfoV3_0 {
  TableHeader table_header;
  std::uint8_t gfxip_min_ver, gfxip_max_ver, max_shader_engines, max_tile_pipes, max_cu_per_sh, max_sh_per_se,
      max_backends_per_se, max_texture_channel_caches;
  std::uint32_t regaddr[7];
  std::uint32_t golden_tsc_count_lower_refclk;
  std::uint8_t active_wgp_per_se, active_rb_per_se, active_se, reserved1;
  std::uint32_t sram_rm_fuses_val, sram_custom_rm_fuses_val, inactive_sa_mask, gc_config;
  std::uint8_t inactive_wgp[16], inactive_rb[16];
  std::uint32_t gdfll_as_wait_ctrl_val, gdfll_as_step_ctrl_val, reserved[8];
};
static_assert(sizeof(GfxInfoV3_0) == 136);

struct VramModuleV3_0 {
  std::uint8_t density, tunningset_id, ext_memory_id, dram_vendor_id;
  std::uint16_t dram_info_offset, mem_tuning_offset, tmrs_seq_offset, reserved1;
  std::uint32_t dram_size_per_ch, reserved[3];
  char dram_pnstring[40];
};

struct VramInfoV3_0 {
  TableHeader table_header;
  std::uint16_t sub_table_offset[8];
  std::uint8_t vram_module_num, umcip_min_ver, umcip_max_ver, mc_phy_tile_num, memory_type, channel_num, channel_width,
      reserved1;
  std::uint32_t channel_enable, channel1_enable, feature_enable, feature1_enable, hardcode_mem_size, reserved4[4];
  VramModuleV3_0 vram_module[8];
};
static_assert(sizeof(VramInfoV3_0) == 64 + 8 * 68);

struct PciData {  // PCI Firmware Specification 3.0, 5.1.2
  char signature[4];
  std::uint16_t vendor, device, reserved0, length;
  std::uint8_t revision, class_code[3];
  std::uint16_t image_blocks, code_revision;
  std::uint8_t code_type, indicator;
  std::uint16_t reserved1;
};
static_assert(sizeof(PciData) == 24);
#pragma pack(pop)

// Places in the list of data tables (atom_master_list_of_data_tables_v2_1).
enum DataTable : unsigned {
  kSmcDpmInfo = 2,
  kFirmwareInfo = 4,
  kSmuInfo = 8,
  kVramUsageByFirmware = 11,
  kGfxInfo = 14,
  kIndirectIoAccess = 23,
  kVramInfo = 28,
};
constexpr unsigned kCommandTables = 81;                 // entries of atom_master_list_of_command_functions_v2_1
constexpr std::uint8_t kMemoryTypeGddr6 = 0x70;         // ATOM_DGPU_VRAM_TYPE_GDDR6
constexpr std::uint32_t kReferenceClock10kHz = 10'000;  // 100 MHz
constexpr std::size_t kImageBytes = 32u << 10, kFirstTable = 0x200, kPciData = 0x180, kStrings = 0x100;

class Image {
 public:
  template <class T>
  void put(std::size_t at, const T& v) {
    std::memcpy(bytes_.data() + at, &v, sizeof v);
  }
  void text(std::size_t at, std::string_view s) { std::memcpy(bytes_.data() + at, s.data(), s.size()); }
  // Appends a table and says where it is.
  template <class T>
  std::uint16_t table(T t, std::uint8_t format, std::uint8_t content) {
    const std::size_t at = next_;
    const TableHeader h{sizeof t, format, content};
    std::memcpy(&t, &h, sizeof h);
    put(at, t);
    next_ = (at + sizeof t + 15) & ~std::size_t{15};
    return static_cast<std::uint16_t>(at);
  }
  // The sum of all bytes of an option ROM image is 0.
  std::vector<std::byte> seal() {
    std::uint8_t sum = 0;
    for (const std::byte b : bytes_) sum = static_cast<std::uint8_t>(sum + std::to_integer<unsigned>(b));
    bytes_.back() = static_cast<std::byte>(0x100 - sum);
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_ = std::vector<std::byte>(kImageBytes);
  std::size_t next_ = kFirstTable;
};

FirmwareInfoV3_4 firmware_info(const VbiosFacts& f) {
  FirmwareInfoV3_4 t{};
  t.firmware_revision = 0x16000001;
  t.bootup_sclk_in10khz = 50'000;
  t.bootup_mclk_in10khz = 9'700;
  t.bios_scratch_reg_startaddr = f.scratch_dword;
  t.bootup_vddc_mv = t.bootup_vddgfx_mv = 700;
  t.bootup_vddci_mv = 750;
  t.bootup_mvddc_mv = 1350;
  t.pplib_pptable_id = 3;  // one of those that come with the SMU's firmware
  t.fw_reserved_size_in_kb = f.reserved_kib;
  return t;
}

SmuInfoV4_0 smu_info() {
  SmuInfoV4_0 t{};
  t.core_refclk_10khz = kReferenceClock10kHz;
  t.bootup_socclk_10khz = 50'000;
  t.bootup_fclk_10khz = 50'000;
  return t;
}

GfxInfoV3_0 gfx_info() {
  GfxInfoV3_0 t{};
  t.gfxip_min_ver = t.gfxip_max_ver = 11;
  t.max_shader_engines = t.active_se = 6;
  t.max_cu_per_sh = 8;
  t.max_sh_per_se = 2;
  t.max_backends_per_se = t.active_rb_per_se = 4;
  t.max_texture_channel_caches = 24;
  t.active_wgp_per_se = 8;
  t.golden_tsc_count_lower_refclk = kReferenceClock10kHz;
  return t;
}

VramInfoV3_0 vram_info(const VbiosFacts& f) {
  VramInfoV3_0 t{};
  t.vram_module_num = 1;
  t.umcip_min_ver = t.umcip_max_ver = 8;
  t.memory_type = kMemoryTypeGddr6;
  t.channel_num = 24;  // of 16 bits
  t.channel_width = 4;
  t.channel_enable = 0xffffff;
  t.hardcode_mem_size = f.vram_mib;
  t.vram_module[0].dram_vendor_id = 1;
  t.vram_module[0].dram_size_per_ch = f.vram_mib / 24;
  std::memcpy(t.vram_module[0].dram_pnstring, "MODEL", 5);
  return t;
}

void put_option_rom_header(Image& image, const VbiosFacts& f) {
  image.put<std::uint16_t>(0, 0xaa55);
  image.put<std::uint8_t>(2, kImageBytes / 512);
  image.put<std::uint8_t>(3, 0xcb);  // entry point: return to the caller
  image.put<std::uint16_t>(0x18, kPciData);
  PciData p{};
  std::memcpy(p.signature, "PCIR", 4);
  p.vendor = f.vendor;
  p.device = f.device;
  p.length = sizeof p;
  p.class_code[2] = 3;
  p.image_blocks = kImageBytes / 512;
  p.indicator = 0x80;  // the last image
  image.put(kPciData, p);
}

void put_strings(Image& image) {
  image.put<std::uint8_t>(0x2f, 0);  // no table of strings
  image.text(0x30, " 761295520");
  image.text(0x50, "01/01/26 00:00");
  image.put<std::uint16_t>(0x6e, kStrings);
  image.text(0x80, "113-HCQ-NAVI31");
  image.text(kStrings, "ATOMBIOSBK-AMD VER022.001.000.000.000001");
}

}  // namespace

std::vector<std::byte> make_vbios(const VbiosFacts& f) {
  Image image;
  put_option_rom_header(image, f);
  put_strings(image);

  MasterDataTableV2_1 data{};
  // The board's part of the power play table (atom_smc_dpm_info_table_13_0_0); nothing of it is modelled.
  struct [[gnu::packed]] SmcDpmInfo {
    TableHeader table_header;
    std::array<std::byte, 488> board_table;
  };
  data.offset[kSmcDpmInfo] = image.table(SmcDpmInfo{}, 5, 0);
  data.offset[kFirmwareInfo] = image.table(firmware_info(f), 3, 4);
  data.offset[kSmuInfo] = image.table(smu_info(), 4, 0);
  VramUsageByFirmwareV2_1 usage{};
  usage.start_address_in_kb = f.vram_mib * 1024 - f.reserved_kib;
  data.offset[kVramUsageByFirmware] = image.table(usage, 2, 1);
  data.offset[kGfxInfo] = image.table(gfx_info(), 3, 0);
  // An empty list of indirect access methods: the byte behind the header ends it.
  struct [[gnu::packed]] Empty {
    TableHeader table_header;
    std::uint32_t end;
  };
  data.offset[kIndirectIoAccess] = image.table(Empty{}, 1, 1);
  data.offset[kVramInfo] = image.table(vram_info(f), 3, 0);

  struct [[gnu::packed]] Commands {
    TableHeader table_header;
    std::array<std::uint16_t, kCommandTables> offset;
  };
  RomHeaderV2_2 rom{};
  std::memcpy(rom.atom_bios_string, "ATOM", 4);
  rom.subsystem_vendor_id = f.subsystem_vendor;
  rom.subsystem_id = f.subsystem;
  rom.pci_info_offset = kPciData;
  rom.vbios_bootupmessageoffset = kStrings;
  rom.masterhwfunction_offset = image.table(Commands{}, 2, 1);
  rom.masterdatatable_offset = image.table(data, 2, 1);
  image.put<std::uint16_t>(0x48, image.table(rom, 2, 2));
  return image.seal();
}

}  // namespace hcq::models::am
