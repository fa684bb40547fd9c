// SPDX-License-Identifier: MIT
#include "base/bytes.h"

#include <fmt/format.h>

namespace hcq {

Error ByteReader::out_of_bounds(std::uint64_t offset, std::uint64_t length) const {
  return Error{.code = Errc::corrupt,
               .operation = "parse",
               .subject = subject_,
               .address = offset,
               .detail = fmt::format("needs {} bytes there, only {} bytes in all", length, data_.size())};
}

std::uint64_t fnv1a(Bytes data, std::uint64_t seed) {
  std::uint64_t h = seed;
  for (std::byte b : data) h = (h ^ static_cast<std::uint8_t>(b)) * 0x100000001b3ull;
  return h;
}

}  // namespace hcq
