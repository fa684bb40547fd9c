// SPDX-License-Identifier: MIT
#include "drivers/am/firmware/firmware.h"

#include <fmt/format.h>

#include "drivers/am/abi/firmware.h"
#include "drivers/am/abi/psp.h"
#include "drivers/am/firmware/container.h"

namespace hcq::am {

namespace fw = abi::firmware;
namespace psp = abi::psp;

namespace {

// One image at a time goes through the PSP's message buffer.
constexpr std::uint64_t kMaxImageBytes = psp::PSP_1_MEG;

using Parse = Result<Container> (*)(Bytes, const std::string&);

class Builder {
 public:
  Builder(const ChipInfo& chip, const FirmwareSources& sources) : chip_(chip), sources_(sources) {}

  Result<FirmwareSet> gfx11() {
    HCQ_TRY(psp_file());
    HCQ_TRY(smu_file());
    const Part sdma = HCQ_TRY(file("sdma_" + chip_.sdma.file(), parse_sdma));
    const Part mec = HCQ_TRY(file("gc_" + chip_.gc.file() + "_mec", parse_gfx));
    const Part imu = HCQ_TRY(file("gc_" + chip_.gc.file() + "_imu", parse_imu));
    const Part rlc = HCQ_TRY(file("gc_" + chip_.gc.file() + "_rlc", parse_rlc));
    set_.mec_start = mec.container.start_address;
    // RLC_G is last: with it the PSP can start the autoload that needs all the others.
    struct Row {
      const Part& part;
      std::uint32_t image, type;
      const char* name;
      bool optional = false;
    };
    const Row rows[] = {
        {sdma, kSdmaControl, psp::GFX_FW_TYPE_SDMA_UCODE_TH1, "SDMA_UCODE_TH1"},
        {sdma, kSdmaContext, psp::GFX_FW_TYPE_SDMA_UCODE_TH0, "SDMA_UCODE_TH0"},
        {mec, kGfxCode, psp::GFX_FW_TYPE_RS64_MEC, "RS64_MEC"},
        {mec, kGfxData, psp::GFX_FW_TYPE_RS64_MEC_P0_STACK, "RS64_MEC_P0_STACK"},
        {imu, kImuIram, psp::GFX_FW_TYPE_IMU_I, "IMU_I"},
        {imu, kImuDram, psp::GFX_FW_TYPE_IMU_D, "IMU_D"},
        {rlc, kRlcIram, psp::GFX_FW_TYPE_RLC_IRAM, "RLC_IRAM"},
        {rlc, kRlcDram, psp::GFX_FW_TYPE_RLC_DRAM_BOOT, "RLC_DRAM_BOOT"},
        {rlc, kRlcP, psp::GFX_FW_TYPE_RLC_P, "RLC_P", true},
        {rlc, kRlcV, psp::GFX_FW_TYPE_RLC_V, "RLC_V", true},
        {rlc, kRlcG, psp::GFX_FW_TYPE_RLC_G, "RLC_G"},
    };
    for (const Row& row : rows) {
      const ContainerImage* image = find(row.part.container, row.image);
      if (!image && row.optional) continue;
      if (!image) return missing(row.part.path, row.name);
      set_.ip.push_back({row.type, row.name, row.part.path, image->version, image->data});
      HCQ_TRY(check_size(row.part.path, row.name, image->data));
    }
    return std::move(set_);
  }

 private:
  struct Part {
    std::string path;
    Container container;
  };

  static const ContainerImage* find(const Container& c, std::uint32_t type) {
    for (const ContainerImage& i : c.images)
      if (i.type == type) return &i;
    return nullptr;
  }

  static Error missing(const std::string& path, const char* what) {
    return Error{.code = Errc::corrupt,
                 .operation = "firmware/parse",
                 .subject = path,
                 .detail = fmt::format("has no {} image", what)};
  }

  static Status check_size(const std::string& path, const char* what, Bytes data) {
    if (data.size() + 4 <= kMaxImageBytes) return {};
    Error e{.code = Errc::unsupported,
            .operation = "firmware/parse",
            .subject = path,
            .detail = fmt::format("{} is larger than the PSP's message buffer", what)};
    e.expected = kMaxImageBytes;
    e.actual = data.size();
    return e;
  }

  Result<Part> file(const std::string& stem, Parse parse) {
    const std::string name = stem + ".bin";
    FirmwareFile f = HCQ_TRY(load_firmware(sources_, name));
    const std::string path = f.path;
    set_.files.push_back(std::move(f));
    // A vector's bytes stay where they are when the vector is moved.
    const Bytes data = set_.files.back().data;
    Part part{path, HCQ_TRY(parse(data, path))};
    set_.versions.push_back({stem, fmt::format("{:#x}", part.container.version), path});
    return part;
  }

  // The bootloader takes the components in this order.
  Status psp_file() {
    const Part p = HCQ_TRY(file("psp_" + chip_.mp0.file() + "_sos", parse_psp));
    struct Row {
      fw::PspFwType type;
      psp::BootloaderCommand command;
      const char* name;
      bool required;
    };
    constexpr Row kRows[] = {
        {fw::PSP_FW_TYPE_PSP_KDB, psp::PSP_BL__LOAD_KEY_DATABASE, "KDB", true},
        {fw::PSP_FW_TYPE_PSP_SPL, psp::PSP_BL__LOAD_TOS_SPL_TABLE, "SPL", false},
        {fw::PSP_FW_TYPE_PSP_SYS_DRV, psp::PSP_BL__LOAD_SYSDRV, "SYS_DRV", true},
        {fw::PSP_FW_TYPE_PSP_SOC_DRV, psp::PSP_BL__LOAD_SOCDRV, "SOC_DRV", false},
        {fw::PSP_FW_TYPE_PSP_INTF_DRV, psp::PSP_BL__LOAD_INTFDRV, "INTF_DRV", false},
        {fw::PSP_FW_TYPE_PSP_DBG_DRV, psp::PSP_BL__LOAD_DBGDRV, "DBG_DRV", false},
        {fw::PSP_FW_TYPE_PSP_RAS_DRV, psp::PSP_BL__LOAD_RASDRV, "RAS_DRV", false},
        {fw::PSP_FW_TYPE_PSP_IPKEYMGR_DRV, psp::PSP_BL__LOAD_IPKEYMGRDRV, "IPKEYMGR_DRV", false},
        {fw::PSP_FW_TYPE_PSP_SOS, psp::PSP_BL__LOAD_SOSDRV, "SOS", true},
    };
    const ContainerImage* kdb = find(p.container, fw::PSP_FW_TYPE_PSP_KDB);
    for (const Row& row : kRows) {
      const ContainerImage* image = find(p.container, row.type);
      if (!image && !row.required) continue;
      if (!image) return missing(p.path, row.name);
      // psp_v13_0.c sends the key database again for the SPL command; PSP 14 takes the SPL table itself.
      if (row.type == fw::PSP_FW_TYPE_PSP_SPL && chip_.mp0.major == 13) image = kdb;
      set_.psp.push_back({row.command, row.name, p.path, image->version, image->data});
      HCQ_TRY(check_size(p.path, row.name, image->data));
    }
    const ContainerImage* toc = find(p.container, fw::PSP_FW_TYPE_PSP_TOC);
    if (!toc) return missing(p.path, "TOC");
    set_.toc = toc->data;
    return check_size(p.path, "TOC", toc->data);
  }

  Status smu_file() {
    const Part p = HCQ_TRY(file("smu_" + chip_.mp1.file(), parse_smu));
    const ContainerImage& image = p.container.images.front();
    set_.smu = {psp::GFX_FW_TYPE_SMU, "SMU", p.path, image.version, image.data};
    set_.smu_version = p.container.version;
    return check_size(p.path, "SMU", image.data);
  }

  const ChipInfo& chip_;
  const FirmwareSources& sources_;
  FirmwareSet set_;
};

}  // namespace

Result<FirmwareSet> load_firmware_set(const ChipInfo& chip, const FirmwareSources& sources) {
  if (chip.generation == Generation::gfx11) return Builder(chip, sources).gfx11();
  return Error{.code = Errc::unimplemented,
               .operation = "firmware/load",
               .subject = chip.arch,
               .detail = "the set of firmware images of this generation is not written yet"};
}

}  // namespace hcq::am
