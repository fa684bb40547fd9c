// SPDX-License-Identifier: MIT
// Reads the vendor's firmware containers: one function per kind of file, each returning the images in it. Layouts are
// in abi/firmware.h. Every offset and size is checked against the file; nothing is trusted. Pure: these are the fuzz
// targets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace hcq::am {

struct ContainerImage {
  std::uint32_t type = 0;  // of the container's kind; see each function
  std::uint32_t version = 0;
  Bytes data;
};

struct Container {
  std::uint32_t version = 0;  // of the file as a whole
  std::uint16_t header_major = 0, header_minor = 0;
  std::vector<ContainerImage> images;
  std::uint64_t start_address = 0;  // program counter start, where the kind has one
};

// `path` names the file in errors; `data` must outlive the images.
Result<Container> parse_psp(Bytes data, const std::string& path);   // image types: PSP_FW_TYPE_*
Result<Container> parse_gfx(Bytes data, const std::string& path);   // RS64: kGfxCode, kGfxData
Result<Container> parse_sdma(Bytes data, const std::string& path);  // kSdmaContext, kSdmaControl
Result<Container> parse_imu(Bytes data, const std::string& path);   // kImuIram, kImuDram
Result<Container> parse_rlc(Bytes data, const std::string& path);   // kRlc*
Result<Container> parse_smu(Bytes data, const std::string& path);   // one image, type 0

inline constexpr std::uint32_t kGfxCode = 0, kGfxData = 1;
inline constexpr std::uint32_t kSdmaContext = 0, kSdmaControl = 1;
inline constexpr std::uint32_t kImuIram = 0, kImuDram = 1;
inline constexpr std::uint32_t kRlcG = 0, kRlcIram = 1, kRlcDram = 2, kRlcP = 3, kRlcV = 4;

// CRC-32 (IEEE 802.3), as in the container header.
std::uint32_t crc32(Bytes data);

}  // namespace hcq::am
