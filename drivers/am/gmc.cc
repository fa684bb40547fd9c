// SPDX-License-Identifier: MIT
// Order and values: gfxhub_v3_0.c, mmhub_v3_0.c and gmc_v11_0.c of Linux 6.12, with VMID 0 using four-level tables.
#include "drivers/am/gmc.h"

#include "drivers/am/abi/page_table.h"
#include "drivers/am/gpu.h"

namespace hcq::am {

using namespace regs;
using namespace std::chrono_literals;

namespace {

// FB_LOCATION counts in 16 MiB, the system aperture in 256 KiB.
constexpr unsigned kFbShift = 24, kApertureShift = 18, kPageShift = 12;
constexpr std::uint32_t kFbMask = 0xffffff;
constexpr std::uint32_t kMtypeUncached = 3;
// System accesses inside the aperture are not translated, all others are.
constexpr std::uint32_t kSystemAccessAperture = 3;
constexpr std::uint32_t kPageTableDepth = 3;  // levels below the root
// Engine 17 is left to the driver's own flushes; the others belong to the blocks.
constexpr unsigned kInvalidateEngines = 18, kDriverEngine = 17;
constexpr std::uint64_t kWholeRange = 0x1f'ffff'ffffull;
constexpr auto kFlushTimeout = 2s;

// The registers of one hub under common names.
struct Mm {
  using AGP_BASE = MMMC_VM_AGP_BASE;
  using AGP_BOT = MMMC_VM_AGP_BOT;
  using AGP_TOP = MMMC_VM_AGP_TOP;
  using APERTURE_LOW = MMMC_VM_SYSTEM_APERTURE_LOW_ADDR;
  using APERTURE_HIGH = MMMC_VM_SYSTEM_APERTURE_HIGH_ADDR;
  using DEFAULT_LSB = MMMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB;
  using DEFAULT_MSB = MMMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB;
  using L1_TLB = MMMC_VM_MX_L1_TLB_CNTL;
  using L2_CNTL = MMVM_L2_CNTL;
  using L2_CNTL2 = MMVM_L2_CNTL2;
  using L2_CNTL3 = MMVM_L2_CNTL3;
  using L2_CNTL4 = MMVM_L2_CNTL4;
  using L2_CNTL5 = MMVM_L2_CNTL5;
  using FAULT_CNTL2 = MMVM_L2_PROTECTION_FAULT_CNTL2;
  using FAULT_DEFAULT_LO = MMVM_L2_PROTECTION_FAULT_DEFAULT_ADDR_LO32;
  using FAULT_DEFAULT_HI = MMVM_L2_PROTECTION_FAULT_DEFAULT_ADDR_HI32;
  using IDENTITY_LOW_LO = MMVM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_LO32;
  using IDENTITY_LOW_HI = MMVM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_HI32;
  using IDENTITY_HIGH_LO = MMVM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_LO32;
  using IDENTITY_HIGH_HI = MMVM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_HI32;
  using IDENTITY_OFFSET_LO = MMVM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_LO32;
  using IDENTITY_OFFSET_HI = MMVM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_HI32;
  using CONTEXT_CNTL = MMVM_CONTEXT0_CNTL;
  using BASE_LO = MMVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32;
  using BASE_HI = MMVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32;
  using START_LO = MMVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32;
  using START_HI = MMVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32;
  using END_LO = MMVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32;
  using END_HI = MMVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32;
  using REQ = MMVM_INVALIDATE_ENG0_REQ;
  using ACK = MMVM_INVALIDATE_ENG0_ACK;
  using RANGE_LO = MMVM_INVALIDATE_ENG0_ADDR_RANGE_LO32;
  using RANGE_HI = MMVM_INVALIDATE_ENG0_ADDR_RANGE_HI32;
};

struct Gc {
  using AGP_BASE = GCMC_VM_AGP_BASE;
  using AGP_BOT = GCMC_VM_AGP_BOT;
  using AGP_TOP = GCMC_VM_AGP_TOP;
  using APERTURE_LOW = GCMC_VM_SYSTEM_APERTURE_LOW_ADDR;
  using APERTURE_HIGH = GCMC_VM_SYSTEM_APERTURE_HIGH_ADDR;
  using DEFAULT_LSB = GCMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB;
  using DEFAULT_MSB = GCMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB;
  using L1_TLB = GCMC_VM_MX_L1_TLB_CNTL;
  using L2_CNTL = GCVM_L2_CNTL;
  using L2_CNTL2 = GCVM_L2_CNTL2;
  using L2_CNTL3 = GCVM_L2_CNTL3;
  using L2_CNTL4 = GCVM_L2_CNTL4;
  using L2_CNTL5 = GCVM_L2_CNTL5;
  using FAULT_CNTL2 = GCVM_L2_PROTECTION_FAULT_CNTL2;
  using FAULT_DEFAULT_LO = GCVM_L2_PROTECTION_FAULT_DEFAULT_ADDR_LO32;
  using FAULT_DEFAULT_HI = GCVM_L2_PROTECTION_FAULT_DEFAULT_ADDR_HI32;
  using IDENTITY_LOW_LO = GCVM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_LO32;
  using IDENTITY_LOW_HI = GCVM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_HI32;
  using IDENTITY_HIGH_LO = GCVM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_LO32;
  using IDENTITY_HIGH_HI = GCVM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_HI32;
  using IDENTITY_OFFSET_LO = GCVM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_LO32;
  using IDENTITY_OFFSET_HI = GCVM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_HI32;
  using CONTEXT_CNTL = GCVM_CONTEXT0_CNTL;
  using BASE_LO = GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32;
  using BASE_HI = GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32;
  using START_LO = GCVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32;
  using START_HI = GCVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32;
  using END_LO = GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32;
  using END_HI = GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32;
  using REQ = GCVM_INVALIDATE_ENG0_REQ;
  using ACK = GCVM_INVALIDATE_ENG0_ACK;
  using RANGE_LO = GCVM_INVALIDATE_ENG0_ADDR_RANGE_LO32;
  using RANGE_HI = GCVM_INVALIDATE_ENG0_ADDR_RANGE_HI32;
};

// Writes a 64-bit value to a LO32/HI32 pair.
template <class Lo, class Hi>
Status write_pair(RegisterIo& io, std::uint64_t value, At at) {
  HCQ_TRY(io.write_raw<Lo>(lo32(value), at));
  return io.write_raw<Hi>(hi32(value), at);
}

template <class H>
Status init_apertures(Gpu& gpu, unsigned instance) {
  RegisterIo& io = gpu.io();
  const At at{.instance = instance};
  // AGP off: bottom above top.
  HCQ_TRY(io.write_raw<typename H::AGP_BASE>(0, at));
  HCQ_TRY(io.write_raw<typename H::AGP_BOT>(kFbMask, at));
  HCQ_TRY(io.write_raw<typename H::AGP_TOP>(0, at));
  HCQ_TRY(io.write_raw<typename H::APERTURE_LOW>(static_cast<std::uint32_t>(gpu.fb_base() >> kApertureShift), at));
  HCQ_TRY(io.write_raw<typename H::APERTURE_HIGH>(static_cast<std::uint32_t>(gpu.fb_end() >> kApertureShift), at));
  const std::uint64_t scratch = gpu.pa(gpu.layout().scratch_page.paddr) >> kPageShift;
  const std::uint64_t dummy = gpu.pa(gpu.layout().dummy_page.paddr) >> kPageShift;
  HCQ_TRY((write_pair<typename H::DEFAULT_LSB, typename H::DEFAULT_MSB>(io, scratch, at)));
  HCQ_TRY((write_pair<typename H::FAULT_DEFAULT_LO, typename H::FAULT_DEFAULT_HI>(io, dummy, at)));
  using F = typename H::FAULT_CNTL2;
  return io.update<F>({F::ACTIVE_PAGE_MIGRATION_PTE_READ_RETRY(1)}, at);
}

template <class H>
Status init_caches(Gpu& gpu, unsigned instance) {
  RegisterIo& io = gpu.io();
  const At at{.instance = instance};
  const bool gfx9 = gpu.chip().generation == Generation::gfx9;
  using T = typename H::L1_TLB;
  HCQ_TRY(io.update<T>(
      {T::ENABLE_L1_TLB(1), T::SYSTEM_ACCESS_MODE(kSystemAccessAperture), T::ENABLE_ADVANCED_DRIVER_MODEL(1),
       T::SYSTEM_APERTURE_UNMAPPED_ACCESS(0), T::MTYPE(kMtypeUncached)},
      at));
  using C = typename H::L2_CNTL;
  HCQ_TRY(io.update<C>(
      {C::ENABLE_L2_CACHE(1), C::ENABLE_L2_FRAGMENT_PROCESSING(gfx9), C::ENABLE_DEFAULT_PAGE_OUT_TO_SYSTEM_MEMORY(1),
       C::L2_PDE0_CACHE_TAG_GENERATION_MODE(0), C::PDE_FAULT_CLASSIFICATION(0), C::CONTEXT1_IDENTITY_ACCESS_MODE(1),
       C::IDENTITY_MODE_FRAGMENT_SIZE(0)},
      at));
  using C2 = typename H::L2_CNTL2;
  HCQ_TRY(io.update<C2>({C2::INVALIDATE_ALL_L1_TLBS(1), C2::INVALIDATE_L2_CACHE(1)}, at));
  // Written in full: the bank and fragment settings that the vendor's driver ends up with.
  using C3 = typename H::L2_CNTL3;
  HCQ_TRY(io.write<C3>({C3::BANK_SELECT(gfx9 ? 12 : 9), C3::L2_CACHE_BIGK_FRAGMENT_SIZE(gfx9 ? 9 : 6),
                        C3::L2_CACHE_BIGK_ASSOCIATIVITY(1), C3::L2_CACHE_4K_ASSOCIATIVITY(1)},
                       at));
  using C4 = typename H::L2_CNTL4;
  HCQ_TRY(io.write<C4>({C4::L2_CACHE_4K_PARTITION_COUNT(1)}, at));
  using C5 = typename H::L2_CNTL5;
  if (!gfx9) HCQ_TRY(io.write<C5>({C5::WALKER_PRIORITY_CLIENT_ID(0x1ff)}, at));
  return {};
}

template <class H>
Status init_context(Gpu& gpu, unsigned instance, std::uint64_t va_base, std::uint64_t va_last) {
  RegisterIo& io = gpu.io();
  const At at{.instance = instance};
  HCQ_TRY((write_pair<typename H::START_LO, typename H::START_HI>(io, va_base >> kPageShift, at)));
  HCQ_TRY((write_pair<typename H::END_LO, typename H::END_HI>(io, va_last >> kPageShift, at)));
  const std::uint64_t root = gpu.pa(gpu.layout().root_table.paddr) | abi::page_table::kRootValid;
  HCQ_TRY((write_pair<typename H::BASE_LO, typename H::BASE_HI>(io, root, at)));
  using X = typename H::CONTEXT_CNTL;
  HCQ_TRY(io.update<X>({X::ENABLE_CONTEXT(1), X::PAGE_TABLE_DEPTH(kPageTableDepth), X::PAGE_TABLE_BLOCK_SIZE(0),
                        X::RETRY_PERMISSION_OR_INVALID_PAGE_FAULT(0), X::RANGE_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        X::RANGE_PROTECTION_FAULT_ENABLE_DEFAULT(1), X::DUMMY_PAGE_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        X::DUMMY_PAGE_PROTECTION_FAULT_ENABLE_DEFAULT(1), X::PDE0_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        X::PDE0_PROTECTION_FAULT_ENABLE_DEFAULT(1), X::VALID_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        X::VALID_PROTECTION_FAULT_ENABLE_DEFAULT(1), X::READ_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        X::READ_PROTECTION_FAULT_ENABLE_DEFAULT(1), X::WRITE_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        X::WRITE_PROTECTION_FAULT_ENABLE_DEFAULT(1), X::EXECUTE_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        X::EXECUTE_PROTECTION_FAULT_ENABLE_DEFAULT(1)},
                       at));
  // Context 1's identity aperture off: low above high.
  HCQ_TRY((write_pair<typename H::IDENTITY_LOW_LO, typename H::IDENTITY_LOW_HI>(io, 0xf'ffff'ffffull, at)));
  HCQ_TRY((write_pair<typename H::IDENTITY_HIGH_LO, typename H::IDENTITY_HIGH_HI>(io, 0, at)));
  HCQ_TRY((write_pair<typename H::IDENTITY_OFFSET_LO, typename H::IDENTITY_OFFSET_HI>(io, 0, at)));
  for (unsigned engine = 0; engine < kInvalidateEngines; ++engine)
    HCQ_TRY((write_pair<typename H::RANGE_LO, typename H::RANGE_HI>(io, kWholeRange,
                                                                    {.index = engine, .instance = instance})));
  return {};
}

template <class H>
Status init_hub(Gpu& gpu, unsigned instance) {
  const MemoryConfig window;
  // The hardware compares with the last page of the window, at most 2^48 - 1 above the base.
  const std::uint64_t last = window.va_base + window.va_bytes - 1;
  HCQ_TRY(init_apertures<H>(gpu, instance));
  HCQ_TRY(init_caches<H>(gpu, instance));
  return init_context<H>(gpu, instance, window.va_base, last);
}

template <class H>
Status invalidate(Gpu& gpu, unsigned instance, unsigned vmid, const char* step) {
  RegisterIo& io = gpu.io();
  const At at{.index = kDriverEngine, .instance = instance};
  using R = typename H::REQ;
  HCQ_TRY(io.write<R>(
      {R::PER_VMID_INVALIDATE_REQ(1u << vmid), R::FLUSH_TYPE(0), R::INVALIDATE_L2_PTES(1), R::INVALIDATE_L2_PDE0(1),
       R::INVALIDATE_L2_PDE1(1), R::INVALIDATE_L2_PDE2(1), R::INVALIDATE_L1_PTES(1)},
      at));
  HCQ_TRY(io.poll_masked<typename H::ACK>(1u << vmid, 1u << vmid, kFlushTimeout, step, at));
  return {};
}

// The MM hub may lose the acknowledge when it is power-gated meanwhile; holding its semaphore keeps it up.
Status invalidate_mm(Gpu& gpu, unsigned instance, unsigned vmid) {
  RegisterIo& io = gpu.io();
  const At at{.index = kDriverEngine, .instance = instance};
  HCQ_TRY(io.poll_masked<MMVM_INVALIDATE_ENG0_SEM>(1, 1, kFlushTimeout, "gmc/flush_tlb_mm", at));
  Status flushed = invalidate<Mm>(gpu, instance, vmid, "gmc/flush_tlb_mm");
  HCQ_TRY(io.write_raw<MMVM_INVALIDATE_ENG0_SEM>(0, at));
  HCQ_TRY(std::move(flushed));
  if (gpu.chip().generation == Generation::gfx9) return {};
  using B = MMVM_L2_BANK_SELECT_RESERVED_CID2;
  HCQ_TRY(io.update<B>({B::RESERVED_CACHE_PRIVATE_INVALIDATION(1)}, {.instance = instance}));
  HCQ_TRY(io.read<B>({.instance = instance}));  // the invalidation is done when this returns
  return {};
}

}  // namespace

Result<FbLocation> Gmc::locate() {
  RegisterIo& io = gpu_.io();
  FbLocation fb;
  std::uint64_t segment = 0;  // where this GPU's VRAM begins in its hive
  fb.base = std::uint64_t{HCQ_TRY(io.read<MMMC_VM_FB_LOCATION_BASE>()).raw & kFbMask} << kFbShift;
  fb.end = (std::uint64_t{HCQ_TRY(io.read<MMMC_VM_FB_LOCATION_TOP>()).raw & kFbMask} << kFbShift) | kFbMask;
  const std::uint64_t offset = std::uint64_t{HCQ_TRY(io.read<MMMC_VM_FB_OFFSET>()).raw & kFbMask} << kFbShift;
  if (io.has<MMMC_VM_XGMI_LFB_CNTL>()) {
    using C = MMMC_VM_XGMI_LFB_CNTL;
    const auto c = HCQ_TRY(io.read<C>());
    const auto size = HCQ_TRY(io.read<MMMC_VM_XGMI_LFB_SIZE>());
    const std::uint64_t bytes = std::uint64_t{size[MMMC_VM_XGMI_LFB_SIZE::PF_LFB_SIZE]} << kFbShift;
    if (bytes && c[C::PF_MAX_REGION]) segment = bytes * c[C::PF_LFB_REGION];
  }
  if (fb.end < fb.base || fb.end - fb.base < gpu_.chip().vram_bytes - 1) {
    Error e = gpu_.link().error(Errc::corrupt, "MMMC_VM_FB_LOCATION_TOP", "the framebuffer is smaller than VRAM");
    e.expected = fb.base + gpu_.chip().vram_bytes - 1;
    e.actual = fb.end;
    return e;
  }
  fb.mc_offset = fb.base + segment;
  fb.pa_offset = offset + segment;
  return fb;
}

Status Gmc::start_mm_hub() {
  HCQ_TRY(gpu_.vram().zero(gpu_.layout().root_table.paddr, gpu_.layout().root_table.bytes));
  HCQ_TRY(gpu_.vram().zero(gpu_.layout().scratch_page.paddr, gpu_.layout().scratch_page.bytes));
  HCQ_TRY(gpu_.vram().zero(gpu_.layout().dummy_page.paddr, gpu_.layout().dummy_page.bytes));
  HCQ_TRY(gpu_.flush_hdp());
  for (unsigned i = 0; i < gpu_.chip().mmhub_count; ++i) HCQ_TRY(init_hub<Mm>(gpu_, i));
  mm_started_ = true;
  return flush_tlb();
}

Status Gmc::start_gc_hub() {
  for (unsigned i = 0; i < gpu_.chip().xcc_count; ++i) HCQ_TRY(init_hub<Gc>(gpu_, i));
  gc_started_ = true;
  return flush_tlb();
}

void Gmc::stop_gc_hub() { gc_started_ = false; }

Status Gmc::flush_tlb(unsigned vmid) {
  const std::scoped_lock lock(flush_);
  if (mm_started_)
    for (unsigned i = 0; i < gpu_.chip().mmhub_count; ++i) HCQ_TRY(invalidate_mm(gpu_, i, vmid));
  if (gc_started_)
    for (unsigned i = 0; i < gpu_.chip().xcc_count; ++i) HCQ_TRY(invalidate<Gc>(gpu_, i, vmid, "gmc/flush_tlb_gc"));
  return {};
}

}  // namespace hcq::am
