// SPDX-License-Identifier: MIT
// The table with which a flash chip describes itself (JESD216). Trusts nothing in it.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/error.h"

namespace hcq::spi {

struct SfdpInfo {
  std::uint8_t major = 0, minor = 0;
  std::uint64_t size_bytes = 0;
  bool erase_4k = false;
  std::uint8_t erase_4k_instruction = 0;
};

// `data` is what the chip sent from address 0 on. Some controllers show the instruction's dummy byte first, so that the
// signature is looked for in the first eight bytes. Errc::corrupt when there is none or the table makes no sense.
Result<SfdpInfo> parse_sfdp(Bytes data, const std::string& subject);

}  // namespace hcq::spi
