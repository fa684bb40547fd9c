// SPDX-License-Identifier: MIT
// Vram: the host's access to video memory by physical offset, through BAR 0 where it reaches and through the MM_INDEX
// window beyond. Writes sit in the HDP cache until Gpu::flush_hdp().
//
// Threads: one at a time for the window; BAR 0 accesses are thread-safe.
#pragma once

#include <cstdint>
#include <mutex>

#include "base/bytes.h"
#include "base/error.h"
#include "drivers/am/register_io.h"
#include "drivers/pci/mmio.h"

namespace hcq::am {

class Vram {
 public:
  Vram(Link& link, RegisterIo& io, pci::Mmio bar0) : link_(link), io_(io), bar0_(bar0) {}

  void set_size(std::uint64_t bytes) { size_ = bytes; }
  std::uint64_t size() const { return size_; }
  // How much of it, from offset 0, BAR 0 shows.
  std::uint64_t visible() const { return bar0_.size() < size_ ? bar0_.size() : size_; }
  bool all_visible() const { return visible() == size_; }

  // Offsets are physical (paddr); ranges outside VRAM are Errc::invalid_argument.
  Status read(std::uint64_t paddr, MutableBytes out);
  Status write(std::uint64_t paddr, Bytes data);
  Status zero(std::uint64_t paddr, std::uint64_t bytes);
  Result<std::uint64_t> read64(std::uint64_t paddr);
  Status write64(std::uint64_t paddr, std::uint64_t value);
  Result<std::uint32_t> read32(std::uint64_t paddr);
  Status write32(std::uint64_t paddr, std::uint32_t value);

  // BAR 0 view of [paddr, paddr + bytes); empty when the BAR does not reach it.
  pci::Mmio view(std::uint64_t paddr, std::uint64_t bytes) const;

 private:
  Status check(std::uint64_t paddr, std::uint64_t bytes) const;
  Status select(std::uint64_t paddr);
  Result<std::uint32_t> window_read(std::uint64_t paddr);
  Status window_write(std::uint64_t paddr, std::uint32_t value);

  Link& link_;
  RegisterIo& io_;
  pci::Mmio bar0_;
  std::uint64_t size_ = 0;
  std::mutex window_;
};

}  // namespace hcq::am
