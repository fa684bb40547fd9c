// SPDX-License-Identifier: MIT
// Fuzzes both ends of the USB bridge's protocol: the ASM24 model with transfers of any kind (first byte even), and the
// driver's parser of completions with any bytes (odd).
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "drivers/usb4/packets.h"
#include "models/usb4/asm24.h"
#include "tests/support/scratch_model.h"

namespace {

using namespace hcq::models::usb4;

struct Host final : UsbHost {
  void complete(TransferId, TransferStatus, hcq::Bytes, std::uint32_t) override {}
  void unplugged() override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  hcq::Bytes in = std::as_bytes(std::span(data + 1, size - 1));
  if (data[0] & 1) {
    (void)hcq::usb4::parse_completion(in);
    return 0;
  }
  Host host;
  Asm24 bridge(std::make_shared<hcq::models::test::ScratchModel>(), {.policy = hcq::models::Policy::silicon});
  bridge.attach(&host);
  bridge.control(1, {0x40, 0xf3, 1, 0, 0}, {});
  // A command: kind, setup of eight bytes, then the data of the transfer.
  for (TransferId id = 2; in.size() >= 9; ++id) {
    std::uint8_t s[9];
    std::memcpy(s, in.data(), 9);
    in = in.subspan(9);
    const Setup setup{s[1], s[2], static_cast<std::uint16_t>(s[3] | s[4] << 8),
                      static_cast<std::uint16_t>(s[5] | s[6] << 8), static_cast<std::uint16_t>(s[7] | s[8] << 8)};
    const hcq::Bytes payload = in.first(std::min<std::size_t>(setup.length, in.size()));
    switch (s[0] % 4) {
      case 0:
        bridge.control(id, setup, setup.to_host() ? hcq::Bytes{} : payload);
        if (!setup.to_host()) in = in.subspan(payload.size());
        break;
      case 1:
        bridge.bulk_out(id, s[1] & 3, 0, payload);
        in = in.subspan(payload.size());
        break;
      case 2:
        bridge.bulk_in(id, s[1] & 3, 0, setup.length);
        break;
      default:
        bridge.cancel(id - 1);
    }
  }
  bridge.attach(nullptr);
  return 0;
}
