// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/file.h"
#include "tools/flash/commands.h"

namespace hcq::flash {
namespace {

constexpr std::uint64_t kMostBytes = 64u << 20;

}  // namespace

Result<int> ifwi(const Common& c, const std::string& image) {
  const auto bytes = HCQ_TRY(read_file(image, kMostBytes));
  const am::flash::Ifwi i = am::flash::parse_ifwi(bytes);
  HCQ_TRY(c.json ? print(ifwi_json(i, bytes)) : print(ifwi_text(i, bytes)));
  return i.findings.empty() ? kOk : kFailed;
}

Result<int> diff(const Common& c, const std::string& a, const std::string& b, bool after_update) {
  const auto first = HCQ_TRY(read_file(a, kMostBytes)), second = HCQ_TRY(read_file(b, kMostBytes));
  if (first.size() != second.size())
    return Error{.code = Errc::unsupported,
                 .operation = "flash/diff",
                 .subject = b,
                 .expected = first.size(),
                 .actual = second.size(),
                 .detail = "the images have different sizes"};
  const ImageDifference d = compare_images(first, second, after_update);
  HCQ_TRY(c.json ? print(difference_json(d)) : print(difference_text(d)));
  return d.regions.empty() || (after_update && d.only_expected()) ? kOk : kFailed;
}

}  // namespace hcq::flash
