// SPDX-License-Identifier: MIT
// The encodings against vectors that were computed independently of the driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "drivers/usb4/packets.h"

namespace hcq::usb4 {
namespace {

std::array<std::uint8_t, 8> wire(const Setup& s) {
  return {s.request_type,
          s.request,
          static_cast<std::uint8_t>(s.value),
          static_cast<std::uint8_t>(s.value >> 8),
          static_cast<std::uint8_t>(s.index),
          static_cast<std::uint8_t>(s.index >> 8),
          static_cast<std::uint8_t>(s.length),
          static_cast<std::uint8_t>(s.length >> 8)};
}

void expect(const Request& r, std::array<std::uint8_t, 8> setup, std::array<std::uint8_t, 12> data) {
  EXPECT_EQ(wire(r.setup), setup);
  for (unsigned i = 0; i < 12; ++i) EXPECT_EQ(std::to_integer<unsigned>(r.data[i]), data[i]) << "byte " << i;
}

TEST(Usb4Packets, ConfigurationRequests) {
  expect(config_read({4, 0, 0}, 0, 4), {0x40, 0xf0, 0x05, 0x0f, 0, 0, 0x0c, 0}, {0, 0, 0, 4});
  expect(config_write({4, 0, 0}, 4, 1, 7), {0x40, 0xf0, 0x45, 0x01, 0, 0, 0x0c, 0}, {4, 0, 0, 4, 0, 0, 0, 0, 7});
  expect(config_write({2, 0, 0}, 0x22, 2, 0xffff), {0x40, 0xf0, 0x45, 0x0c, 0, 0, 0x0c, 0},
         {0x20, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0xff, 0xff});
  expect(config_read({0, 0, 0}, 0x0e, 1), {0x40, 0xf0, 0x04, 0x04, 0, 0, 0x0c, 0}, {0x0c});
}

TEST(Usb4Packets, Streams) {
  expect(stream_write(0x8'0000'1000, 64), {0x40, 0xf0, 0x60, 0x0f, 0x01, 0, 0x0c, 0},
         {0, 0x10, 0, 0, 8, 0, 0, 0, 0x40, 0, 0, 0});
  EXPECT_EQ(stream_read(0x8'0000'1000, 64).setup.index, 2);
}

TEST(Usb4Packets, OtherRequests) {
  using Wire = std::array<std::uint8_t, 8>;
  EXPECT_EQ(wire(completion_setup()), (Wire{0xc0, 0xf0, 0, 0, 0, 0, 8, 0}));
  EXPECT_EQ(wire(read_xdata_setup(0xb450, 0, 1)), (Wire{0xc0, 0xe4, 0x50, 0xb4, 0, 0, 1, 0}));
  EXPECT_EQ(wire(write_xdata_setup(0xa800, 0, 0)), (Wire{0x40, 0xe5, 0x00, 0xa8, 0, 0, 0, 0}));
  EXPECT_EQ(wire(sram_write_setup(16, 16, 512)), (Wire{0x40, 0xf2, 0x00, 0x02, 0x10, 0x10, 0, 0}));
  EXPECT_EQ(wire(power_setup(true)), (Wire{0x40, 0xf3, 1, 0, 0, 0, 0, 0}));
}

TEST(Usb4Packets, CompletionFieldsComeApart) {
  const std::array<std::uint8_t, 8> raw{0x78, 0x56, 0x34, 0x12, 0x2f, 0x04, 0x01, 0x00};
  const auto c = parse_completion(std::as_bytes(std::span(raw)));
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->data, 0x12345678u);
  EXPECT_EQ(c->status, 1);
  EXPECT_EQ(c->byte_count, 0xf04);
  EXPECT_TRUE(c->has_data);
  EXPECT_EQ(c->engine, 0);
}

TEST(Usb4Packets, CompletionOfAnotherLengthIsCorrupt) {
  const std::array<std::byte, 9> raw{};
  for (const std::size_t n : {0, 1, 7, 9})
    EXPECT_EQ(parse_completion(Bytes(raw).first(n)).error().code, Errc::corrupt) << n;
}

}  // namespace
}  // namespace hcq::usb4
