// SPDX-License-Identifier: MIT
// Chip: what the blocks of the Navi31 model share. A block is a class in a file of its own; its constructor describes
// its registers and hangs hooks on them, and from then on it lives through those hooks, the timer and its own threads.
// Blocks find each other only through the interfaces below.
//
// Locks: every block has its own; a block may call MemoryPort, InterruptPort and the register bank under it, and those
// call nobody back. Block::reset and the like are called with no lock held.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/am/busy_time.h"
#include "models/am/registers.h"
#include "models/core/device.h"
#include "models/core/sparse_memory.h"
#include "models/core/timer.h"

namespace hcq::models::am {

enum class Reset : std::uint8_t {
  power_on,  // also what a card that was pulled and put back has gone through
  mode1,     // the whole chip, asked for by the driver through the SMU
  function,  // PCI function level reset; on this chip it reaches as far as mode1
};

class Block {
 public:
  virtual ~Block() = default;
  // Back to the state after power-on. Register values have been reset already. Threads of the block are idle, and stay
  // so until resume(), when pause() has been called before; the chip does that.
  virtual void reset(Reset kind) = 0;
  // Bits written to GRBM_SOFT_RESET that went from 0 to 1 (`asserted`) or from 1 to 0.
  virtual void soft_reset(std::uint32_t /*bits*/, bool /*asserted*/) {}
  // No work and no host access between the two calls. Not called from the block's own threads.
  virtual void pause() {}
  virtual void resume() {}
};

// One interrupt, before the interrupt handler block turns it into a ring entry.
struct IhEntry {
  std::uint8_t client = 0, source = 0, ring = 0, vmid = 0;
  bool vmid_of_mmhub = false;  // VMID_TYPE
  std::uint16_t pasid = 0;
  std::uint8_t node = 0;
  std::array<std::uint32_t, 4> context{};
};

class InterruptPort {
 public:
  virtual ~InterruptPort() = default;
  // A read pointer written to a doorbell; `dword` as in DoorbellPort.
  virtual void doorbell(std::uint32_t /*dword*/, std::uint32_t /*rptr*/) {}
  virtual void post(const IhEntry& entry) = 0;  // thread-safe; returns before the host sees it
  // The doorbell that moves a ring's read pointer.
  virtual void doorbell(std::uint32_t dword, std::uint64_t value) = 0;
};

// The memory side of the chip.
class MemoryPort {
 public:
  virtual ~MemoryPort() = default;
  // Accesses of engines that use memory-controller addresses (PSP, SMU, IH), which are those of VMID 0 of the MM hub:
  // VRAM through the system aperture, everything else through the page table. False, after a violation, when there is
  // nothing behind the address. `client` appears in the violation.
  virtual bool mc_read(std::string_view client, std::uint64_t mc, MutableBytes out) = 0;
  virtual bool mc_write(std::string_view client, std::uint64_t mc, Bytes in) = 0;
  // Whether such addresses can be used at all; says nothing about single pages of the page table.
  virtual bool mc_valid(std::uint64_t mc, std::uint64_t size) const = 0;
  // The host's window on VRAM (BAR 0, and MM_INDEX/MM_DATA); goes through the HDP, which holds writes back.
  virtual void host_read(std::uint64_t offset, MutableBytes out) = 0;
  virtual void host_write(std::uint64_t offset, Bytes in) = 0;
  virtual void hdp_flush() = 0;
};

// Who answers a doorbell, after NBIO has let it through.
enum class DoorbellTarget : std::uint8_t { cp, sdma, ih };
class DoorbellPort {
 public:
  virtual ~DoorbellPort() = default;
  // `dword` is the doorbell's offset in BAR 2 in dwords (what the queue's DOORBELL_OFFSET field holds).
  virtual void doorbell(DoorbellTarget target, std::uint32_t dword, std::uint64_t value) = 0;
};

// What the PSP has loaded, for the engines that run it.
struct LoadedFirmware {
  std::uint64_t hash = 0, size = 0;
  std::uint64_t start_address = 0;  // of RS64 processors, from the file's header
};

// Where firmware lives after SETUP_TMR: neither host nor engines may touch it.
struct ProtectedRegion {
  std::atomic<std::uint64_t> begin{0}, end{0};  // VRAM offsets; empty when equal
  bool hits(std::uint64_t offset, std::uint64_t size) const {
    return offset < end.load(std::memory_order_acquire) && offset + size > begin.load(std::memory_order_acquire);
  }
};

class BoardFlash;

struct Chip {
  Chip(const Options& options, regs::RegisterMap map, std::unique_ptr<SparseMemory> memory)
      : options(options),
        referee(options.policy),
        registers(std::move(map), referee),
        vram(std::move(memory)),
        timer(options.seed) {}

  const Options options;
  Referee referee;
  FaultPlan faults;
  Registers registers;
  std::unique_ptr<SparseMemory> vram;
  // The frame buffer does not start at address 0 of the memory controller's address space, as on real boards.
  std::uint64_t fb_base = 0x80'0000'0000;
  Timer timer;

  // Set while the chip is assembled, valid for its whole life.
  MemoryPort* memory = nullptr;
  InterruptPort* interrupts = nullptr;
  BoardFlash* flash = nullptr;
  DoorbellPort* doorbells = nullptr;
  std::vector<Block*> blocks;

  // PCI state that reaches into the chip. `host` is null while no host process is attached.
  std::atomic<HostPort*> host{nullptr};
  std::atomic<bool> bus_master{false}, memory_space{false}, msi_enabled{false}, lost{false};

  ProtectedRegion tmr;            // made by SETUP_TMR
  ProtectedRegion discovery;      // the last 64 KiB: the host may read it, nobody may write it
  ProtectedRegion firmware_data;  // below it, what the board's firmware keeps there (option "reserve")
  std::atomic<bool> rlc_booted{false};
  std::atomic<bool> smu_running{false};
  BusyTime shader_time, copy_time;  // what the SMU measures activity by

  // Host memory behind a bus address (never crossing 4 KiB), or nullptr after a violation: bus mastering off, address
  // not handed out, or taken back. `client` appears in the violation.
  std::byte* dma(std::string_view client, std::uint64_t bus, std::size_t size, bool write);
  void raise_msi();  // an interrupt message, when MSI is enabled and the chip may write to the bus

  void report(std::string block, std::string rule, std::string where, std::uint64_t value, std::string text,
              std::string source) {
    referee.report({std::move(block), std::move(rule), std::move(where), value, std::move(text), std::move(source)});
  }
  // No kernel and no copy runs at this moment.
  bool idle() const { return !shader_time.busy() && !copy_time.busy(); }
  bool fault(std::string_view point) { return faults.hook && faults.hook(point); }

  std::optional<LoadedFirmware> firmware(std::uint32_t psp_type) const;
  void set_firmware(std::uint32_t psp_type, LoadedFirmware f);
  void forget_firmware();

  // Asked for by the SMU: the chip vanishes from the bus for a while and comes back as after power-on. Called from the
  // timer's thread.
  std::function<void()> begin_mode1;

 private:
  mutable std::mutex firmware_mutex_;
  std::map<std::uint32_t, LoadedFirmware> firmware_;
};

}  // namespace hcq::models::am
