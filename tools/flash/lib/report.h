// SPDX-License-Identifier: MIT
// What is found out, as text for people and as one JSON document. Numbers in JSON are numbers; keys carry units.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "drivers/am/flash/ifwi.h"
#include "drivers/spi/nor.h"
#include "tools/flash/lib/device.h"
#include "tools/flash/lib/image_diff.h"
#include "tools/flash/lib/job.h"

namespace hcq::flash {

// What `info` finds.
struct Info {
  std::string address{};
  pci::Identity board{};
  bool gated = false, firmware_ran = false, secure_os = false;
  std::optional<spi::ChipIdentity> chip{};  // not when gated
  std::optional<spi::StatusRegisters> status{};
};
Result<Info> collect_info(Device& device);
std::string info_text(const Info& i);
nlohmann::json info_json(const Info& i);

std::string ifwi_text(const am::flash::Ifwi& i, Bytes image);
nlohmann::json ifwi_json(const am::flash::Ifwi& i, Bytes image);

std::string difference_text(const ImageDifference& d);
nlohmann::json difference_json(const ImageDifference& d);

nlohmann::json job_json(const JobReport& r);
nlohmann::json error_json(const Error& e);

// Classic dump: offset, sixteen bytes, their characters.
std::string hex_dump(std::uint32_t offset, Bytes data);

}  // namespace hcq::flash
