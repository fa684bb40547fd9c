// SPDX-License-Identifier: MIT
// A modelled Navi31 that tests open as an hcq::Device, as often as they like; opening again is what a second process
// sees.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "drivers/am/device.h"
#include "models/am/navi31.h"
#include "models/am/synthetic_firmware.h"

namespace hcq::am {

#define HCQ_OK(...)                                       \
  do {                                                    \
    const auto& hcq_ok = (__VA_ARGS__);                   \
    ASSERT_TRUE(hcq_ok.ok()) << describe(hcq_ok.error()); \
  } while (false)

inline constexpr Clock::duration kLong = std::chrono::seconds(60);

class DeviceRig : public ::testing::Test {
 protected:
  void SetUp() override { power_on(); }
  void TearDown() override { device_.reset(); }

  void power_on(models::Options options = {}) {
    if (options.vram_bytes == 0) options.vram_bytes = 256ull << 20;
    model_options_ = options;
    auto model = models::am::create_navi31(options);
    HCQ_OK(model);
    model_ = std::move(*model);
  }

  Result<std::unique_ptr<Device>> try_open(DeviceOptions options = {}) {
    auto function = HCQ_TRY(models::attach("model:navi31", model_, model_options_));
    options.copy_timeout = std::chrono::seconds(5);
    if (options.boot.firmware.empty())
      options.boot.firmware = {firmware_memory("synthetic", models::am::synthetic_firmware())};
    return am::open(std::move(function), std::move(options));
  }
  void open(DeviceOptions options = {}) {
    auto d = try_open(std::move(options));
    HCQ_OK(d);
    device_ = std::move(*d);
    compute_ = *device_->queue(QueueKind::compute);
    copy_ = *device_->queue(QueueKind::copy);
  }

  BufferRef buffer(std::uint64_t bytes, MemoryKind kind = MemoryKind::host) {
    auto b = device_->alloc(bytes, kind);
    EXPECT_TRUE(b.ok()) << describe(b.error());
    return b.ok() ? *b : nullptr;
  }
  ProgramRef program(const std::vector<std::byte>& code) {
    auto p = device_->load(code, "");
    EXPECT_TRUE(p.ok()) << (p.ok() ? "" : describe(p.error()));
    return p.ok() ? *p : nullptr;
  }
  static std::uint32_t word(const Buffer& b, std::size_t i) {
    std::uint32_t v;
    std::memcpy(&v, b.host() + 4 * i, 4);
    return v;
  }
  void finish(Queue& q) {
    const auto point = q.submit();
    HCQ_OK(point);
    HCQ_OK(device_->wait(*point, kLong));
  }

  models::Options model_options_;
  std::shared_ptr<models::Device> model_;
  std::unique_ptr<Device> device_;
  Queue* compute_ = nullptr;
  Queue* copy_ = nullptr;
};

// Kernel arguments, packed in order at their natural alignment.
struct Args {
  std::vector<std::byte> bytes;
  template <class T>
  Args& add(T v) {
    while (bytes.size() % sizeof(T) != 0) bytes.push_back(std::byte{0});
    const auto* p = reinterpret_cast<const std::byte*>(&v);
    bytes.insert(bytes.end(), p, p + sizeof(T));
    return *this;
  }
};

}  // namespace hcq::am
