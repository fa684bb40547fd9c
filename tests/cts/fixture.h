// SPDX-License-Identifier: MIT
// What every test of the suite starts with: an open device, and short forms for the usual steps.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "tests/cts/hcq_device.h"

namespace hcq::cts {

inline constexpr Clock::duration kLong = std::chrono::seconds(60);
inline constexpr Clock::duration kShort = std::chrono::milliseconds(20);

// gtest's ASSERT on a Status or Result, with the error's text.
#define HCQ_ASSERT_OK(...)                                \
  do {                                                    \
    const auto& hcq_ok = (__VA_ARGS__);                   \
    ASSERT_TRUE(hcq_ok.ok()) << describe(hcq_ok.error()); \
  } while (false)

struct Arguments {
  std::vector<std::byte> bytes;
  template <class T>
  Arguments& add(T v) {
    const auto* p = reinterpret_cast<const std::byte*>(&v);
    bytes.insert(bytes.end(), p, p + sizeof(T));
    return *this;
  }
};

class HcqDevice : public ::testing::TestWithParam<DeviceCase> {
 protected:
  void SetUp() override { open({}); }

  void TearDown() override {
    if (!device_) return;
    const Status closed = device_->close();
    if (expect_clean_close_) {
      EXPECT_TRUE(closed.ok()) << describe(closed.error());
    }
  }

  void open(const OpenOptions& options) {
    device_.reset();
    auto d = GetParam().open(options);
    if (!d.ok() && d.error().code == Errc::not_found) GTEST_SKIP() << describe(d.error());
    HCQ_ASSERT_OK(d);
    device_ = std::move(*d);
    auto q = device_->queue(QueueKind::compute);
    HCQ_ASSERT_OK(q);
    compute_ = *q;
    copy_ = compute_;
    if (GetParam().copy_queue) {
      auto c = device_->queue(QueueKind::copy);
      HCQ_ASSERT_OK(c);
      copy_ = *c;
    }
  }

  BufferRef buffer(std::uint64_t bytes, MemoryKind kind = MemoryKind::host) {
    auto b = device_->alloc(bytes, kind);
    EXPECT_TRUE(b.ok()) << describe(b.error());
    if (!b.ok()) return nullptr;
    if ((*b)->host()) std::memset((*b)->host(), 0, bytes);
    return *b;
  }
  SignalRef signal(std::uint64_t initial = 0) {
    auto s = device_->create_signal(initial);
    EXPECT_TRUE(s.ok()) << describe(s.error());
    return s.ok() ? *s : nullptr;
  }
  ProgramRef program(const std::string& name) {
    auto code = test_kernel(device_->info(), name);
    EXPECT_TRUE(code.ok()) << describe(code.error());
    if (!code.ok()) return nullptr;
    auto p = device_->load(*code, name);
    EXPECT_TRUE(p.ok()) << describe(p.error());
    return p.ok() ? *p : nullptr;
  }
  Status exec(const ProgramRef& p, const Arguments& a, std::uint32_t groups = 1) {
    return compute_->exec(*p, a.bytes, {groups, 1, 1}, {kBlock, 1, 1});
  }
  // Submits and waits until it is done.
  void finish(Queue& q) {
    const auto point = q.submit();
    HCQ_ASSERT_OK(point);
    HCQ_ASSERT_OK(device_->wait(*point, kLong));
  }
  std::vector<std::uint32_t> words(const Buffer& b) {
    std::vector<std::uint32_t> out(b.size() / 4);
    const auto s = device_->download(b, 0, std::as_writable_bytes(std::span(out)));
    EXPECT_TRUE(s.ok()) << describe(s.error());
    return out;
  }
  static std::uint32_t word(const Buffer& b, std::size_t i = 0) {
    std::uint32_t v;
    std::memcpy(&v, b.host() + 4 * i, 4);
    return v;
  }
  static void set_word(const Buffer& b, std::uint32_t v, std::size_t i = 0) {
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(b.host()) + i, v, __ATOMIC_RELEASE);
  }

  std::unique_ptr<Device> device_;
  Queue* compute_ = nullptr;
  Queue* copy_ = nullptr;  // the compute queue where there is no copy queue
  bool expect_clean_close_ = true;
};

}  // namespace hcq::cts
