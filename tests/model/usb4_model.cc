// SPDX-License-Identifier: MIT
// What the ASM24 model refuses: one test for each rule, by transfers that the driver never makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/support/asm24_rig.h"

namespace hcq::usb4 {
namespace {

constexpr auto kShort = std::chrono::milliseconds(5);

class Usb4Model : public ::testing::Test {
 protected:
  Deadline soon() { return Deadline::in(std::chrono::seconds(2)); }
  bool saw(const char* rule) { return rig_.bridge->referee().saw(rule); }
  Status send(const Request& r) { return t_->control_out(r.setup, r.data, soon()); }

  test::Asm24Rig rig_;
  std::unique_ptr<Transport> t_ = rig_.transport();
  std::vector<std::byte> buffer_ = std::vector<std::byte>(4096);
};

TEST_F(Usb4Model, UnknownRequestsGetNoAnswerOrAnEmptyOne) {
  EXPECT_EQ(t_->control_in({0xc0, 0x77, 0, 0, 4}, MutableBytes(buffer_).first(4), Deadline::in(kShort)).error().code,
            Errc::timeout);
  EXPECT_TRUE(saw("usb4.unknown_request"));
  EXPECT_TRUE(t_->control_out({0x40, 0x77, 0, 0, 0}, {}, soon()).ok());
}

TEST_F(Usb4Model, XdataReadsAreClamped) {
  EXPECT_EQ(*t_->control_in(read_xdata_setup(0, 0, 600), MutableBytes(buffer_).first(600), soon()), 512u);
  EXPECT_TRUE(saw("usb4.xdata_read"));
}

TEST_F(Usb4Model, XdataWritesHaveNoData) {
  EXPECT_FALSE(t_->control_out({0x40, 0xe5, 0, 0, 1}, Bytes(buffer_).first(1), Deadline::in(kShort)).ok());
  EXPECT_TRUE(saw("usb4.xdata_write"));
}

TEST_F(Usb4Model, XdataKeepsWhatIsWritten) {
  ASSERT_TRUE(t_->control_out(write_xdata_setup(0xa800, 0, 0x5a), {}, soon()).ok());
  ASSERT_EQ(*t_->control_in(read_xdata_setup(0xa800, 0, 1), MutableBytes(buffer_).first(1), soon()), 1u);
  EXPECT_EQ(buffer_[0], std::byte{0x5a});
}

TEST_F(Usb4Model, PowerIsOnOrOff) {
  EXPECT_TRUE(t_->control_out({0x40, 0xf3, 2, 0, 0}, {}, soon()).ok());
  EXPECT_TRUE(saw("usb4.power"));
}

TEST_F(Usb4Model, ARequestHasTwelveBytes) {
  EXPECT_FALSE(t_->control_out({0x40, 0xf0, 0x0f05, 0, 8}, Bytes(buffer_).first(8), Deadline::in(kShort)).ok());
  EXPECT_TRUE(saw("usb4.request_length"));
}

TEST_F(Usb4Model, AddressesAreAlignedAndBytesAreChosen) {
  Request r = memory_read(0x1000'0000, 4);
  r.data[0] = std::byte{2};
  EXPECT_TRUE(send(r).ok());
  EXPECT_TRUE(saw("usb4.alignment"));
  r = memory_read(0x1000'0000, 4);
  r.setup.value &= 0xff;
  EXPECT_TRUE(send(r).ok());
  EXPECT_TRUE(saw("usb4.byte_enables"));
}

TEST_F(Usb4Model, ConfigurationTypeFollowsTheBus) {
  ASSERT_TRUE(t_->control_out(power_setup(true), {}, soon()).ok());
  Request r = config_read({1, 0, 0}, 0, 4);
  r.setup.value &= 0xfffe;
  EXPECT_TRUE(send(r).ok());
  EXPECT_TRUE(saw("usb4.config_type"));
}

TEST_F(Usb4Model, OtherTlpsAreUnknown) {
  ASSERT_TRUE(t_->control_out(power_setup(true), {}, soon()).ok());
  Request r = memory_read(0x1000'0000, 4);
  r.setup.value = 0x0f42;
  EXPECT_TRUE(send(r).ok());
  EXPECT_TRUE(saw("usb4.tlp_type"));
}

TEST_F(Usb4Model, NoCompletionWithoutARequest) {
  ASSERT_EQ(*t_->control_in(completion_setup(), MutableBytes(buffer_).first(8), soon()), 8u);
  EXPECT_EQ(buffer_[7], std::byte{0xff});
  EXPECT_TRUE(saw("usb4.no_completion"));
}

TEST_F(Usb4Model, ARequestCancelsAStream) {
  ASSERT_TRUE(send(stream_write(0x1000'0000, 16)).ok());
  EXPECT_TRUE(send(memory_read(0x1000'0000, 4)).ok());
  EXPECT_TRUE(saw("usb4.stream_cancelled"));
  EXPECT_EQ(*t_->bulk_out(kBulkOut, Bytes(buffer_).first(64), Deadline::in(kShort)), 0u);
}

TEST_F(Usb4Model, ReadingXdataDuringAStreamIsHarmless) {
  ASSERT_TRUE(send(stream_write(0x1000'0000, 16)).ok());
  EXPECT_TRUE(t_->control_in(read_xdata_setup(0xb450, 0, 1), MutableBytes(buffer_).first(1), soon()).ok());
  EXPECT_EQ(*t_->bulk_out(kBulkOut, Bytes(buffer_).first(64), soon()), 64u);
  EXPECT_TRUE(rig_.bridge->referee().violations().empty());
}

TEST_F(Usb4Model, AStreamOfNothingHangs) {
  EXPECT_TRUE(send(stream_write(0x1000'0000, 0)).ok());
  EXPECT_TRUE(saw("usb4.stream_empty"));
  EXPECT_EQ(*t_->bulk_out(kBulkOut, Bytes(buffer_).first(4), Deadline::in(kShort)), 0u);
}

TEST_F(Usb4Model, StreamsAreOfWholeDwords) {
  Request r = stream_write(0x1000'0000, 4);
  r.setup.value = 0x0160;
  EXPECT_TRUE(send(r).ok());
  EXPECT_TRUE(saw("usb4.stream_type"));
}

// An over-long packet kills the endpoint; clearing its halt revives it.
TEST_F(Usb4Model, TooMuchDataKillsTheEndpointUntilItIsReset) {
  ASSERT_TRUE(send(stream_write(0x1000'0000, 16)).ok());
  EXPECT_EQ(*t_->bulk_out(kBulkOut, Bytes(buffer_).first(68), Deadline::in(kShort)), 0u);
  EXPECT_TRUE(saw("usb4.bulk_out"));
  EXPECT_EQ(*t_->bulk_out(kBulkOut, Bytes(buffer_).first(64), Deadline::in(kShort)), 0u);
  ASSERT_TRUE(t_->reset_endpoints(soon()).ok());
  ASSERT_TRUE(send(stream_write(0x1000'0000, 16)).ok());
  EXPECT_EQ(*t_->bulk_out(kBulkOut, Bytes(buffer_).first(64), soon()), 64u);
}

TEST_F(Usb4Model, ReadsNeedAStreamAndRoomForItsPackets) {
  EXPECT_EQ(*t_->bulk_in(kBulkIn, buffer_, Deadline::in(kShort)), 0u);
  EXPECT_TRUE(saw("usb4.bulk_in"));
  ASSERT_TRUE(send(stream_read(0x1000'0000, 1024)).ok());
  EXPECT_EQ(t_->bulk_in(kBulkIn, MutableBytes(buffer_).first(1000), soon()).error().code, Errc::io);
  EXPECT_TRUE(saw("usb4.babble"));
}

TEST_F(Usb4Model, SramIsThirtyTwoSlots) {
  EXPECT_TRUE(t_->control_out(sram_write_setup(31, 2, 64), {}, soon()).ok());
  EXPECT_TRUE(saw("usb4.sram_range"));
  rig_.bridge->referee().clear();
  EXPECT_TRUE(t_->control_out(sram_write_setup(0, 1, 33), {}, soon()).ok());
  EXPECT_TRUE(saw("usb4.sram_range"));
}

TEST_F(Usb4Model, WithoutALinkNoCompletionComes) {
  ASSERT_TRUE(send(config_read({0, 0, 0}, 0, 4)).ok());
  ASSERT_EQ(*t_->control_in(completion_setup(), MutableBytes(buffer_).first(8), soon()), 8u);
  EXPECT_EQ(buffer_[7], std::byte{0xff});
}

// Bus numbers decide what a configuration request reaches.
TEST_F(Usb4Model, UnnumberedBusesAnswerUnsupportedRequest) {
  ASSERT_TRUE(t_->control_out(power_setup(true), {}, soon()).ok());
  ASSERT_TRUE(send(config_read({1, 0, 0}, 0, 4)).ok());
  ASSERT_EQ(*t_->control_in(completion_setup(), MutableBytes(buffer_).first(8), soon()), 8u);
  EXPECT_EQ(std::to_integer<unsigned>(buffer_[4]) >> 5, 1u);
  EXPECT_EQ(buffer_[7], std::byte{0});
  // On bus 0 every device number is the same bridge.
  ASSERT_TRUE(send(config_read({0, 31, 0}, 0, 4)).ok());
  ASSERT_EQ(*t_->control_in(completion_setup(), MutableBytes(buffer_).first(8), soon()), 8u);
  EXPECT_EQ(buffer_[4], std::byte{0});
}

}  // namespace
}  // namespace hcq::usb4
