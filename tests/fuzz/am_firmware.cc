// SPDX-License-Identifier: MIT
// Fuzzes the parsers of AMD firmware files. The first byte chooses the kind; size and checksum of the rest are put
// right, so that the fuzzer gets past them. Seeds: the vendor's files behind a byte 0 to 5.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "drivers/am/abi/firmware.h"
#include "drivers/am/firmware/container.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hcq;
  using Parse = Result<am::Container> (*)(Bytes, const std::string&);
  constexpr Parse kParsers[] = {am::parse_psp, am::parse_gfx, am::parse_sdma,
                                am::parse_imu, am::parse_rlc, am::parse_smu};
  if (size == 0) return 0;
  const Parse parse = kParsers[data[0] % std::size(kParsers)];
  const auto* first = reinterpret_cast<const std::byte*>(data + 1);
  std::vector<std::byte> file(first, first + (size - 1));
  (void)parse(file, "fuzz");
  namespace fw = am::abi::firmware;
  fw::CommonHeader h;
  if (file.size() < sizeof(h)) return 0;
  std::memcpy(&h, file.data(), sizeof(h));
  h.size_bytes = static_cast<std::uint32_t>(file.size());
  h.crc32 = am::crc32(Bytes(file).subspan(sizeof(h)));
  std::memcpy(file.data(), &h, sizeof(h));
  const auto c = parse(file, "fuzz");
  if (!c.ok()) return 0;
  for (const am::ContainerImage& i : c->images)
    if (i.data.empty() || i.data.data() < file.data() || i.data.data() + i.data.size() > file.data() + file.size())
      std::abort();
  return 0;
}
