// SPDX-License-Identifier: MIT
// Fuzzes the parser of firmware images: bytes as they are, and laid over the tables of a sound image with the sums put
// right, so that the fuzzer gets past them. Nothing may lie outside the image, and an image parsed twice is the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "drivers/am/abi/ifwi.h"
#include "drivers/am/flash/ifwi.h"
#include "models/am/synthetic_ifwi.h"

namespace {

void check(hcq::Bytes image) {
  const hcq::am::flash::Ifwi a = hcq::am::flash::parse_ifwi(image);
  for (const auto& r : a.regions)
    if (std::uint64_t{r.offset} + r.size > image.size()) std::abort();
  for (unsigned item = 0; item < 256; ++item) {
    const auto bytes = hcq::am::flash::ifwi_item(image, static_cast<std::uint8_t>(item));
    if (bytes.ok() && (bytes->data() < image.data() || bytes->data() + bytes->size() > image.data() + image.size()))
      std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace f = hcq::am::abi::ifwi;
  static const std::vector<std::byte> kWhole = hcq::models::am::synthetic_ifwi();
  const auto* first = reinterpret_cast<const std::byte*>(data);
  check({first, size});
  // Pieces of: place in the image (one of the tables), length, bytes.
  constexpr std::uint32_t kPlaces[] = {0x0,     0x1000,  0x2000,  0x3000,  0x12000,
                                       0x13000, 0x14000, 0x20000, 0xa0000, 0x140000};
  std::vector<std::byte> image = kWhole;
  for (std::size_t at = 0; at + 3 < size;) {
    const std::uint32_t place = kPlaces[data[at] % std::size(kPlaces)] + data[at + 1];
    const std::size_t n = std::min<std::size_t>(data[at + 2] % 33, size - at - 3);
    std::memcpy(image.data() + place, data + at + 3, n);
    at += 3 + n;
  }
  for (unsigned p = 0; p < 2; ++p) hcq::models::am::repair_ish(image, p);
  check(image);
  return 0;
}
