// SPDX-License-Identifier: MIT
#include "drivers/am/memory/vram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "drivers/am/regs/fixed.h"

namespace hcq::am {

namespace fixed = regs::fixed;

Status Vram::check(std::uint64_t paddr, std::uint64_t bytes) const {
  HCQ_TRY(link_.alive());
  if (paddr <= size_ && bytes <= size_ - paddr) return {};
  Error e = link_.error(Errc::invalid_argument, "VRAM", fmt::format("{} bytes end beyond {:#x}", bytes, size_));
  e.address = paddr;
  return e;
}

Status Vram::select(std::uint64_t paddr) {
  HCQ_TRY(io_.write_fixed(fixed::MM_INDEX_HI, static_cast<std::uint32_t>(paddr >> fixed::kMmIndexHiShift)));
  return io_.write_fixed(fixed::MM_INDEX, (lo32(paddr) & fixed::kMmIndexAddress) | fixed::kMmIndexMemory);
}

Result<std::uint32_t> Vram::window_read(std::uint64_t paddr) {
  const std::scoped_lock lock(window_);
  HCQ_TRY(select(paddr));
  return io_.read_fixed(fixed::MM_DATA);
}

Status Vram::window_write(std::uint64_t paddr, std::uint32_t value) {
  const std::scoped_lock lock(window_);
  HCQ_TRY(select(paddr));
  return io_.write_fixed(fixed::MM_DATA, value);
}

Status Vram::read(std::uint64_t paddr, MutableBytes out) {
  HCQ_TRY(check(paddr, out.size()));
  if (paddr + out.size() <= bar0_.size()) {
    bar0_.read_block(paddr, out);
    // One word stands for the block: a lost device answers all ones everywhere.
    std::uint32_t last = 0;
    if (out.size() >= 4) std::memcpy(&last, out.data() + out.size() - 4, 4);
    return link_.verify(last, "VRAM");
  }
  for (std::size_t i = 0; i < out.size();) {
    const std::uint64_t a = paddr + i, in_word = a % 4;
    const std::uint32_t v = HCQ_TRY(window_read(a - in_word));
    const std::size_t n = std::min<std::size_t>(4 - in_word, out.size() - i);
    std::memcpy(out.data() + i, reinterpret_cast<const std::byte*>(&v) + in_word, n);
    i += n;
  }
  return {};
}

Status Vram::write(std::uint64_t paddr, Bytes data) {
  HCQ_TRY(check(paddr, data.size()));
  if (paddr + data.size() <= bar0_.size()) {
    bar0_.write_block(paddr, data);
    return {};
  }
  for (std::size_t i = 0; i < data.size();) {
    const std::uint64_t a = paddr + i, in_word = a % 4;
    const std::size_t n = std::min<std::size_t>(4 - in_word, data.size() - i);
    std::uint32_t v = n == 4 ? 0 : HCQ_TRY(window_read(a - in_word));
    std::memcpy(reinterpret_cast<std::byte*>(&v) + in_word, data.data() + i, n);
    HCQ_TRY(window_write(a - in_word, v));
    i += n;
  }
  return {};
}

Status Vram::zero(std::uint64_t paddr, std::uint64_t bytes) {
  static constexpr std::array<std::byte, 4096> kZeros{};
  while (bytes) {
    const std::uint64_t n = std::min<std::uint64_t>(bytes, kZeros.size());
    HCQ_TRY(write(paddr, Bytes(kZeros).first(n)));
    paddr += n;
    bytes -= n;
  }
  return {};
}

Result<std::uint32_t> Vram::read32(std::uint64_t paddr) {
  HCQ_TRY(check(paddr, 4));
  if (paddr + 4 > bar0_.size()) return window_read(paddr);
  const std::uint32_t v = bar0_.read32(paddr);
  HCQ_TRY(link_.verify(v, "VRAM"));
  return v;
}

Status Vram::write32(std::uint64_t paddr, std::uint32_t value) {
  HCQ_TRY(check(paddr, 4));
  if (paddr + 4 > bar0_.size()) return window_write(paddr, value);
  bar0_.write32(paddr, value);
  return {};
}

Result<std::uint64_t> Vram::read64(std::uint64_t paddr) {
  const std::uint64_t low = HCQ_TRY(read32(paddr));
  return low | std::uint64_t{HCQ_TRY(read32(paddr + 4))} << 32;
}

Status Vram::write64(std::uint64_t paddr, std::uint64_t value) {
  return write(paddr, Bytes(reinterpret_cast<const std::byte*>(&value), 8));
}

pci::Mmio Vram::view(std::uint64_t paddr, std::uint64_t bytes) const {
  if (paddr > visible() || bytes > visible() - paddr) return {};
  return bar0_.sub(paddr, bytes);
}

}  // namespace hcq::am
