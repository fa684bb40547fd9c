// SPDX-License-Identifier: MIT
#include "drivers/pci/mmio.h"

#include <cstring>

namespace hcq::pci {

Mmio Mmio::sub(std::uint64_t offset, std::uint64_t size) const {
  if (!inside(offset, size)) return {};
  Mmio m = *this;
  m.size_ = size;
  if (memory_) m.memory_ = memory_ + offset;
  else m.base_ = base_ + offset;
  return m;
}

void Mmio::read_block(std::uint64_t offset, MutableBytes out) const {
  assert(inside(offset, out.size()));
  if (!inside(offset, out.size())) {
    std::memset(out.data(), 0xff, out.size());
    return;
  }
  if (!memory_) return backend_->read_block(base_ + offset, out);
  std::size_t i = 0;
  // Aligned 4-byte accesses in the middle: some BARs reject anything else, and memcpy may use any width it likes.
  for (; i < out.size() && (offset + i) % 4; ++i) out[i] = static_cast<std::byte>(read8(offset + i));
  for (; i + 4 <= out.size(); i += 4) {
    const std::uint32_t v = read32(offset + i);
    std::memcpy(out.data() + i, &v, 4);
  }
  for (; i < out.size(); ++i) out[i] = static_cast<std::byte>(read8(offset + i));
}

void Mmio::write_block(std::uint64_t offset, Bytes in) const {
  assert(inside(offset, in.size()));
  if (!inside(offset, in.size())) return;
  if (!memory_) return backend_->write_block(base_ + offset, in);
  std::size_t i = 0;
  for (; i < in.size() && (offset + i) % 4; ++i) write8(offset + i, static_cast<std::uint8_t>(in[i]));
  for (; i + 4 <= in.size(); i += 4) {
    std::uint32_t v;
    std::memcpy(&v, in.data() + i, 4);
    write32(offset + i, v);
  }
  for (; i < in.size(); ++i) write8(offset + i, static_cast<std::uint8_t>(in[i]));
}

}  // namespace hcq::pci
