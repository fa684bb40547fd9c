// SPDX-License-Identifier: MIT
// What holds data back in the Navi31 model: TLB, HDP, GL2.
#include "am_rig.h"

namespace hcq::models::am::test {
namespace {

constexpr std::uint64_t kVa = kVaBase + 0x40000;
constexpr std::uint64_t kPage = 0x200000;

class Cache : public ::testing::Test, public MemoryRig {
 protected:
  Cache() { setup_hubs(); }
  std::uint64_t get(std::uint64_t va, Requester from = kShader) {
    std::uint64_t v = 0;
    EXPECT_TRUE(memory.load64(from, va, v));
    return v;
  }
  void put(std::uint64_t va, std::uint64_t v, Requester from = kShader) { EXPECT_TRUE(memory.store64(from, va, v)); }
};

// ---- TLB

TEST_F(Cache, TlbStaysStaleUntilInvalidated) {
  map(kVa, kPage, 4096, kLeaf | kUc);
  poke(kPage, 1);
  poke(kPage + 0x1000, 2);
  EXPECT_EQ(get(kVa), 1u);
  poke(entry_at(kVa), 0);
  EXPECT_EQ(get(kVa), 1u) << "the old page is still used";
  EXPECT_TRUE(saw("gmc.use_after_unmap"));
  poke(entry_at(kVa), (kPage + 0x1000) | kLeaf | kUc);
  flush_tlb();
  EXPECT_EQ(get(kVa), 2u);
}

TEST_F(Cache, RemapWithoutInvalidationIsReported) {
  map(kVa, kPage, 4096, kLeaf | kUc);
  (void)get(kVa);
  poke(entry_at(kVa), 0);
  poke(entry_at(kVa), (kPage + 0x1000) | kLeaf | kUc);
  (void)get(kVa);
  EXPECT_TRUE(saw("gmc.stale_tlb"));
}

TEST_F(Cache, InvalidEntriesAreNotCached) {
  std::uint64_t v = 0;
  entry_at(kVa);
  EXPECT_FALSE(memory.load64(kShader, kVa, v));
  map(kVa, kPage, 4096, kLeaf | kUc);
  EXPECT_TRUE(memory.load64(kShader, kVa, v));
}

TEST_F(Cache, InvalidationConcernsOneHubAndOneVmid) {
  map(kVa, kPage, 4096, kLeaf | kUc);
  (void)get(kVa);
  (void)get(kVa, kMmEngine);
  write<GcHub::Req>(whole_request<GcHub>(3), 17);
  EXPECT_TRUE(eventually([&] { return read<GcHub::Ack>(17) & 8; }));
  EXPECT_EQ(read<GcHub::Ack>(17) & 1, 0u);
  EXPECT_EQ(memory.hub(HubKind::gc).tlb_entries(), 1u);
  write<GcHub::Req>(whole_request<GcHub>(0), 17);
  EXPECT_TRUE(eventually([&] { return read<GcHub::Ack>(17) & 1; }));
  EXPECT_EQ(memory.hub(HubKind::gc).tlb_entries(), 0u);
  EXPECT_EQ(memory.hub(HubKind::mm).tlb_entries(), 1u);
}

TEST_F(Cache, MmHubNeedsTheSemaphore) {
  write<MmHub::Req>(whole_request<MmHub>(), 17);
  EXPECT_TRUE(saw("gmc.invalidate_without_semaphore"));
}

TEST_F(Cache, SemaphoreIsHeldUntilReleased) {
  EXPECT_EQ(read<MmHub::Sem>(17), 1u);
  EXPECT_EQ(read<MmHub::Sem>(17), 0u);
  write<MmHub::Sem>(0, 17);
  EXPECT_EQ(read<MmHub::Sem>(17), 1u);
}

TEST_F(Cache, IncompleteRequestKeepsEntries) {
  map(kVa, kPage, 4096, kLeaf | kUc);
  (void)get(kVa);
  using Q = GcHub::Req;
  write<Q>(chip.registers.map().encode<Q>(0, {Q::PER_VMID_INVALIDATE_REQ(1), Q::INVALIDATE_L1_PTES(1)}), 17);
  EXPECT_TRUE(eventually([&] { return read<GcHub::Ack>(17) & 1; }));
  EXPECT_TRUE(saw("gmc.invalidate_incomplete"));
  EXPECT_EQ(memory.hub(HubKind::gc).tlb_entries(), 1u);
}

TEST_F(Cache, AddressRangeOfTheEngineIsRespected) {
  map(kVa, kPage, 4096, kLeaf | kUc);
  (void)get(kVa);
  write<GcHub::RangeLo>(0, 17);
  write<GcHub::RangeHi>(0, 17);
  write<GcHub::Req>(whole_request<GcHub>(), 17);
  EXPECT_TRUE(eventually([&] { return read<GcHub::Ack>(17) & 1; }));
  EXPECT_TRUE(saw("gmc.invalidate_range"));
  EXPECT_EQ(memory.hub(HubKind::gc).tlb_entries(), 1u);
}

TEST_F(Cache, MappingOverAValidEntryIsReported) {
  map(kVa, kPage, 4096, kLeaf | kUc);
  EXPECT_FALSE(saw("gmc.map_over_valid")) << said();
  poke(entry_at(kVa), (kPage + 0x1000) | kLeaf | kUc);
  EXPECT_TRUE(saw("gmc.map_over_valid"));
}

// ---- HDP

TEST_F(Cache, HostWritesWaitInTheHdp) {
  map(kVa, kPage, 4096, kLeaf | kUc);
  poke(kPage, 1);
  const std::uint64_t two = 2;
  memory.host_write(kPage, std::as_bytes(std::span(&two, 1)));
  EXPECT_EQ(get(kVa), 1u);
  std::uint64_t seen = 0;
  memory.host_read(kPage, std::as_writable_bytes(std::span(&seen, 1)));
  EXPECT_EQ(seen, 2u) << "the host reads its own writes";
  memory.hdp_flush();
  EXPECT_EQ(get(kVa), 2u);
}

TEST_F(Cache, PageTableWritesWithoutFlushAreNotVisible) {
  entry_at(kVa);
  const std::uint64_t e = kPage | kLeaf | kUc;
  memory.host_write(entry_at(kVa), std::as_bytes(std::span(&e, 1)));
  std::uint64_t v = 0;
  EXPECT_FALSE(memory.load64(kShader, kVa, v));
  memory.hdp_flush();
  EXPECT_TRUE(memory.load64(kShader, kVa, v));
}

TEST_F(Cache, FlushThroughTheEnginesRegister) {
  const std::uint64_t two = 2;
  memory.host_write(kPage, std::as_bytes(std::span(&two, 1)));
  write<regs::BIF_BX_PF0_GPU_HDP_FLUSH_REQ>(4);
  EXPECT_EQ(read<regs::BIF_BX_PF0_GPU_HDP_FLUSH_DONE>(), 4u);
  EXPECT_EQ(vram(kPage), 2u);
}

TEST_F(Cache, UnalignedHostWritesKeepTheirNeighbours) {
  poke(kPage, 0x8877665544332211);
  poke(kPage + 4096, 0x8877665544332211);
  const std::byte b[] = {std::byte{0xaa}, std::byte{0xbb}, std::byte{0xcc}};
  memory.host_write(kPage + 3, b);
  memory.host_write(kPage + 4094, b);
  memory.hdp_flush();
  EXPECT_EQ(vram(kPage), 0x8877ccbbaa332211u);
  EXPECT_EQ(vram(kPage + 4096), 0x88776655443322ccu);
}

TEST_F(Cache, FullHdpWritesOldestPagesThrough) {
  const std::vector<std::byte> big(2 << 20, std::byte{7});
  memory.host_write(kPage, big);
  EXPECT_EQ(vram<std::uint8_t>(kPage), 7u);
  EXPECT_NE(vram<std::uint8_t>(kPage + big.size() - 1), 7u);
}

TEST_F(Cache, HostIsKeptOutOfTrustedMemory) {
  chip.tmr.begin = kPage;
  chip.tmr.end = kPage + 4096;
  std::uint64_t v = 1;
  memory.host_read(kPage, std::as_writable_bytes(std::span(&v, 1)));
  EXPECT_EQ(v, ~0ull);
  EXPECT_TRUE(saw("hdp.tmr_access"));
}

TEST_F(Cache, HostAccessBeyondVram) {
  std::uint64_t v = 1;
  memory.host_read(::hcq::models::am::test::kVram - 4, std::as_writable_bytes(std::span(&v, 1)));
  EXPECT_EQ(v, ~0ull);
  EXPECT_TRUE(saw("hdp.range"));
}

TEST_F(Cache, TheTopOfVramBelongsToFirmware) {
  poke(kPage, 1);
  chip.firmware_data.begin = kPage;
  chip.firmware_data.end = kPage + 4096;
  map(kVa, kPage, 4096, kLeaf | kUc);
  EXPECT_EQ(get(kVa), 1u);
  std::uint64_t v = 0;
  memory.host_read(kPage, std::as_writable_bytes(std::span(&v, 1)));
  EXPECT_EQ(v, 1u);
  EXPECT_TRUE(chip.referee.violations().empty()) << "reading is allowed\n" << said();
  poke(kPage, 2);
  EXPECT_TRUE(saw("hdp.firmware_region_write"));
  put(kVa, 3);
  EXPECT_TRUE(saw("gmc.firmware_region_write"));
  EXPECT_EQ(vram(kPage), 1u);
}

TEST_F(Cache, HostMustNotWriteTheDiscoveryTable) {
  poke(kPage, 1);
  chip.discovery.begin = kPage;
  chip.discovery.end = kPage + 4096;
  std::uint64_t v = 0;
  memory.host_read(kPage, std::as_writable_bytes(std::span(&v, 1)));
  EXPECT_EQ(v, 1u);
  EXPECT_FALSE(saw("hdp.discovery_write"));
  poke(kPage, 2);
  EXPECT_TRUE(saw("hdp.discovery_write"));
  EXPECT_EQ(vram(kPage), 1u);
}

TEST_F(Cache, VramReadsAsAPatternBeforeItIsWritten) {
  const auto v = vram(kPage + 0x100000);
  EXPECT_NE(v, 0u);
  EXPECT_NE(v, ~0ull);
}

// ---- GL2

TEST_F(Cache, CachedReadsAreStaleUntilInvalidated) {
  map(kVa, kPage, 4096);
  poke(kPage, 1);
  EXPECT_EQ(get(kVa), 1u);
  poke(kPage, 2);
  EXPECT_EQ(get(kVa), 1u) << "the HDP does not look into GL2";
  memory.l2().invalidate();
  EXPECT_EQ(get(kVa), 2u);
}

TEST_F(Cache, CachedWritesAreNotInMemoryUntilWrittenBack) {
  map(kVa, kPage, 4096);
  poke(kPage, 1);
  put(kVa, 2);
  EXPECT_EQ(vram(kPage), 1u);
  EXPECT_EQ(get(kVa), 2u);
  EXPECT_GT(memory.l2().write_back(), 0u);
  EXPECT_EQ(vram(kPage), 2u);
}

TEST_F(Cache, WriteBackMergesOnlyModifiedBytes) {
  map(kVa, kPage, 4096);
  poke(kPage, 0);
  poke(kPage + 8, 0);
  ASSERT_TRUE(memory.store32(kShader, kVa, 0x11111111));
  poke(kPage + 8, 5);  // the host's half of the same line
  memory.l2().write_back();
  EXPECT_EQ(vram(kPage), 0x11111111u);
  EXPECT_EQ(vram(kPage + 8), 5u);
}

TEST_F(Cache, UncachedPagesBypassGl2) {
  map(kVa, kPage, 4096, kLeaf | kUc);
  put(kVa, 3);
  EXPECT_EQ(vram(kPage), 3u);
  poke(kPage, 4);
  EXPECT_EQ(get(kVa), 4u);
  EXPECT_EQ(memory.l2().held_pages(), 0u);
}

TEST_F(Cache, CachedHostMemoryIsReallyStale) {
  std::byte* p = map_host(kVa, 4096, kLeaf | pt::kSystem | pt::kSnooped);
  EXPECT_EQ(get(kVa), 0u);
  const std::uint64_t one = 1;
  std::memcpy(p, &one, 8);
  EXPECT_EQ(get(kVa), 0u);
  memory.l2().invalidate();
  EXPECT_EQ(get(kVa), 1u);
}

TEST_F(Cache, BypassingWriterUpdatesCopiesAndMemory) {
  map(kVa, kPage, 4096);
  put(kVa, 1);
  put(kVa + 8, 9);
  constexpr Requester bypass{.client = ClientId::sdma0, .policy = CachePolicy::bypass};
  put(kVa, 2, bypass);
  EXPECT_EQ(vram(kPage), 2u);
  EXPECT_EQ(get(kVa), 2u);
  memory.l2().write_back();
  EXPECT_EQ(vram(kPage), 2u);
  EXPECT_EQ(vram(kPage + 8), 9u);
}

TEST_F(Cache, ShaderPagesAskAgainBeforeTheFirstWrite) {
  map(kVa, kPage, 4096);
  const auto r = memory.shader_page(0, kVa + 8, isa::Access::read);
  ASSERT_NE(r.page, nullptr);
  EXPECT_EQ(r.allowed & static_cast<unsigned>(isa::Access::write), 0u);
  const auto w = memory.shader_page(0, kVa, isa::Access::write);
  EXPECT_EQ(w.page, r.page);
  EXPECT_NE(w.allowed & static_cast<unsigned>(isa::Access::write), 0u);
  const auto g = memory.generation();
  w.page[0] = std::byte{0x5a};
  memory.l2().write_back();
  EXPECT_EQ(vram<std::uint8_t>(kPage), 0x5a);
  EXPECT_NE(memory.generation(), g) << "the page is clean again and must be asked for before the next write";
}

TEST_F(Cache, PagesDroppedDuringADispatchKeepItsWrites) {
  map(kVa, kPage, 4096);
  poke(kPage, 1);
  memory.l2().enter();
  const auto w = memory.shader_page(0, kVa, isa::Access::write);
  memory.l2().invalidate();
  w.page[0] = std::byte{0x66};
  memory.l2().leave();
  EXPECT_EQ(vram<std::uint8_t>(kPage), 0x66);
}

TEST_F(Cache, GenerationMovesWithTlbAndHost) {
  auto g = memory.generation();
  EXPECT_EQ(memory.generation(), g);
  flush_tlb();
  EXPECT_NE(memory.generation(), g);
  g = memory.generation();
  map_host(kVa, 4096);
  g = memory.generation();
  dma.clear();
  EXPECT_NE(memory.generation(), g);
}

TEST_F(Cache, FirstTouchFromManyThreads) {
  map(kVa, kPage, 64 * 4096);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < 64; ++i) {
        const auto p = memory.shader_page(0, kVa + i * 4096, isa::Access::write);
        ASSERT_NE(p.page, nullptr);
        std::atomic_ref(p.page[t]).store(std::byte(t + 1), std::memory_order_relaxed);
      }
    });
  for (auto& t : threads) t.join();
  memory.l2().write_back();
  for (std::uint64_t i = 0; i < 64; ++i) EXPECT_EQ(vram<std::uint32_t>(kPage + i * 4096), 0x04030201u);
}

}  // namespace
}  // namespace hcq::models::am::test
