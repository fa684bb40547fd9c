// SPDX-License-Identifier: MIT
#include "drivers/am/gpu.h"

#include <fmt/format.h>

#include "base/log.h"
#include "drivers/am/psp.h"
#include "drivers/am/smu.h"

namespace hcq::am {

using namespace regs;

namespace {
// Scratch registers of GC keep their content until the chip is reset. SCRATCH_REG7 holds kBootAbi after a boot,
// SCRATCH_REG6 is not zero while a session runs.
constexpr At kDirtyFlag{.index = 6}, kBootTag{.index = 7};
}  // namespace

Gpu::Gpu(std::unique_ptr<pci::Function> function, pci::Mmio bar0, pci::Mmio bar2, pci::Mmio bar5, BootObserver observer)
    : function_(std::move(function)),
      link_(*function_),
      io_(link_, bar5),
      vram_(link_, io_, bar0),
      doorbells_(bar2),
      nbio_(std::make_unique<Nbio>(*this)),
      gmc_(std::make_unique<Gmc>(*this)),
      ih_(std::make_unique<Ih>(*this)),
      psp_(std::make_unique<Psp>(*this)),
      smu_(std::make_unique<Smu>(*this)),
      observer_(std::move(observer)) {}

Gpu::~Gpu() {
  const bool told = link_.lost();  // whoever noticed has returned the error
  if (const Status s = close(); !s.ok() && !told) log::warn("{}", describe(s.error()));
}

Status Gpu::flush_hdp() { return nbio_->flush_hdp(); }

Status Gpu::fault() const {
  HCQ_TRY(link_.alive());
  const std::scoped_lock lock(fault_mutex_);
  return fault_ ? Status(*fault_) : Status();
}

void Gpu::set_fault(Error e) {
  if (e.device.empty()) e.device = name();
  const std::scoped_lock lock(fault_mutex_);
  if (!fault_) fault_ = std::move(e);
}

Status Gpu::service() {
  HCQ_TRY(ih_->process());
  return fault();
}

void Gpu::note_undo(Status s) {
  if (s.ok()) return;
  Error e = std::move(s).error();
  // A lost device is said once, by whoever noticed.
  if (e.code != Errc::device_lost) log::warn("{}", describe(e));
  if (!undo_error_) undo_error_ = std::move(e);
}

Status Gpu::start_memory() {
  MemoryConfig c;
  c.general_start = layout_.general.paddr;
  c.general_end = layout_.general.end();
  c.table_start = layout_.tables.paddr;
  c.table_end = layout_.tables.end();
  c.root_paddr = layout_.root_table.paddr;
  c.vram_pa_offset = fb_.pa_offset;
  memory_ = std::make_unique<MemoryManager>(link_, vram_, page_format(chip_.generation), c, [this]() -> Status {
    HCQ_TRY(flush_hdp());
    return gmc_->flush_tlb();
  });
  return {};
}

void Gpu::forget_start() {
  boot_times_.clear();
  undo_error_.reset();
  const std::scoped_lock lock(fault_mutex_);
  fault_.reset();
}

void Gpu::stop_memory() { memory_.reset(); }

Status Gpu::mark_dirty() { return warm_ ? io_.write_raw<SCRATCH_REG0>(1, kDirtyFlag) : Status(); }

Status Gpu::mark_booted() {
  HCQ_TRY(io_.write_raw<SCRATCH_REG0>(1, kDirtyFlag));
  return io_.write_raw<SCRATCH_REG0>(kBootAbi, kBootTag);
}

void Gpu::mark_clean() {
  if (booted_ && !undo_error_ && fault().ok()) note_undo(io_.write_raw<SCRATCH_REG0>(0, kDirtyFlag));
}

void Gpu::fill_info(DeviceInfo& info) const {
  info.address = name();
  info.family = "am";
  info.arch = chip_.arch;
  info.chip = chip_.chip;
  info.memory_bytes = layout_.general.bytes;
  info.compute_units = chip_.gfx.compute_units;
  info.wave_size = chip_.gfx.wave_size;
  info.max_block = 1024;
  info.lds_bytes = chip_.gfx.lds_bytes;
  info.firmware = firmware_.versions;
  info.boot = boot_times_;
  const auto add = [&](const char* key, std::string value) { info.details.emplace_back(key, std::move(value)); };
  add("pci id", fmt::format("{:04x}:{:04x}", function_->identity().vendor, function_->identity().device));
  add("start", warm_ ? "warm" : "cold");
  add("vram", fmt::format("{} MiB, {} MiB visible through BAR 0", chip_.vram_bytes >> 20, vram_.visible() >> 20));
  add("blocks", fmt::format("GC {} SDMA {} MMHUB {} NBIO {} HDP {} OSSSYS {} MP0 {} MP1 {}", chip_.gc.text(),
                            chip_.sdma.text(), chip_.mmhub.text(), chip_.nbio.text(), chip_.hdp.text(),
                            chip_.osssys.text(), chip_.mp0.text(), chip_.mp1.text()));
}

Status Gpu::close() {
  if (closed_) return {};
  closed_ = true;
  if (!booted_) return {};
  const OperationScope scope(link_, "close");
  if (!link_.lost()) (void)ih_->process();  // a fault that was posted last must not be taken for a clean end
  undo_boot(*this, boot_steps(), observer_);
  booted_ = false;
  return undo_error_ ? Status(*undo_error_) : Status();
}

}  // namespace hcq::am
