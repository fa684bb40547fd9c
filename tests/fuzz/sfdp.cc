// SPDX-License-Identifier: MIT
// Fuzzes the parser of a flash chip's description of itself; the signature is put in front so that the fuzzer gets past
// it.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "drivers/spi/abi/nor.h"
#include "drivers/spi/sfdp.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* first = reinterpret_cast<const std::byte*>(data);
  (void)hcq::spi::parse_sfdp({first, size}, "fuzz");
  std::vector<std::byte> table(4);
  std::memcpy(table.data(), &hcq::spi::abi::kSfdpSignature, 4);
  table.insert(table.end(), first, first + size);
  const auto info = hcq::spi::parse_sfdp(table, "fuzz");
  if (info.ok() && (!hcq::is_pow2(info->size_bytes) || info->size_bytes < hcq::spi::abi::kSectorBytes)) std::abort();
  return 0;
}
