// SPDX-License-Identifier: MIT
// Mmio: a view of a device's BAR, however the device is reached. A mapped BAR is plain memory; a BAR behind a USB
// bridge, a socket or a software model goes through MmioBackend. Drivers cannot tell which.
//
// Ordering: accesses through one Mmio reach the device in program order with respect to each other on uncached
// mappings. A write-combined mapping (Caching::write_combining) may delay and merge stores until fence(). Ordering
// between host memory and a device store is made by publish() below and by nothing else.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/bytes.h"

namespace hcq::pci {

// What a BAR that is no plain memory must answer. Offsets are from the start of the BAR; sizes are 1, 2, 4 or 8 bytes.
// Reads of a device that has left the bus return all ones. Thread-safe unless the transport says otherwise.
class MmioBackend {
 public:
  virtual ~MmioBackend() = default;
  virtual std::uint64_t read(std::uint64_t offset, unsigned size) = 0;
  virtual void write(std::uint64_t offset, unsigned size, std::uint64_t value) = 0;
  // Bulk forms exist so that USB and remote transports batch. The device sees accesses of up to 8 bytes, ascending.
  virtual void read_block(std::uint64_t offset, MutableBytes out) = 0;
  virtual void write_block(std::uint64_t offset, Bytes in) = 0;
};

// Value type; does not own the mapping. The pci::Function it came from must outlive it.
// An access outside the view reads all ones and drops writes (as a PCI master abort does), and asserts in debug builds:
// callers check sizes when they map.
class Mmio {
 public:
  Mmio() = default;
  Mmio(volatile std::byte* memory, std::uint64_t size) : memory_(memory), size_(size) {}
  Mmio(MmioBackend* backend, std::uint64_t size) : backend_(backend), size_(size) {}

  std::uint64_t size() const { return size_; }
  bool valid() const { return size_ != 0; }
  // A window [offset, offset + size) of this view; empty when it does not fit.
  Mmio sub(std::uint64_t offset, std::uint64_t size) const;

  std::uint8_t read8(std::uint64_t o) const { return load<std::uint8_t>(o); }
  std::uint16_t read16(std::uint64_t o) const { return load<std::uint16_t>(o); }
  std::uint32_t read32(std::uint64_t o) const { return load<std::uint32_t>(o); }
  std::uint64_t read64(std::uint64_t o) const { return load<std::uint64_t>(o); }
  void write8(std::uint64_t o, std::uint8_t v) const { store(o, v); }
  void write16(std::uint64_t o, std::uint16_t v) const { store(o, v); }
  void write32(std::uint64_t o, std::uint32_t v) const { store(o, v); }
  void write64(std::uint64_t o, std::uint64_t v) const { store(o, v); }

  void read_block(std::uint64_t offset, MutableBytes out) const;
  void write_block(std::uint64_t offset, Bytes in) const;

 private:
  bool inside(std::uint64_t o, std::uint64_t n) const { return o <= size_ && n <= size_ - o; }
  template <class T>
  T load(std::uint64_t o) const {
    assert(inside(o, sizeof(T)));
    if (!inside(o, sizeof(T))) return static_cast<T>(~T{0});
    if (memory_) return *reinterpret_cast<const volatile T*>(memory_ + o);
    return static_cast<T>(backend_->read(base_ + o, sizeof(T)));
  }
  template <class T>
  void store(std::uint64_t o, T v) const {
    assert(inside(o, sizeof(T)));
    if (!inside(o, sizeof(T))) return;
    if (memory_) *reinterpret_cast<volatile T*>(memory_ + o) = v;
    else backend_->write(base_ + o, sizeof(T), v);
  }

  volatile std::byte* memory_ = nullptr;
  MmioBackend* backend_ = nullptr;
  std::uint64_t base_ = 0;  // offset of this view inside the backend
  std::uint64_t size_ = 0;
};

// Orders all earlier stores to host memory and to write-combined BARs before all later device stores. Call it between
// writing a ring and ringing its doorbell.
inline void publish() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

}  // namespace hcq::pci
