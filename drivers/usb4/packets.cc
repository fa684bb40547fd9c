// SPDX-License-Identifier: MIT
#include "drivers/usb4/packets.h"

#include <cstring>

namespace hcq::usb4 {
namespace {

constexpr std::uint8_t kVendorOut = 0x40, kVendorIn = 0xc0;
constexpr std::uint8_t kReadXdata = 0xe4, kWriteXdata = 0xe5, kPcie = 0xf0, kSram = 0xf2, kPower = 0xf3;
constexpr std::uint8_t kConfigRead0 = 0x04, kConfigWrite0 = 0x44, kMemoryRead64 = 0x20, kMemoryWrite64 = 0x60;
constexpr unsigned kRequestBytes = 12, kCompletionBytes = 8;

Request request(std::uint8_t type, std::uint8_t enables, Mode mode, std::uint64_t address, std::uint32_t value) {
  Request r;
  r.setup = {kVendorOut, kPcie, static_cast<std::uint16_t>(type | enables << 8), static_cast<std::uint16_t>(mode),
             kRequestBytes};
  std::memcpy(r.data.data(), &address, 8);
  std::memcpy(r.data.data() + 8, &value, 4);
  return r;
}

// One request of 1 to 4 bytes: the address goes out dword aligned, the bytes are chosen by enables and lane.
Request single(std::uint8_t type, std::uint64_t address, unsigned size, std::uint32_t value) {
  const unsigned lane = address & 3;
  const auto enables = static_cast<std::uint8_t>(((1u << size) - 1) << lane);
  return request(type, enables, Mode::single, address & ~std::uint64_t{3}, value << (8 * lane));
}

Request config(std::uint8_t type0, Bdf f, std::uint16_t offset, unsigned size, std::uint32_t value) {
  const std::uint64_t address =
      std::uint64_t{f.bus} << 24 | std::uint64_t{f.device} << 19 | std::uint64_t{f.function} << 16 | (offset & 0xfffu);
  return single(static_cast<std::uint8_t>(f.bus == 0 ? type0 : type0 | 1), address, size, value);
}

}  // namespace

Request config_read(Bdf f, std::uint16_t offset, unsigned size) { return config(kConfigRead0, f, offset, size, 0); }
Request config_write(Bdf f, std::uint16_t offset, unsigned size, std::uint32_t value) {
  return config(kConfigWrite0, f, offset, size, value);
}
Request memory_read(std::uint64_t address, unsigned size) { return single(kMemoryRead64, address, size, 0); }
Request memory_write(std::uint64_t address, unsigned size, std::uint32_t value) {
  return single(kMemoryWrite64, address, size, value);
}
Request stream_write(std::uint64_t address, std::uint32_t dwords) {
  return request(kMemoryWrite64, 0xf, Mode::stream_write, address, dwords);
}
Request stream_read(std::uint64_t address, std::uint32_t dwords) {
  return request(kMemoryRead64, 0xf, Mode::stream_read, address, dwords);
}

Setup completion_setup() { return {kVendorIn, kPcie, 0, 0, kCompletionBytes}; }
Setup read_xdata_setup(std::uint16_t address, std::uint8_t bank, std::uint16_t length) {
  return {kVendorIn, kReadXdata, address, static_cast<std::uint16_t>(bank << 8), length};
}
Setup write_xdata_setup(std::uint16_t address, std::uint8_t bank, std::uint8_t value) {
  return {kVendorOut, kWriteXdata, address, static_cast<std::uint16_t>(bank << 8 | value), 0};
}
Setup sram_write_setup(unsigned first_slot, unsigned slots, unsigned sectors) {
  return {kVendorOut, kSram, static_cast<std::uint16_t>(sectors), static_cast<std::uint16_t>(slots << 8 | first_slot),
          0};
}
Setup power_setup(bool on) { return {kVendorOut, kPower, static_cast<std::uint16_t>(on), 0, 0}; }

Result<Completion> parse_completion(Bytes raw) {
  if (raw.size() != kCompletionBytes)
    return Error{.code = Errc::corrupt,
                 .operation = "usb4/completion",
                 .subject = "length",
                 .expected = kCompletionBytes,
                 .actual = raw.size(),
                 .detail = "the bridge's answer has the wrong length"};
  const auto at = [&](unsigned i) { return std::to_integer<unsigned>(raw[i]); };
  Completion c;
  std::memcpy(&c.data, raw.data(), 4);
  c.status = static_cast<std::uint8_t>(at(4) >> 5);
  c.byte_count = static_cast<std::uint16_t>((at(4) & 0xf) << 8 | at(5));
  c.has_data = at(6) & 1;
  c.engine = static_cast<std::uint8_t>(at(7));
  return c;
}

}  // namespace hcq::usb4
