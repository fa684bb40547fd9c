// SPDX-License-Identifier: MIT
// What is particular to the CPU device; the common behaviour is in tests/cts.
#include "drivers/cpu/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "compute/codegen/compile.h"
#include "tests/support/allocation_count.h"
#include "tests/support/kernel_maker.h"

namespace hcq {
namespace {

using namespace compute::ir;
using std::chrono::milliseconds;
using test::KernelMaker;

std::unique_ptr<Device> open_device(const cpu::Options& options = {}) {
  auto d = cpu::open(options);
  EXPECT_TRUE(d.ok()) << describe(d.error());
  return d.ok() ? std::move(*d) : nullptr;
}

compute::codegen::CodeObject compile_for(const Device& device, const Kernel& kernel) {
  auto target = compute::codegen::target_for(device.info());
  auto object = compute::codegen::compile_uncached(kernel, *target);
  EXPECT_TRUE(object.ok()) << describe(object.error());
  return object.ok() ? *object : compute::codegen::CodeObject{};
}

// out[id] = a hash of id, `rounds` steps long: work that no compiler can shorten.
KernelMaker busy_kernel(std::uint32_t groups, std::int64_t rounds) {
  KernelMaker k("busy");
  const Node* id = k.launch(groups, 16);
  const Node* out = k.param(kU32, 16 * groups, true);
  const Node *factor = k.constant(kU32, 1664525), *term = k.constant(kU32, 1013904223);
  const Node* start = k.op(Op::cast, kU32, {id});
  k.loop(rounds, kI64);
  const Node* x = k.acc(start);
  const auto r = k.end({k.op(Op::add, kU32, {k.op(Op::mul, kU32, {x, factor}), term})});
  k.store(out, id, r[0]);
  return k;
}

std::uint32_t busy_result(std::uint32_t id, std::int64_t rounds) {
  std::uint32_t x = id;
  for (std::int64_t i = 0; i < rounds; ++i) x = x * 1664525 + 1013904223;
  return x;
}

TEST(CpuDevice, DescribesTheHost) {
  auto d = open_device({.threads = 3});
  const DeviceInfo& i = d->info();
  EXPECT_EQ(i.family, "cpu");
  EXPECT_EQ(i.address, "cpu");
  EXPECT_EQ(i.compute_units, 3u);
  EXPECT_EQ(i.wave_size, 1u);
  EXPECT_FALSE(i.arch.empty());
  EXPECT_FALSE(i.chip.empty());
  EXPECT_GT(i.memory_bytes, 1ull << 28);
}

TEST(CpuDevice, RefusesOptionsThatMakeNoSense) {
  EXPECT_FALSE(cpu::open({.ring_slots = 100}).ok());
  EXPECT_FALSE(cpu::open({.ring_slots = 2}).ok());
  EXPECT_FALSE(cpu::open({.threads = 5000}).ok());
  EXPECT_FALSE(cpu::open({.timeline_limit = 0}).ok());
}

TEST(CpuDevice, ThreadsShareTheWorkgroupsOfAKernel) {
  constexpr std::int64_t kRounds = 20'000;
  constexpr std::uint32_t kGroups = 37;
  std::vector<std::uint32_t> want(16 * kGroups);
  for (std::uint32_t i = 0; i < want.size(); ++i) want[i] = busy_result(i, kRounds);
  for (unsigned threads : {1u, 2u, 4u, 7u}) {
    auto d = open_device({.threads = threads});
    const KernelMaker k = busy_kernel(kGroups, kRounds);
    for (int round = 0; round < 5; ++round) {
      test::Buffers buffers = test::buffers_for(k.kernel());
      const Status s = test::run_on(*d, k.kernel(), buffers);
      ASSERT_TRUE(s.ok()) << describe(s.error());
      ASSERT_EQ(test::values_of<std::uint32_t>(buffers[0]), want) << threads << " threads";
    }
  }
}

TEST(CpuDevice, SubmittingAllocatesNothing) {
  auto d = open_device();
  const auto object = compile_for(*d, busy_kernel(1, 4).kernel());
  auto program = d->load(object.bytes, object.name);
  auto buffer = d->alloc(4096, MemoryKind::host);
  auto signal = d->create_signal(0);
  auto queue = d->queue(QueueKind::compute);
  ASSERT_TRUE(program.ok() && buffer.ok() && signal.ok() && queue.ok());
  const std::uint64_t args[1] = {(*buffer)->address()};
  std::vector<double> ns(20'000);
  bool good = true;
  const test::AllocationCount allocations;
  for (std::uint64_t i = 0; i < ns.size() && good; ++i) {
    const auto start = Clock::now();
    Queue& q = **queue;
    good = good && q.wait(**signal, i).ok() && q.barrier().ok();
    good = good && q.exec(**program, std::as_bytes(std::span(args)), object.groups, object.block).ok();
    good = good && q.signal(**signal, i + 1).ok() && q.submit().ok();
    ns[i] = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  }
  const std::size_t allocated = allocations.so_far();
  EXPECT_TRUE(good);
  EXPECT_EQ(allocated, 0u);
  ASSERT_TRUE(d->synchronize().ok());
  std::nth_element(ns.begin(), ns.begin() + ns.size() / 2, ns.end());
  std::printf("recording and submitting wait, barrier, exec, signal: median %.0f ns\n", ns[ns.size() / 2]);
  EXPECT_EQ((*signal)->value(), ns.size());
}

TEST(CpuDevice, ASubmissionLargerThanTheRingIsRefusedWhole) {
  auto d = open_device({.ring_slots = 16});
  auto buffer = d->alloc(64, MemoryKind::host);
  auto queue = d->queue(QueueKind::compute);
  ASSERT_TRUE(buffer.ok() && queue.ok());
  Status last;
  for (unsigned i = 0; i < 16 && last.ok(); ++i) last = (*queue)->write((*buffer)->address(), 7);
  ASSERT_FALSE(last.ok());
  EXPECT_EQ(last.error().code, Errc::no_memory);
  EXPECT_FALSE((*queue)->submit().ok());
  ASSERT_TRUE((*queue)->write((*buffer)->address() + 4, 8).ok());
  ASSERT_TRUE((*queue)->submit().ok());
  ASSERT_TRUE(d->synchronize().ok());
  std::uint32_t words[2];
  std::memcpy(words, (*buffer)->host(), 8);
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], 8u);
}

TEST(CpuDevice, AFullRingPushesBackUntilTheDeadline) {
  auto d = open_device({.ring_slots = 16, .close_timeout = milliseconds(100), .ring_timeout = milliseconds(30)});
  auto gate = d->create_signal(0);
  auto queue = d->queue(QueueKind::compute);
  ASSERT_TRUE(gate.ok() && queue.ok());
  ASSERT_TRUE((*queue)->wait(**gate, 1).ok());
  Status last;
  for (unsigned i = 0; i < 20 && last.ok(); ++i) {
    last = (*queue)->barrier();
    if (last.ok()) last = (*queue)->submit().ok() ? Status() : Status(Error{.code = Errc::internal});
  }
  ASSERT_FALSE(last.ok());
  EXPECT_EQ(last.error().code, Errc::timeout) << describe(last.error());
  EXPECT_NE(describe(last.error()).find("wait"), std::string::npos) << "says where the device stands";
  (void)(*queue)->submit();
  (*gate)->set(1);
  EXPECT_TRUE(d->synchronize().ok());
}

TEST(CpuDevice, CloseGivesUpOnAQueueThatWaitsForever) {
  auto d = open_device({.close_timeout = milliseconds(50)});
  auto gate = d->create_signal(0);
  auto queue = d->queue(QueueKind::compute);
  ASSERT_TRUE(gate.ok() && queue.ok());
  ASSERT_TRUE((*queue)->wait(**gate, 1).ok());
  ASSERT_TRUE((*queue)->submit().ok());
  const auto start = Clock::now();
  const Status closed = d->close();
  ASSERT_FALSE(closed.ok());
  EXPECT_EQ(closed.error().code, Errc::timeout);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST(CpuDevice, CloseGivesUpOnAKernelThatDoesNotReturn) {
  auto d = open_device({.threads = 1, .close_timeout = milliseconds(50)});
  const auto object = compile_for(*d, busy_kernel(1, std::int64_t{1} << 40).kernel());
  auto program = d->load(object.bytes, object.name);
  auto buffer = d->alloc(4096, MemoryKind::host);
  auto queue = d->queue(QueueKind::compute);
  ASSERT_TRUE(program.ok() && buffer.ok() && queue.ok());
  const std::uint64_t args[1] = {(*buffer)->address()};
  ASSERT_TRUE((*queue)->exec(**program, std::as_bytes(std::span(args)), object.groups, object.block).ok());
  ASSERT_TRUE((*queue)->submit().ok());
  const Status closed = d->close();
  ASSERT_FALSE(closed.ok());
  EXPECT_EQ(closed.error().code, Errc::timeout);
}

TEST(CpuDevice, APollOrWriteOutsideEveryBufferIsAFault) {
  for (const bool poll : {true, false}) {
    auto d = open_device();
    auto buffer = d->alloc(64, MemoryKind::host);
    auto queue = d->queue(QueueKind::compute);
    const std::uint64_t past_the_end = (*buffer)->address() + 64;
    ASSERT_TRUE((poll ? (*queue)->poll(past_the_end, 1, 1) : (*queue)->write(past_the_end, 1)).ok());
    ASSERT_TRUE((*queue)->submit().ok());
    const Status s = d->synchronize();
    ASSERT_FALSE(s.ok());
    EXPECT_EQ(s.error().code, Errc::device_fault);
    EXPECT_EQ(s.error().address, past_the_end);
  }
}

TEST(CpuObjects, BelongToOneProcessorAndSayWhich) {
  auto d = open_device();
  compute::codegen::Target target{compute::codegen::TargetKind::cpu, "x86-64", "", 1};
  const auto object = compute::codegen::compile_uncached(busy_kernel(1, 4).kernel(), target);
  ASSERT_TRUE(object.ok()) << describe(object.error());
  const auto loaded = d->load(object->bytes, object->name);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, Errc::unsupported);
  EXPECT_NE(describe(loaded.error()).find("'x86-64'"), std::string::npos);
  EXPECT_NE(describe(loaded.error()).find(d->info().arch), std::string::npos);
}

// One damaged byte anywhere: the object is refused with a reason or loads, and nothing else happens.
TEST(CpuObjects, DamagedOnesNeverHurtTheLoader) {
  auto d = open_device();
  const auto object = compile_for(*d, busy_kernel(1, 4).kernel());
  std::mt19937 rng(3);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < object.bytes.size(); ++at) {
    auto bad = object.bytes;
    bad[at] ^= static_cast<std::byte>(1 + rng() % 255);
    const auto r = d->load(bad, object.name);
    if (r.ok()) continue;
    ++refused;
    ASSERT_FALSE(describe(r.error()).empty());
  }
  EXPECT_GT(refused, object.bytes.size() / 20);
  EXPECT_TRUE(d->load(object.bytes, object.name).ok());
}

}  // namespace
}  // namespace hcq
