// SPDX-License-Identifier: MIT
// The bridge driver on the ASM24 model: what it opens, what it says when that fails, and that every call ends when the
// device goes away. No test here may break a rule of the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "devices/devices.h"
#include "drivers/usb4/topology.h"
#include "tests/support/asm24_rig.h"

namespace hcq::usb4 {
namespace {

using models::usb4::TransferStatus;
using test::Asm24Rig;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::byte> pattern(std::size_t n) {
  std::vector<std::byte> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<std::byte>(i * 31 + (i >> 8));
  return v;
}

TEST(Usb4Function, FindsTheDeviceBehindFourBridges) {
  Asm24Rig rig;
  auto f = rig.open();
  ASSERT_TRUE(f.ok()) << describe(f.error());
  EXPECT_EQ((*f)->identity().vendor, 0x1002);
  EXPECT_EQ((*f)->identity().device, 0x744c);
  EXPECT_EQ(*(*f)->irq(), nullptr);
  EXPECT_EQ((*f)->alloc_dma(4096, {}).error().code, Errc::unsupported);
  f->reset();
  EXPECT_THAT(rig.bridge->referee().violations(), IsEmpty());
}

TEST(Usb4Function, BarsAreAlignedToTheirSizeAndInTheWindows) {
  Asm24Rig rig;
  auto f = rig.open();
  ASSERT_TRUE(f.ok()) << describe(f.error());
  for (const unsigned i : {0u, 2u, 5u}) {
    ASSERT_NE((*f)->bar_size(i), 0u);
    EXPECT_EQ((*f)->bar_address(i) % (*f)->bar_size(i), 0u) << i;
  }
  EXPECT_GE((*f)->bar_address(0), kWindow64);
  EXPECT_GE((*f)->bar_address(5), kWindow32);
  EXPECT_LT((*f)->bar_address(5), kWindow32End);
}

TEST(Usb4Function, ResizesToAllOfVram) {
  Asm24Rig rig({}, true);
  auto f = rig.open();
  ASSERT_TRUE(f.ok()) << describe(f.error());
  EXPECT_EQ((*f)->bar_size(0), 256u << 20);
  const auto size = (*f)->resize_bar(0);
  ASSERT_TRUE(size.ok()) << describe(size.error());
  EXPECT_EQ(*size, 512u << 20);
  const pci::Mmio vram = *(*f)->map_bar(0, pci::Caching::uncached);
  vram.write32(300u << 20, 0x1234);
  EXPECT_EQ(vram.read32(300u << 20), 0x1234u);
  EXPECT_EQ(rig.device->read(0, 300u << 20, 4), 0x1234u);
  EXPECT_THAT(rig.bridge->referee().violations(), IsEmpty());
}

// Sizes round every piece that is cut: dwords, packets, pieces of a stream.
TEST(Usb4Function, BlocksOfAllSizesArrive) {
  Asm24Rig rig;
  auto f = rig.open();
  ASSERT_TRUE(f.ok()) << describe(f.error());
  const pci::Mmio vram = *(*f)->map_bar(0, pci::Caching::uncached);
  for (const std::size_t n :
       {1u, 3u, 4u, 12u, 16u, 20u, 1020u, 1024u, 1028u, 65532u, 65536u, 65540u, 65537u, 200'000u}) {
    for (const std::uint64_t at : {0x1000u, 0x1001u, 0xfffcu}) {
      const auto out = pattern(n);
      std::vector<std::byte> in(n), model(n);
      vram.write_block(at, out);
      rig.device->read_block(0, at, model);
      ASSERT_EQ(model, out) << n << " at " << at;
      vram.read_block(at, in);
      ASSERT_EQ(in, out) << n << " at " << at;
    }
  }
  EXPECT_THAT(rig.bridge->referee().violations(), IsEmpty());
}

TEST(Usb4Function, UndecodedMemoryReadsAllOnesAlsoInBlocks) {
  Asm24Rig rig;
  auto f = rig.open();
  ASSERT_TRUE(f.ok()) << describe(f.error());
  const pci::Mmio vram = *(*f)->map_bar(0, pci::Caching::uncached);
  ASSERT_TRUE((*f)->config_write(pci::kCommand, 2, 0).ok());
  EXPECT_EQ(vram.read32(0), 0xffffffffu);
  std::vector<std::byte> in(256);
  vram.read_block(0, in);
  EXPECT_EQ(in, std::vector<std::byte>(256, std::byte{0xff}));
}

TEST(Usb4Function, ADeviceThatIsNotReadyIsAskedAgain) {
  Asm24Rig rig({.retries_after_power = 20});
  const auto f = rig.open();
  EXPECT_TRUE(f.ok()) << describe(f.error());
}

TEST(Usb4Function, NoLinkIsSaidAsSuch) {
  Asm24Rig rig({.card_present = false});
  const auto f = rig.open();
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::timeout);
  EXPECT_THAT(describe(f.error()), HasSubstr("no PCIe link"));
  EXPECT_THAT(describe(f.error()), HasSubstr("power supply"));
}

TEST(Usb4Function, OtherFirmwareIsRefusedByName) {
  Asm24Rig loader({.product = "AS2462"});
  EXPECT_THAT(describe(loader.open().error()), HasSubstr("boot loader"));
  Asm24Rig stock({.product = "ASM246X"});
  const auto f = stock.open();
  EXPECT_EQ(f.error().code, Errc::unsupported);
  EXPECT_THAT(describe(f.error()), HasSubstr("ASM246X"));
}

// Bytes that moved before a time-out count: the rest is asked for, and nothing twice.
TEST(Usb4Function, APartialTransferGoesOnWhereItStopped) {
  Asm24Rig rig;
  auto b = Bridge::open("usb", rig.transport());
  ASSERT_TRUE(b.ok() && (*b)->bring_up_link(Deadline::in(std::chrono::seconds(1))).ok());
  const auto out = pattern(4096);
  const std::uint64_t before = rig.bridge->transfers();
  rig.bridge->faults().short_at = before + 1;
  const Status w = (*b)->sram_write(0, out);
  ASSERT_TRUE(w.ok()) << describe(w.error());
  EXPECT_EQ(rig.bridge->transfers(), before + 3) << "the request, the first half, the second half";
  for (std::uint16_t i = 0; i < 4096; i += 257)
    ASSERT_EQ(*(*b)->read_xdata(static_cast<std::uint16_t>(0xf000 + i)), std::to_integer<unsigned>(out[i])) << i;
  EXPECT_THAT(rig.bridge->referee().violations(), IsEmpty());
}

// Nothing moves at all: the wait ends, the endpoints are reset, and the next transfer works.
TEST(Usb4Function, ATransferThatNeverEndsIsATimeout) {
  Asm24Rig rig;
  auto b = Bridge::open("usb", rig.transport());
  ASSERT_TRUE(b.ok());
  const auto out = pattern(4096);
  rig.bridge->faults().silent_at = rig.bridge->transfers() + 1;
  const Status s = (*b)->sram_write(0, out);
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, Errc::timeout);
  EXPECT_EQ(s.error().operation, "usb4/sram_write");
  EXPECT_TRUE((*b)->sram_write(0, out).ok());
}

TEST(Usb4Function, AFailedTransferIsAnErrorWithItsOperation) {
  Asm24Rig rig;
  auto b = Bridge::open("usb:0", rig.transport());
  ASSERT_TRUE(b.ok());
  rig.bridge->faults().fail_at = rig.bridge->transfers();
  const auto v = (*b)->read_xdata(kLinkState);
  ASSERT_FALSE(v.ok());
  EXPECT_EQ(v.error().code, Errc::io);
  EXPECT_EQ(v.error().operation, "usb4/read_xdata");
  EXPECT_EQ((*b)->counters().errors, 1u);
  EXPECT_TRUE((*b)->read_xdata(kLinkState).ok());
}

TEST(Usb4Function, ConfigurationRequestsAreRepeatedAndMemoryWritesAreNot) {
  Asm24Rig rig;
  auto b = Bridge::open("usb:0", rig.transport());
  ASSERT_TRUE(b.ok() && (*b)->bring_up_link(Deadline::in(std::chrono::seconds(1))).ok());
  for (const std::uint64_t part : {0u, 1u}) {  // the request, its completion
    rig.bridge->faults().fail_at = rig.bridge->transfers() + part;
    const auto id = (*b)->config_read({0, 0, 0}, 0, 4);
    ASSERT_TRUE(id.ok()) << describe(id.error());
    EXPECT_EQ((*b)->counters().retries, part + 1);
  }
  const std::uint64_t before = rig.bridge->transfers();
  rig.bridge->faults().fail_at = before;
  EXPECT_EQ((*b)->memory_write(kWindow32, 4, 1).error().code, Errc::io);
  EXPECT_EQ(rig.bridge->transfers(), before + 1);
}

TEST(Usb4Function, SramWritesAreCheckedBeforeTheyAreSent) {
  Asm24Rig rig;
  auto b = Bridge::open("usb:0", rig.transport());
  ASSERT_TRUE(b.ok());
  const auto data = pattern(kSramBytes + kSectorBytes);
  const std::uint64_t before = rig.bridge->transfers();
  EXPECT_EQ((*b)->sram_write(0, data).error().code, Errc::invalid_argument);
  EXPECT_EQ((*b)->sram_write(512, Bytes(data).first(512)).error().code, Errc::invalid_argument);
  EXPECT_EQ((*b)->sram_write(0, Bytes(data).first(100)).error().code, Errc::invalid_argument);
  EXPECT_EQ((*b)->sram_write(0, {}).error().code, Errc::invalid_argument);
  EXPECT_EQ(rig.bridge->transfers(), before);
  ASSERT_TRUE((*b)->sram_write(kSlotBytes * 16, Bytes(data).first(kSramBytes / 2)).ok());
  EXPECT_THAT(rig.bridge->referee().violations(), IsEmpty());
}

TEST(Usb4Function, TheModelHasAnAddress) {
  auto f = devices::open_function("model:asm24+navi31?vram=128M");
  ASSERT_TRUE(f.ok()) << describe(f.error());
  EXPECT_EQ((*f)->name(), "model:asm24+navi31?vram=128M");
  EXPECT_EQ((*f)->identity().device, 0x744c);
  EXPECT_EQ(devices::open_function("model:asm24+none").error().code, Errc::not_found);
}

// The GPU driver keeps its rings in host memory, which a bridge does not have: it says so and leaves the device.
TEST(Usb4Function, TheGpuDriverRefusesABridge) {
  const auto d = devices::open("model:asm24+navi31?vram=128M");
  ASSERT_FALSE(d.ok());
  EXPECT_EQ(d.error().code, Errc::unsupported) << describe(d.error());
  EXPECT_THAT(describe(d.error()), HasSubstr("USB bridge"));
}

// Opens, reads and writes, resets: what a sweep repeats. Nothing may be reported lost unless it was.
Status session(Asm24Rig& rig) {
  auto f = HCQ_TRY(rig.open());
  const pci::Mmio vram = HCQ_TRY(f->map_bar(0, pci::Caching::uncached));
  const auto out = pattern(8000);
  std::vector<std::byte> in(out.size());
  vram.write_block(0, out);
  vram.write32(0x10000, 5);
  vram.read_block(0, in);
  const std::uint32_t back = vram.read32(0x10000);
  HCQ_TRY(pci::set_bus_master(*f, true));
  HCQ_TRY(f->reset());
  if (in != out || back != 5) return Error{.code = Errc::corrupt, .detail = "other bytes came back"};
  return {};
}

TEST(Usb4Function, UnplugAtEveryTransferEndsAndTheNextSessionWorks) {
  Asm24Rig rig;
  ASSERT_TRUE(session(rig).ok());
  const std::uint64_t transfers = rig.bridge->transfers();
  ASSERT_GT(transfers, 100u);
  // The last transfers are those of closing, where there is nobody to tell.
  for (std::uint64_t n = 0; n < transfers; ++n) {
    rig.bridge->replug();
    rig.bridge->faults().unplug_at = n;
    const Status s = session(rig);
    if (!s.ok()) {
      ASSERT_EQ(s.error().code, Errc::device_lost) << n << ": " << describe(s.error());
      ASSERT_EQ(describe(s.error()).find('\n'), std::string::npos);
    } else {
      ASSERT_GE(n + 4, transfers) << "a loss at transfer " << n << " was not noticed";
    }
    rig.bridge->replug();
    const Status again = session(rig);
    ASSERT_TRUE(again.ok()) << n << ": " << describe(again.error());
  }
  EXPECT_THAT(rig.bridge->referee().violations(), IsEmpty());
}

TEST(Usb4Function, AfterTheLossNoTransferIsTried) {
  Asm24Rig rig;
  auto f = rig.open();
  ASSERT_TRUE(f.ok());
  const pci::Mmio vram = *(*f)->map_bar(0, pci::Caching::uncached);
  rig.bridge->faults().unplug_at = rig.bridge->transfers();
  EXPECT_EQ(vram.read32(0), 0xffffffffu);
  const std::uint64_t before = rig.bridge->transfers();
  EXPECT_EQ(vram.read64(8), ~0ull);
  EXPECT_EQ((*f)->config_read(0, 4).error().code, Errc::device_lost);
  EXPECT_EQ(rig.bridge->transfers(), before);
}

}  // namespace
}  // namespace hcq::usb4
