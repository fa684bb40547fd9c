// SPDX-License-Identifier: MIT
// The parts every model is built of: register bank, host memory behind an IOMMU, timer, device memory, attach().
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <set>
#include <thread>

#include "models/core/engine_thread.h"
#include "models/core/host_memory.h"
#include "models/core/register_bank.h"
#include "models/core/sparse_memory.h"
#include "models/core/timer.h"

namespace hcq::models {
namespace {

using namespace std::chrono_literals;

class Bank : public ::testing::Test {
 protected:
  Referee referee{Policy::record};
  RegisterBank bank{referee};
  static RegisterSpec named(const char* name) {
    RegisterSpec s;
    s.name = name;
    s.block = "test";
    return s;
  }
};

TEST_F(Bank, ResetValueMaskAndHooks) {
  RegisterSpec s = named("R");
  s.reset = 0x10;
  s.fields = s.writable = 0xff;
  bank.add(4, s);
  EXPECT_EQ(bank.read(4), 0x10u);
  std::uint32_t written = 0, before = 0;
  bank.on_write(4, [&](std::uint32_t v, std::uint32_t b) {
    written = v;
    before = b;
  });
  bank.write(4, 0x42);
  EXPECT_EQ(written, 0x42u);
  EXPECT_EQ(before, 0x10u);
  bank.on_read(4, [](std::uint32_t v) { return v + 1; });
  EXPECT_EQ(bank.read(4), 0x43u);
  bank.reset();
  EXPECT_EQ(bank.peek(4), 0x10u);
  EXPECT_TRUE(referee.violations().empty());
}

TEST_F(Bank, WriteOneToClearAndSelfClearing) {
  RegisterSpec s = named("R");
  s.reset = 0xf0;
  s.write_one_to_clear = 0xf0;
  s.self_clearing = 0x1;
  bank.add(4, s);
  std::uint32_t seen = 0;
  bank.on_write(4, [&](std::uint32_t v, std::uint32_t) { seen = v; });
  bank.write(4, 0x31);
  EXPECT_EQ(seen, 0x31u);
  EXPECT_EQ(bank.read(4), 0xc0u);
}

TEST_F(Bank, ReadOnlyBitsKeepTheirValue) {
  RegisterSpec s = named("R");
  s.reset = 0xff00;
  s.writable = 0x00ff;
  bank.add(4, s);
  bank.write(4, 0x1234);
  EXPECT_EQ(bank.read(4), 0xff34u);
  EXPECT_TRUE(referee.violations().empty()) << "writing back what was read is how drivers change a field";
}

TEST_F(Bank, Violations) {
  RegisterSpec ro = named("RO"), wo = named("WO"), few = named("FEW");
  ro.writable = 0;
  wo.readable = false;
  few.fields = few.writable = 0x3;
  bank.add(1, ro);
  bank.add(2, wo);
  bank.add(3, few);
  bank.write(1, 1);
  EXPECT_TRUE(referee.saw("register.read_only"));
  (void)bank.read(2);
  EXPECT_TRUE(referee.saw("register.write_only"));
  bank.write(3, 0x7);
  EXPECT_TRUE(referee.saw("register.reserved"));
  EXPECT_EQ(referee.violations().back().where, "FEW");
  EXPECT_EQ(bank.read(99), 0u);
  EXPECT_TRUE(referee.saw("register.unbacked"));
}

TEST_F(Bank, GateAndFallback) {
  bool open = false;
  const Gate gate{[&] { return open; }, "test.gate", "closed", "here"};
  bank.add(5, named("G"));
  bank.set_gate(5, &gate);
  bank.write(5, 7);
  EXPECT_TRUE(referee.saw("test.gate"));
  open = true;
  EXPECT_EQ(bank.read(5), 0u) << "the write was lost";
  bank.set_fallback([](std::uint32_t dword, bool, std::uint32_t& v) {
    v = dword * 2;
    return dword == 0x70000;
  });
  EXPECT_EQ(bank.read(0x70000), 0xe0000u);
}

TEST(RefereeDeath, AbortsByDefault) {
  EXPECT_DEATH(
      {
        Referee r(Policy::abort);
        r.report({"b", "some.rule", "w", 1, "t", "s"});
      },
      "some.rule");
}

TEST(Referee, SiliconPolicyKeepsNothing) {
  Referee r(Policy::silicon);
  r.report({"b", "some.rule", "w", 1, "t", "s"});
  EXPECT_TRUE(r.violations().empty());
}

class HostMemoryTest : public ::testing::Test {
 protected:
  std::shared_ptr<HostMemory> host = std::make_shared<HostMemory>("test", 3);
};

TEST_F(HostMemoryTest, TranslatesWhatItHandedOut) {
  host->set_bus_master(true);
  auto m = *host->allocate(5 * 4096, {});
  ASSERT_EQ(m->pages().size(), 5u);
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(host->translate(m->pages()[i] + 16, 8, true), m->data() + i * 4096 + 16);
    EXPECT_EQ(m->data()[i * 4096], std::byte{0});
  }
  EXPECT_EQ(host->translate(m->pages()[0] + 4090, 8, true), nullptr) << "crosses a page";
  EXPECT_EQ(host->translate(0x1234000, 8, false), nullptr);
}

TEST_F(HostMemoryTest, BusAddressesAreNotInOrderUnlessAsked) {
  auto scattered = *host->allocate(64 * 4096, {});
  bool in_order = true;
  for (unsigned i = 1; i < 64; ++i) in_order = in_order && scattered->pages()[i] == scattered->pages()[i - 1] + 4096;
  EXPECT_FALSE(in_order);
  auto contiguous = *host->allocate(64 * 4096, {.contiguous = true});
  for (unsigned i = 1; i < 64; ++i) EXPECT_EQ(contiguous->pages()[i], contiguous->pages()[i - 1] + 4096);
  std::set<std::uint64_t> all(scattered->pages().begin(), scattered->pages().end());
  all.insert(contiguous->pages().begin(), contiguous->pages().end());
  EXPECT_EQ(all.size(), 128u);
}

TEST_F(HostMemoryTest, BusMasterOffAndFreedMemory) {
  auto m = *host->allocate(4096, {});
  const std::uint64_t bus = m->pages()[0];
  EXPECT_EQ(host->translate(bus, 4, false), nullptr) << "bus mastering is off";
  host->set_bus_master(true);
  std::byte* p = host->translate(bus, 4, false);
  ASSERT_NE(p, nullptr);
  const std::uint64_t generation = host->generation();
  m.reset();
  EXPECT_EQ(host->translate(bus, 4, false), nullptr);
  EXPECT_NE(host->generation(), generation);
  *p = std::byte{1};  // stays readable and writable: a late device is caught, not crashed
}

TEST(HostMemories, NeverShareAGeneration) {
  const auto a = std::make_shared<HostMemory>("a", 1), b = std::make_shared<HostMemory>("b", 1);
  EXPECT_NE(a->generation(), b->generation());
}

TEST(TimerTest, OrderAndDelay) {
  Timer t(1);
  std::atomic<int> order{0};
  std::atomic<int> first{0}, second{0};
  const auto start = Clock::now();
  t.after(2000us, 2000us, [&] { second = ++order; });
  t.after(500us, 500us, [&] { first = ++order; });
  while (second == 0 && Clock::now() - start < 2s) std::this_thread::sleep_for(100us);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
  EXPECT_GE(Clock::now() - start, 2ms);
}

TEST(TimerTest, CancelAndHold) {
  Timer t(1);
  std::atomic<int> ran{0};
  t.after(1000us, 1000us, [&] { ++ran; });
  t.cancel_all();
  t.hold();
  t.after(0us, 0us, [&] { ++ran; });
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(ran, 0);
  t.release();
  for (int i = 0; i < 1000 && ran == 0; ++i) std::this_thread::sleep_for(100us);
  EXPECT_EQ(ran, 1);
}

TEST(TimerTest, SeedDecides) {
  Timer a(7), b(7), c(8);
  const auto x = a.random(1'000'000), y = b.random(1'000'000), z = c.random(1'000'000);
  EXPECT_EQ(x, y);
  EXPECT_NE(x, z);
}

TEST(EngineThreadTest, KickPauseResume) {
  std::atomic<int> steps{0};
  EngineThread e([&] { return ++steps % 10 != 0; });
  e.kick();
  for (int i = 0; i < 2000 && steps < 10; ++i) std::this_thread::sleep_for(100us);
  EXPECT_EQ(steps, 10) << "runs until there is nothing more to do";
  e.pause();
  e.kick();
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(steps, 10);
  e.resume();
  for (int i = 0; i < 2000 && steps < 20; ++i) std::this_thread::sleep_for(100us);
  EXPECT_EQ(steps, 20);
}

TEST(SparseMemoryTest, PatternContentAndForgetting) {
  auto m = *SparseMemory::create(1ull << 32, 1);
  std::uint64_t v;
  std::memcpy(&v, m->at(0x1234000, 8), 8);
  EXPECT_NE(v, 0u);
  const std::uint64_t mine = 42;
  std::memcpy(m->at(0x1234000, 8), &mine, 8);
  std::memcpy(&v, m->at(0x1234000, 8), 8);
  EXPECT_EQ(v, 42u);
  m->forget();
  std::memcpy(&v, m->at(0x1234000, 8), 8);
  EXPECT_NE(v, 42u);
  EXPECT_NE(v, 0u);
  EXPECT_FALSE(SparseMemory::create(1000, 1).ok());
}

}  // namespace
}  // namespace hcq::models
