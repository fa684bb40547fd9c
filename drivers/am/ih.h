// SPDX-License-Identifier: MIT
// Ih: the interrupt handler block (OSSSYS). It writes entries into two rings in VRAM; process() reads them, from
// whatever thread waits for the device (there is no interrupt thread). Entries are decoded by tables per generation.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/error.h"

namespace hcq::am {

class Gpu;

// What an entry is about. `fault` kinds end the device's work.
enum class IhKind : std::uint8_t {
  end_of_pipe,  // a RELEASE_MEM asked for an interrupt
  sdma_trap,    // an SDMA TRAP packet
  sq,           // shader interrupt; an error only with its error encoding
  vm_fault_gc,  // page fault on the GC hub
  vm_fault_mm,  // page fault on the MM hub
  cp_error,     // bad opcode, privileged register, ...
  sdma_error,
  other,
};

struct IhEntry {
  std::uint32_t dw[8];
  std::uint8_t client() const { return static_cast<std::uint8_t>(dw[0]); }
  std::uint8_t source() const { return static_cast<std::uint8_t>(dw[0] >> 8); }
  std::uint8_t ring_id() const { return static_cast<std::uint8_t>(dw[0] >> 16); }
  unsigned vmid() const { return dw[0] >> 24 & 0xf; }
  std::uint64_t timestamp() const { return dw[1] | std::uint64_t{dw[2] & 0xffff} << 32; }
  std::uint32_t context(unsigned i) const { return dw[4 + i]; }
};

struct IhEvent {
  IhEntry entry;
  IhKind kind = IhKind::other;
  const char* name = "";  // "CP_BAD_OPCODE"
  bool fault = false;
};

class Ih {
 public:
  explicit Ih(Gpu& gpu) : gpu_(gpu) {}

  // Boot steps: program and enable both rings; disable them.
  Status start();
  void stop();

  // Called for each entry, under the Ih's lock: must not call back into the Ih. Without a handler faults become the
  // Gpu's fault state directly.
  using Handler = std::function<void(const IhEvent&)>;
  void set_handler(Handler handler);

  // Reads and decodes everything in the rings. Thread-safe. Returns how many entries there were.
  Result<unsigned> process();

  struct Counters {
    std::uint64_t entries = 0, unknown = 0, lost = 0, overflows = 0;
  };
  Counters counters() const;

 private:
  struct Ring {
    std::uint64_t paddr = 0;
    std::uint32_t bytes = 0, rptr = 0;
  };
  Result<unsigned> drain(unsigned ring);
  Result<std::uint32_t> write_pointer(unsigned ring);
  Status handle_overflow(unsigned ring, std::uint32_t wptr);
  Status set_read_pointer(unsigned ring, std::uint32_t rptr);
  void deliver(const IhEntry& entry);

  Gpu& gpu_;
  mutable std::mutex mutex_;
  std::array<Ring, 2> rings_{};
  Handler handler_;
  Counters counters_;
  bool running_ = false;
};

// Table lookup by generation-independent client and source numbers of gfx11 and gfx12 (soc21).
IhEvent decode_ih_entry(const IhEntry& entry);

}  // namespace hcq::am
