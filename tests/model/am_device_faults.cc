// SPDX-License-Identifier: MIT
// What goes wrong on a running device: faults are told apart and named, every wait ends, and the device can be closed
// and opened again without being told to reset.
#include <array>
#include <thread>

#include "am_device_rig.h"
#include "tests/support/amd_object.h"

namespace hcq::am {
namespace {

using test::compile_amd;
using namespace std::chrono_literals;

constexpr unsigned kBlock = 64;

class AmDeviceFaults : public DeviceRig {
 protected:
  void SetUp() override {
    models::Options o;
    o.policy = models::Policy::record;  // faults are provoked here
    power_on(o);
  }

  void launch(std::uint64_t address) {
    auto p = program(compile_amd(test::store_kernel(kBlock)));
    HCQ_OK(compute_->exec(*p, Args{}.add(address).add(std::uint32_t{1}).bytes, {}, {.x = kBlock}));
    HCQ_OK(compute_->submit());
  }
  Error wait_for_fault() {
    const auto start = Clock::now();
    const Status s = device_->synchronize(20s);
    EXPECT_LT(Clock::now() - start, 5s);
    EXPECT_FALSE(s.ok());
    return s.ok() ? Error{} : s.error();
  }
  // The device as the next process finds it.
  void reopen_and_run() {
    EXPECT_FALSE(device_->close().ok());
    device_.reset();
    open();
    auto p = program(compile_amd(test::store_kernel(kBlock)));
    auto out = buffer(4 * kBlock);
    HCQ_OK(compute_->exec(*p, Args{}.add(out->address()).add(std::uint32_t{7}).bytes, {}, {.x = kBlock}));
    finish(*compute_);
    EXPECT_EQ(word(*out, 5), 12u);
    HCQ_OK(device_->close());
  }
};

TEST_F(AmDeviceFaults, PageFaultNamesAddressAccessClientAndKernel) {
  open();
  launch(0x2000'8000'0000);
  const Error e = wait_for_fault();
  EXPECT_EQ(e.code, Errc::device_fault);
  EXPECT_EQ(e.address, 0x2000'8000'0000);
  const std::string text = describe(e);
  for (const char* part : {"write", "TCP", "VMID 0", "kernel store", "compute queue", "never mapped"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  // It stays.
  EXPECT_EQ(describe(device_->synchronize(1s).error()), text);
  reopen_and_run();
}

TEST_F(AmDeviceFaults, PageFaultAtZero) {
  open();
  launch(0);
  const Error e = wait_for_fault();
  EXPECT_EQ(e.code, Errc::device_fault);
  EXPECT_EQ(e.address, 0u);
  reopen_and_run();
}

TEST_F(AmDeviceFaults, PageFaultInAFreedBufferSaysSo) {
  open();
  std::uint64_t address = 0;
  {
    auto b = buffer(1 << 20, MemoryKind::device);
    address = b->address();
  }
  HCQ_OK(device_->synchronize());
  (void)buffer(4096);  // lets the device free what was dropped
  launch(address);
  const Error e = wait_for_fault();
  EXPECT_NE(describe(e).find("unmapped"), std::string::npos) << describe(e);
  reopen_and_run();
}

TEST_F(AmDeviceFaults, CopyFaultNamesTheCopyEngine) {
  open();
  auto b = buffer(4096);
  HCQ_OK(copy_->copy(b->address(), 0x2000'9000'0000, 64));
  HCQ_OK(copy_->submit());
  const Error e = wait_for_fault();
  EXPECT_EQ(e.code, Errc::device_fault);
  EXPECT_EQ(e.address.value_or(0) >> 12, 0x2000'9000'0000ull >> 12);
  EXPECT_NE(describe(e).find("copy queue"), std::string::npos) << describe(e);
  reopen_and_run();
}

// Somebody writes to the function's `reset` in sysfs. Linux saves and restores config space around it.
TEST_F(AmDeviceFaults, AResetBySomebodyElseIsALostDevice) {
  open();
  auto p = program(compile_amd(test::store_kernel(kBlock)));
  auto out = buffer(4 * kBlock);
  std::array<std::uint32_t, 16> header{};
  for (std::uint16_t i = 0; i < header.size(); ++i) header[i] = model_->config_read(4 * i, 4);
  model_->function_reset();
  for (std::uint16_t i = 4; i < 10; ++i) model_->config_write(4 * i, 4, header[i]);
  model_->config_write(pci::kCommand, 2, header[1] & 0xffff);

  HCQ_OK(compute_->exec(*p, Args{}.add(out->address()).add(std::uint32_t{7}).bytes, {}, {.x = kBlock}));
  HCQ_OK(compute_->submit());
  const Status s = device_->synchronize(200ms);
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, Errc::device_lost);
  EXPECT_NE(describe(s.error()).find("was reset by somebody else"), std::string::npos) << describe(s.error());
  const auto start = Clock::now();
  EXPECT_FALSE(device_->close().ok());
  EXPECT_LT(Clock::now() - start, 5s) << "nothing is waited for that cannot come";
  device_.reset();
  open();
  HCQ_OK(device_->close());
}

// A kernel that never ends: the wait times out and says which kernel runs; close() resets the queue.
TEST_F(AmDeviceFaults, HangIsATimeOutWithTheKernelsName) {
  DeviceOptions o;
  o.close_timeout = 200ms;
  open(o);
  auto gate = *device_->create_signal(0);
  HCQ_OK(compute_->wait(*gate, 1));  // nobody sets it
  launch(buffer(4096)->address());
  const Status s = device_->synchronize(100ms);
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, Errc::timeout);
  EXPECT_NE(describe(s.error()).find("kernel store"), std::string::npos) << describe(s.error());
  const auto start = Clock::now();
  EXPECT_FALSE(device_->close().ok());
  EXPECT_LT(Clock::now() - start, 10s);
  device_.reset();
  open();
  HCQ_OK(device_->close());
}

// What a wait has spent on work that stands still is not spent again by close().
TEST_F(AmDeviceFaults, AHangCostsItsLimitOnce) {
  DeviceOptions o;
  o.close_timeout = 200ms;
  open(o);
  auto gate = *device_->create_signal(0);
  HCQ_OK(compute_->wait(*gate, 1));  // nobody sets it
  HCQ_OK(compute_->submit());
  ASSERT_EQ(device_->synchronize(250ms).error().code, Errc::timeout);
  const Status closed = device_->close();
  ASSERT_FALSE(closed.ok());
  EXPECT_NE(describe(closed.error()).find("no change for 250 ms"), std::string::npos) << describe(closed.error());
  device_.reset();
  open(o);
  auto second = *device_->create_signal(0);
  HCQ_OK(compute_->wait(*second, 1));
  HCQ_OK(compute_->submit());
  ASSERT_EQ(device_->synchronize(1ms).error().code, Errc::timeout);
  const Status patient = device_->close();
  ASSERT_FALSE(patient.ok());
  EXPECT_NE(describe(patient.error()).find("no change for 199 ms"), std::string::npos) << describe(patient.error());
  device_.reset();
  open();
  HCQ_OK(device_->close());
}

TEST_F(AmDeviceFaults, LosingTheDeviceEndsAllWaits) {
  open();
  auto gate = *device_->create_signal(0);
  HCQ_OK(compute_->wait(*gate, 1));
  HCQ_OK(compute_->submit());
  std::thread loser([&] {
    std::this_thread::sleep_for(20ms);
    model_->faults().lose_after_accesses = 0;
  });
  const auto start = Clock::now();
  const Status a = gate->wait(1, 20s);
  loser.join();
  ASSERT_FALSE(a.ok());
  EXPECT_EQ(a.error().code, Errc::device_lost) << describe(a.error());
  EXPECT_EQ(device_->synchronize(20s).error().code, Errc::device_lost);
  EXPECT_FALSE(compute_->submit().ok());
  EXPECT_FALSE(device_->alloc(4096, MemoryKind::host).ok());
  EXPECT_FALSE(device_->close().ok());
  EXPECT_LT(Clock::now() - start, 10s);
}

}  // namespace
}  // namespace hcq::am
