// SPDX-License-Identifier: MIT
// FirmwareSet: all images a chip's boot needs, found, parsed and checked before the device is touched. Container
// layouts are in abi/firmware.h; every offset and size in a file is checked against the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "drivers/am/chip.h"
#include "drivers/am/firmware/source.h"
#include "hcq/device.h"

namespace hcq::am {

// One component of the PSP's own file, sent to its bootloader.
struct PspImage {
  std::uint32_t command = 0;  // PSP_BL__*
  std::string name;           // "SOS"
  std::string file;
  std::uint32_t version = 0;
  Bytes data;
};

// One image that the running PSP loads into another block.
struct IpImage {
  std::uint32_t type = 0;  // GFX_FW_TYPE_*
  std::string name;        // "RS64_MEC"
  std::string file;
  std::uint32_t version = 0;
  Bytes data;
};

struct FirmwareSet {
  std::vector<FirmwareFile> files;  // own the bytes that the images point into
  std::vector<PspImage> psp;        // in the order the bootloader takes them
  Bytes toc;                        // table of contents for the TMR; empty where the chip has none
  IpImage smu;                      // loaded before the TMR is set up
  std::vector<IpImage> ip;          // in load order
  std::uint64_t mec_start = 0;      // program counter start of the MEC, as in the file's header
  std::uint32_t smu_version = 0;
  std::vector<DeviceInfo::Firmware> versions;

  FirmwareSet() = default;
  FirmwareSet(FirmwareSet&&) = default;
  FirmwareSet& operator=(FirmwareSet&&) = default;
};

Result<FirmwareSet> load_firmware_set(const ChipInfo& chip, const FirmwareSources& sources);

}  // namespace hcq::am
