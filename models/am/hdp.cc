// SPDX-License-Identifier: MIT
#include "models/am/hdp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/am/l2.h"

namespace hcq::models::am {

Hdp::Hdp(Chip& chip, std::function<void(std::uint64_t, const Page&)> before_store, std::size_t capacity_pages)
    : chip_(chip), before_store_(std::move(before_store)), capacity_(capacity_pages) {}

bool Hdp::refuses(std::uint64_t offset, std::uint64_t size, bool write) {
  const auto report = [&](const char* rule, const char* text) {
    chip_.report("hdp", rule, fmt::format("BAR 0 offset {:#x}, {} bytes", offset, size), offset, text,
                 "psp_v13_0.c, amdgpu_discovery.c (Linux 6.12)");
    return true;
  };
  if (offset > chip_.vram->size() || size > chip_.vram->size() - offset)
    return report("hdp.range", "the host accesses VRAM that does not exist");
  if (chip_.tmr.hits(offset, size)) return report("hdp.tmr_access", "the host accesses the trusted memory region");
  if (write && chip_.discovery.hits(offset, size))
    return report("hdp.discovery_write", "the host writes the discovery table");
  if (write && chip_.firmware_data.hits(offset, size))
    return report("hdp.firmware_region_write",
                  "the host writes to the top of VRAM, which the board's firmware keeps for itself");
  return false;
}

void Hdp::read(std::uint64_t offset, MutableBytes out) {
  if (refuses(offset, out.size(), false)) {
    std::fill(out.begin(), out.end(), std::byte{0xff});
    return;
  }
  const std::lock_guard lock(mutex_);
  while (!out.empty()) {
    const std::uint64_t page = offset >> 12, within = offset & 0xfff;
    const std::size_t n = std::min<std::size_t>(out.size(), 4096 - within);
    copy_words(out.data(), chip_.vram->at(offset, n), n);
    if (const auto it = pages_.find(page); it != pages_.end())
      for (std::size_t i = 0; i < n; ++i)
        if (it->second->written[(within + i) >> 6] >> ((within + i) & 63) & 1) out[i] = it->second->data[within + i];
    offset += n;
    out = out.subspan(n);
  }
}

void Hdp::write_page(std::uint64_t offset, Bytes in) {
  const std::uint64_t within = offset & 0xfff;
  auto& page = pages_[offset >> 12];
  if (!page) {
    if (free_.empty()) {
      page = std::make_unique<Page>();
    } else {
      page = std::move(free_.back());
      free_.pop_back();
      page->written.fill(0);
    }
    order_.push_back(offset >> 12);
  }
  std::memcpy(page->data + within, in.data(), in.size());
  for (std::size_t i = within; i < within + in.size();) {
    const std::size_t bit = i & 63, n = std::min<std::size_t>(64 - bit, within + in.size() - i);
    page->written[i >> 6] |= (n == 64 ? ~0ull : ((1ull << n) - 1)) << bit;
    i += n;
  }
}

void Hdp::write(std::uint64_t offset, Bytes in) {
  if (refuses(offset, in.size(), true)) return;
  const std::lock_guard lock(mutex_);
  while (!in.empty()) {
    const std::size_t n = std::min<std::size_t>(in.size(), 4096 - (offset & 0xfff));
    write_page(offset, in.subspan(0, n));
    offset += n;
    in = in.subspan(n);
    while (order_.size() > capacity_) {
      const auto it = pages_.find(order_.front());
      order_.pop_front();
      store(it->first, *it->second);
      free_.push_back(std::move(it->second));
      pages_.erase(it);
    }
  }
}

void Hdp::store(std::uint64_t vram_page, Page& page) {
  before_store_(vram_page, page);
  std::byte* to = chip_.vram->at(vram_page << 12, 4096);
  for (unsigned i = 0; i < 4096; i += 8) {
    const auto bits = static_cast<std::uint8_t>(page.written[i >> 6] >> (i & 63));
    if (bits == 0xff) copy_words(to + i, page.data + i, 8);
    else if (bits)
      for (unsigned b = 0; b < 8; ++b)
        if (bits >> b & 1) copy_words(to + i + b, page.data + i + b, 1);
  }
}

void Hdp::flush() {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t p : order_) {
    auto& page = pages_[p];
    store(p, *page);
    free_.push_back(std::move(page));
  }
  order_.clear();
  pages_.clear();
}

void Hdp::discard() {
  const std::lock_guard lock(mutex_);
  order_.clear();
  pages_.clear();
}

std::size_t Hdp::held_pages() const {
  const std::lock_guard lock(mutex_);
  return order_.size();
}

}  // namespace hcq::models::am
