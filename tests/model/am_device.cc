// SPDX-License-Identifier: MIT
// The AMD device on the model: kernels with local and private memory, staging, rings that wrap, memory that ends, and
// the promise that launching neither allocates nor throws.
#include <random>
#include <thread>

#include "am_device_rig.h"
#include "tests/support/allocation_count.h"
#include "tests/support/amd_object.h"

namespace hcq::am {
namespace {

using test::compile_amd;

constexpr unsigned kBlock = 64;

class AmDeviceTest : public DeviceRig {};

TEST_F(AmDeviceTest, InfoTellsWhatIsThere) {
  open();
  const DeviceInfo& i = device_->info();
  EXPECT_EQ(i.family, "am");
  EXPECT_EQ(i.arch, "gfx1100");
  EXPECT_EQ(i.chip, "Navi31");
  EXPECT_EQ(i.compute_units, 96u);
  EXPECT_EQ(i.timestamp_mhz, 100);
  EXPECT_GT(i.memory_bytes, 100ull << 20);
  EXPECT_FALSE(i.firmware.empty());
  EXPECT_GT(i.boot.size(), 10u);
}

TEST_F(AmDeviceTest, StoreKernel) {
  open();
  auto p = program(compile_amd(test::store_kernel(kBlock)));
  auto out = buffer(4 * kBlock * 10);
  const auto args = Args{}.add(out->address()).add(std::uint32_t{100});
  HCQ_OK(compute_->exec(*p, args.bytes, {.x = 10}, {.x = kBlock}));
  finish(*compute_);
  for (unsigned i = 0; i < 10 * kBlock; ++i) ASSERT_EQ(word(*out, i), 100 + i);
}

// Uploads, page tables and kernel arguments arrive although the blocks lie where no board known has them.
TEST_F(AmDeviceTest, RegistersAreWhereTheDiscoveryTableSays) {
  models::Options o;
  o.extra.emplace_back("discovery", "moved_blocks");
  power_on(o);
  open();
  auto p = program(compile_amd(test::table_kernel(kBlock)));
  auto out = buffer(4 * kBlock, MemoryKind::device);
  HCQ_OK(compute_->exec(*p, Args{}.add(out->address()).bytes, {}, {.x = kBlock}));
  finish(*compute_);
  std::vector<std::uint32_t> got(kBlock);
  HCQ_OK(device_->download(*out, 0, std::as_writable_bytes(std::span(got))));
  for (unsigned i = 0; i < kBlock; ++i) ASSERT_EQ(got[i], 0x11111111u * (i % 8 + 1));
  HCQ_OK(device_->close());
}

TEST_F(AmDeviceTest, ConstantTable) {
  open();
  auto p = program(compile_amd(test::table_kernel(kBlock)));
  auto out = buffer(4 * kBlock);
  HCQ_OK(compute_->exec(*p, Args{}.add(out->address()).bytes, {}, {.x = kBlock}));
  finish(*compute_);
  for (unsigned i = 0; i < kBlock; ++i) ASSERT_EQ(word(*out, i), 0x11111111u * (i % 8 + 1));
}

TEST_F(AmDeviceTest, LocalMemory) {
  open();
  for (const unsigned level : {0u, 2u}) {
    auto p = program(compile_amd(test::local_kernel(128), "gfx1100", level));
    EXPECT_EQ(p->lds_bytes(), 512u);
    auto out = buffer(4 * 128 * 4);
    HCQ_OK(compute_->exec(*p, Args{}.add(out->address()).bytes, {.x = 4}, {.x = 128}));
    finish(*compute_);
    for (unsigned i = 0; i < 4 * 128; ++i) ASSERT_EQ(word(*out, i), i / 128 * 128 + 127 - i % 128) << level;
  }
}

TEST_F(AmDeviceTest, PrivateMemory) {
  open();
  for (const unsigned level : {0u, 2u}) {
    auto p = program(compile_amd(test::scratch_kernel(kBlock), "gfx1100", level));
    auto out = buffer(4 * kBlock * 8);
    HCQ_OK(compute_->exec(*p, Args{}.add(out->address()).add(std::uint32_t{1000}).bytes, {.x = 8}, {.x = kBlock}));
    finish(*compute_);
    for (unsigned i = 0; i < 8 * kBlock; ++i) ASSERT_EQ(word(*out, i), i % 64 * 1000 + i) << level;
  }
}

TEST_F(AmDeviceTest, UploadLeavesAnOpenRecordingAlone) {
  open();
  auto a = buffer(4096, MemoryKind::device), b = buffer(4096), c = buffer(4096);
  std::vector<std::byte> data(4096, std::byte{0x5a});
  std::memset(b->host(), 0x11, 4096);
  HCQ_OK(copy_->copy(c->address(), b->address(), 4096));  // recorded, not submitted
  HCQ_OK(device_->upload(*a, 0, data));
  EXPECT_EQ(word(*c, 0), 0u);
  std::vector<std::byte> back(4096);
  HCQ_OK(device_->download(*a, 0, back));
  EXPECT_EQ(back, data);
  EXPECT_EQ(word(*c, 0), 0u);
  finish(*copy_);
  EXPECT_EQ(word(*c, 0), 0x11111111u);
}

TEST_F(AmDeviceTest, LongUploadAndDownload) {
  open();
  constexpr std::uint64_t n = (9ull << 20) + 12345;
  auto b = buffer(n, MemoryKind::device);
  std::vector<std::byte> data(n), back(n);
  std::mt19937 random(3);
  for (std::uint64_t i = 0; i < n; i += 7) data[i] = static_cast<std::byte>(random());
  HCQ_OK(device_->upload(*b, 0, data));
  HCQ_OK(device_->download(*b, 0, back));
  EXPECT_TRUE(back == data);
}

// Ten times round a small ring in submissions of odd sizes, one of which fills it exactly as far as it may be filled.
TEST_F(AmDeviceTest, RingsWrap) {
  DeviceOptions o;
  o.ring_bytes = 4096;
  o.kernarg_bytes = 65536;
  open(o);
  auto p = program(compile_amd(test::store_kernel(kBlock)));
  auto out = buffer(4 * kBlock), copied = buffer(64);
  std::mt19937 random(5);
  std::uint32_t last = 0;
  for (unsigned dwords = 0; dwords < 10 * 1024;) {
    const unsigned n = 1 + random() % 9;
    for (unsigned i = 0; i < n; ++i) {
      last = static_cast<std::uint32_t>(random());
      HCQ_OK(compute_->exec(*p, Args{}.add(out->address()).add(last).bytes, {}, {.x = kBlock}));
      dwords += 60;
    }
    HCQ_OK(compute_->submit());
    HCQ_OK(copy_->copy(copied->address() + 4, out->address() + 4, 4));
    if (n % 3 == 0) HCQ_OK(copy_->copy(copied->address(), out->address(), 4));
    HCQ_OK(copy_->submit());
  }
  // 1024 dwords less the slack of 64, the prologue of 15 and the step of the timeline of 8.
  constexpr unsigned kWrites = (1024 - 64 - 15 - 8) / 5;
  HCQ_OK(device_->synchronize());
  for (unsigned i = 0; i < kWrites; ++i) HCQ_OK(compute_->write(out->address(), i));
  const auto full = compute_->submit();
  if (full.ok()) {
    HCQ_OK(device_->synchronize());
    EXPECT_EQ(word(*out, 0), kWrites - 1);
  } else {  // the padding at the ring's end may have taken the room
    EXPECT_EQ(full.error().code, Errc::no_memory);
  }
  for (unsigned i = 0; i < 2 * kWrites; ++i) (void)compute_->write(out->address(), 7);
  const auto too_much = compute_->submit();
  ASSERT_FALSE(too_much.ok());
  EXPECT_EQ(too_much.error().code, Errc::no_memory) << describe(too_much.error());
  HCQ_OK(compute_->write(out->address(), 8));
  finish(*compute_);
  EXPECT_EQ(word(*out, 0), 8u);
  EXPECT_EQ(word(*copied, 1), last + 1);
}

TEST_F(AmDeviceTest, LaunchingDoesNotAllocate) {
  open();
  auto p = program(compile_amd(test::store_kernel(kBlock)));
  auto out = buffer(4 * kBlock);
  auto signal = *device_->create_signal(0);
  const auto args = Args{}.add(out->address()).add(std::uint32_t{1});
  const auto round = [&](std::uint64_t value) {
    bool ok = compute_->wait(*signal, 0).ok();
    ok = compute_->barrier().ok() && ok;
    ok = compute_->exec(*p, args.bytes, {}, {.x = kBlock}).ok() && ok;
    ok = compute_->timestamp(*signal).ok() && ok;
    ok = compute_->signal(*signal, value).ok() && ok;
    ok = compute_->submit().ok() && ok;
    ok = copy_->barrier().ok() && ok;
    ok = copy_->copy(out->address() + 128, out->address(), 4).ok() && ok;
    return copy_->submit().ok() && ok;
  };
  ASSERT_TRUE(round(1));
  bool ok = true;
  const test::AllocationCount allocations;
  for (std::uint64_t i = 2; i < 400; ++i) ok = round(i) && ok;
  EXPECT_EQ(allocations.so_far(), 0u);
  EXPECT_TRUE(ok);
  HCQ_OK(device_->synchronize());
  EXPECT_EQ(signal->value(), 399u);
}

TEST_F(AmDeviceTest, OutOfMemoryHasNumbers) {
  open();
  const std::uint64_t n = device_->info().memory_bytes / 4;
  std::vector<BufferRef> held;
  for (int i = 0; i < 8; ++i) {
    auto b = device_->alloc(n, MemoryKind::device);
    if (!b.ok()) {
      EXPECT_EQ(b.error().code, Errc::no_memory);
      EXPECT_NE(describe(b.error()).find(std::to_string(n)), std::string::npos) << describe(b.error());
      EXPECT_GE(i, 3);
      held.clear();
      auto again = device_->alloc(n, MemoryKind::device);  // what was dropped is free again
      EXPECT_TRUE(again.ok()) << describe(again.error());
      return;
    }
    held.push_back(*b);
  }
  FAIL() << "twice the device's memory was handed out";
}

TEST_F(AmDeviceTest, ForeignCodeIsRefusedWithBothNames) {
  open();
  const auto r = device_->load(compile_amd(test::store_kernel(kBlock), "gfx1200"), "");
  ASSERT_FALSE(r.ok());
  const std::string text = describe(r.error());
  EXPECT_NE(text.find("gfx1200"), std::string::npos) << text;
  EXPECT_NE(text.find("gfx1100"), std::string::npos) << text;
  EXPECT_EQ(r.error().device, "model:navi31");
}

TEST_F(AmDeviceTest, BlocksAndGridsAreChecked) {
  open();
  auto p = program(compile_amd(test::store_kernel(kBlock)));
  const auto args = Args{}.add(std::uint64_t{0}).add(std::uint32_t{0});
  for (const Dim3 block : {Dim3{.x = 0}, Dim3{.x = 1025}, Dim3{.x = 512, .y = 4}, Dim3{.x = 1u << 31, .y = 4}}) {
    const auto r = compute_->exec(*p, args.bytes, {}, block);
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().code, Errc::invalid_argument);
    EXPECT_FALSE(compute_->submit().ok());
  }
  EXPECT_FALSE(compute_->exec(*p, args.bytes, {.x = 0}, {.x = kBlock}).ok());
  EXPECT_FALSE(compute_->submit().ok());
  EXPECT_FALSE(copy_->exec(*p, args.bytes, {}, {.x = kBlock}).ok());
  EXPECT_FALSE(copy_->submit().ok());
}

// PM4 copies words one at a time; what that is not made for is refused with the way out, and costs nothing.
TEST_F(AmDeviceTest, TheComputeQueueCopiesOnlyAPage) {
  open();
  auto from = buffer(8192), to = buffer(8192);
  for (std::uint32_t i = 0; i < 2048; ++i) std::memcpy(from->host() + 4 * i, &i, 4);
  HCQ_OK(compute_->copy(to->address(), from->address(), 4096));
  finish(*compute_);
  EXPECT_EQ(std::memcmp(to->host(), from->host(), 4096), 0);
  EXPECT_EQ(word(*to, 1024), 0u);
  const auto large = compute_->copy(to->address(), from->address(), 4100);
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, Errc::unsupported);
  EXPECT_EQ(large.error().expected, 4096u);
  EXPECT_EQ(large.error().actual, 4100u);
  EXPECT_NE(large.error().hint.find("copy queue"), std::string::npos);
  EXPECT_FALSE(compute_->submit().ok());
  EXPECT_FALSE(compute_->copy(to->address(), from->address(), 3).ok()) << "whole words only";
  EXPECT_FALSE(compute_->submit().ok());
  HCQ_OK(compute_->copy(to->address() + 4096, from->address() + 4096, 8));
  finish(*compute_);
  EXPECT_EQ(word(*to, 1025), 1025u);
}

TEST_F(AmDeviceTest, OpensAgainAfterACleanClose) {
  for (int i = 0; i < 3; ++i) {
    open();
    auto p = program(compile_amd(test::store_kernel(kBlock)));
    auto out = buffer(4 * kBlock);
    HCQ_OK(compute_->exec(*p, Args{}.add(out->address()).add(std::uint32_t{7}).bytes, {}, {.x = kBlock}));
    finish(*compute_);
    EXPECT_EQ(word(*out, 5), 12u);
    HCQ_OK(device_->close());
    device_.reset();
    EXPECT_EQ(word(*out, 5), 12u);  // host memory outlives the device
  }
}

}  // namespace
}  // namespace hcq::am
