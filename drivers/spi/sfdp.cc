// SPDX-License-Identifier: MIT
#include "drivers/spi/sfdp.h"

#include <fmt/format.h>

#include <algorithm>

#include "drivers/spi/abi/nor.h"

namespace hcq::spi {
namespace {

Error broken(const std::string& subject, std::string detail) {
  return Error{.code = Errc::corrupt, .operation = "parse SFDP", .subject = subject, .detail = std::move(detail)};
}

Result<Bytes> from_signature(Bytes data, const std::string& subject) {
  const ByteReader in(data, subject);
  for (std::size_t at = 0; at < 8; ++at) {
    const auto word = in.get<std::uint32_t>(at);
    if (word.ok() && *word == abi::kSfdpSignature) return data.subspan(at);
  }
  return broken(subject, "the chip sent no SFDP signature");
}

}  // namespace

Result<SfdpInfo> parse_sfdp(Bytes data, const std::string& subject) {
  const ByteReader in(HCQ_TRY(from_signature(data, subject)), subject);
  const auto header = HCQ_TRY(in.get<abi::SfdpHeader>(0));
  for (unsigned i = 0; i <= header.last_table; ++i) {
    const auto t = HCQ_TRY(in.get<abi::SfdpTableHeader>(sizeof header + i * sizeof(abi::SfdpTableHeader)));
    if ((t.id_high << 8 | t.id_low) != abi::kBasicTable) continue;
    if (t.dwords * 4u < sizeof(abi::SfdpBasicTable))
      return broken(subject, fmt::format("its basic table has {} dwords, 9 are the least", t.dwords));
    const std::uint32_t pointer = t.pointer[0] | t.pointer[1] << 8 | t.pointer[2] << 16;
    const auto basic = HCQ_TRY(in.get<abi::SfdpBasicTable>(pointer));
    SfdpInfo info{.major = header.major, .minor = header.minor};
    if (basic.density & abi::kDensityIsExponent) {
      const std::uint32_t log2_bits = basic.density & ~abi::kDensityIsExponent;
      if (log2_bits < 32 || log2_bits > 38) return broken(subject, fmt::format("its size is 2^{} bits", log2_bits));
      info.size_bytes = std::uint64_t{1} << (log2_bits - 3);
    } else {
      info.size_bytes = (std::uint64_t{basic.density} + 1) / 8;
    }
    if (!is_pow2(info.size_bytes) || info.size_bytes < abi::kSectorBytes)
      return broken(subject, fmt::format("its size is {} bytes", info.size_bytes));
    info.erase_4k = (basic.erase_and_writes & 3) == 1;
    info.erase_4k_instruction = basic.erase_4k;
    return info;
  }
  return broken(subject, "it has no basic table");
}

}  // namespace hcq::spi
