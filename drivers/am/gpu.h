// SPDX-License-Identifier: MIT
// Gpu: one AMD GPU from its PCI function to the point where it takes queues. It owns the function, the BAR views, the
// register access, memory, firmware and the boot blocks, and it is where the device's state (lost, faulted) is kept.
// Queues, programs and the hcq::Device are built on it by am::Device.
//
// Threads: opening, closing and block methods from one thread; link(), io() reads and writes, memory() and ih() are
// thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "drivers/am/boot.h"
#include "drivers/am/chip.h"
#include "drivers/am/firmware/firmware.h"
#include "drivers/am/gmc.h"
#include "drivers/am/ih.h"
#include "drivers/am/link.h"
#include "drivers/am/memory/boot_layout.h"
#include "drivers/am/memory/memory_manager.h"
#include "drivers/am/memory/vram.h"
#include "drivers/am/nbio.h"
#include "drivers/am/register_io.h"
#include "drivers/pci/function.h"
#include "hcq/device.h"

namespace hcq::am {

class Psp;
class Smu;

struct OpenOptions {
  FirmwareSources firmware;       // asked after $HCQ_FIRMWARE_PATH and before the system's directories
  bool force_reset = false;       // full reset even if a warm start looks possible; also HCQ_AM_RESET=1
  bool any_chip = false;          // open chips that are not in the supported list; also HCQ_AM_ANY_CHIP=1
  std::uint64_t top_reserve = 0;  // bytes at the end of VRAM left alone; 0: the generation's default
  double time_scale = 1;          // of all limits of waits; tests of these limits make it smaller
  BootObserver observer;          // sees each boot step; used by tests to fail one
};

class Gpu {
 public:
  ~Gpu();  // closes, if close() was not called
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const std::string& name() const { return function_->name(); }  // Error::device
  const ChipInfo& chip() const { return chip_; }
  const FirmwareSet& firmware() const { return firmware_; }
  const BootLayout& layout() const { return layout_; }
  bool warm() const { return warm_; }  // this boot kept the firmware that was running

  pci::Function& function() { return *function_; }
  Link& link() { return link_; }
  RegisterIo& io() { return io_; }
  Vram& vram() { return vram_; }
  pci::Mmio doorbells() const { return doorbells_; }  // BAR 2: 64-bit stores only
  MemoryManager& memory() { return *memory_; }        // usable once boot is over
  Ih& ih() { return *ih_; }
  Gmc& gmc() { return *gmc_; }
  Nbio& nbio() { return *nbio_; }
  Psp& psp() { return *psp_; }
  Smu& smu() { return *smu_; }

  // Address that MC-addressed engines (PSP, SMU, IH, MQD pointers) use for a VRAM offset.
  std::uint64_t mc(std::uint64_t paddr) const { return fb_.mc_offset + paddr; }
  // Address that page tables and their base registers hold for a VRAM offset.
  std::uint64_t pa(std::uint64_t paddr) const { return fb_.pa_offset + paddr; }
  // First and last MC address of the framebuffer.
  std::uint64_t fb_base() const { return fb_.base; }
  std::uint64_t fb_end() const { return fb_.end; }

  // Makes earlier host writes to VRAM visible to the GPU. Call after writing and before ringing a doorbell.
  Status flush_hdp();

  // The device's error state: the first fault is kept and every later operation fails with it. Losing the device
  // counts. Success while there is none.
  Status fault() const;
  void set_fault(Error e);

  // Interrupt processing for waits: drains the IH rings and returns fault(). Cheap when there is nothing.
  Status service();

  // For the undo functions of boot steps: a failure is logged, and makes the next open reset the device.
  void note_undo(Status s);

  // Boot steps of the Gpu itself: the memory manager on an empty root table; the marks in the scratch registers by
  // which the next process sees how this one ended.
  Status start_memory();
  void stop_memory();
  Status mark_dirty();
  Status mark_booted();
  void mark_clean();

  // Facts for DeviceInfo: chip, memory, firmware, boot times.
  void fill_info(DeviceInfo& info) const;

  // Puts the device into its idle state: undoes the boot steps, bus mastering off. Idempotent. Returns the first error.
  Status close();

 private:
  friend class Opener;  // open.cc: fills the parts in order
  void forget_start();  // of a failed start that will be tried again
  Gpu(std::unique_ptr<pci::Function> function, pci::Mmio bar0, pci::Mmio bar2, pci::Mmio bar5, BootObserver observer);

  std::unique_ptr<pci::Function> function_;
  Link link_;
  RegisterIo io_;
  Vram vram_;
  pci::Mmio doorbells_;
  ChipInfo chip_;
  FirmwareSet firmware_;
  BootLayout layout_;
  FbLocation fb_;
  std::unique_ptr<Nbio> nbio_;
  std::unique_ptr<Gmc> gmc_;
  std::unique_ptr<Ih> ih_;
  std::unique_ptr<Psp> psp_;
  std::unique_ptr<Smu> smu_;
  std::unique_ptr<MemoryManager> memory_;
  std::vector<DeviceInfo::BootStep> boot_times_;
  BootObserver observer_;
  bool warm_ = false, booted_ = false, closed_ = false;
  std::optional<Error> undo_error_;

  mutable std::mutex fault_mutex_;
  std::optional<Error> fault_;
};

// Opens a GPU: maps BARs, reads the discovery table, loads firmware files, decides between warm and cold start, boots.
// Refuses devices it does not know and virtual functions. Everything it waits for has a limit. On failure the device is
// left with bus mastering off.
Result<std::unique_ptr<Gpu>> open_gpu(std::unique_ptr<pci::Function> function, OpenOptions options = {});

// Full reset of GPUs without booting them, see reset.h; several when they form a hive, which must be reset together:
// all are opened and identified before the first one is reset. Refuses what open_gpu() refuses.
Status reset_gpus(std::vector<std::unique_ptr<pci::Function>> functions, OpenOptions options = {});

}  // namespace hcq::am
