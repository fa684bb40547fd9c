// SPDX-License-Identifier: MIT
#include "drivers/am/nbio.h"

#include "drivers/am/gpu.h"

namespace hcq::am {

using namespace regs;

namespace {
// Where amdgpu puts the remapped flush registers (MMIO_REG_HOLE_OFFSET, the last page below 512 KiB), for cards whose
// boot firmware left the remap register empty.
constexpr std::uint32_t kRemapPage = 0x80000 - 0x1000;
}  // namespace

Status Nbio::locate_hdp_flush() {
  RegisterIo& io = gpu_.io();
  using R = BIF_BX0_REMAP_HDP_MEM_FLUSH_CNTL;
  std::uint32_t offset = HCQ_TRY(io.read<R>()).raw;
  if (offset == 0) {
    HCQ_TRY(io.write_raw<R>(kRemapPage));
    offset = HCQ_TRY(io.read<R>()).raw;
  }
  // Register 0 is MM_INDEX; a flush that goes there flushes nothing and page tables stay stale.
  if (offset == 0 || offset % 4 != 0 || std::uint64_t{offset} + 4 > io.bar_size()) {
    Error e = gpu_.link().error(Errc::corrupt, "BIF_BX0_REMAP_HDP_MEM_FLUSH_CNTL",
                                "holds no register offset inside BAR 5; host writes to VRAM cannot be flushed");
    e.actual = offset;
    return e;
  }
  hdp_flush_ = offset;
  return {};
}

Status Nbio::init() {
  using R = RCC_DEV0_EPF2_STRAP2;
  if (!gpu_.io().has<R>()) return {};
  return gpu_.io().update<R>({R::STRAP_NO_SOFT_RESET_DEV0_F2(0)});
}

Status Nbio::enable_doorbells() {
  using R = RCC_DEV0_EPF0_RCC_DOORBELL_APER_EN;
  return gpu_.io().update<R>({R::BIF_DOORBELL_APER_EN(1)});
}

void Nbio::disable_doorbells() {
  using R = RCC_DEV0_EPF0_RCC_DOORBELL_APER_EN;
  gpu_.note_undo(gpu_.io().update<R>({R::BIF_DOORBELL_APER_EN(0)}));
}

Status Nbio::flush_hdp() {
  if (hdp_flush_ == 0)
    return gpu_.link().error(Errc::internal, "HDP flush", "asked for before the flush register was found");
  // Stores to a write-combined BAR 0 must have left the CPU before the flush does.
  pci::publish();
  return gpu_.io().write_byte_offset(hdp_flush_, 0, "HDP_MEM_FLUSH");
}

}  // namespace hcq::am
