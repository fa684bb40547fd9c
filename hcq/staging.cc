// SPDX-License-Identifier: MIT
#include "hcq/staging.h"

#include <algorithm>
#include <cstring>

namespace hcq {

Result<Staging> Staging::make(Device& device, unsigned slots, std::uint64_t slot_bytes) {
  std::vector<Slot> made(slots);
  for (Slot& s : made) s.buffer = HCQ_TRY(device.alloc(slot_bytes, MemoryKind::host));
  return Staging(std::move(made));
}

Status Staging::upload(Device& device, Queue& queue, std::uint64_t dst, Bytes data, Clock::duration timeout) {
  const std::uint64_t chunk = slots_.front().buffer->size();
  std::uint64_t last = 0;
  for (std::uint64_t done = 0, i = 0; done < data.size(); ++i) {
    Slot& s = slots_[i % slots_.size()];
    const std::uint64_t n = std::min<std::uint64_t>(chunk, data.size() - done);
    HCQ_TRY(device.wait(s.point, timeout));
    std::memcpy(s.buffer->host(), data.data() + done, n);
    HCQ_TRY(queue.barrier());
    HCQ_TRY(queue.copy(dst + done, s.buffer->address(), n));
    last = s.point = HCQ_TRY(queue.submit());
    done += n;
  }
  return device.wait(last, timeout);
}

Status Staging::download(Device& device, Queue& queue, std::uint64_t src, MutableBytes out, Clock::duration timeout) {
  const std::uint64_t chunk = slots_.front().buffer->size();
  std::uint64_t asked = 0, got = 0, next_ask = 0, next_get = 0;
  while (got < out.size()) {
    // Ask for chunks as long as there is a free slot, then take the oldest.
    while (asked < out.size() && next_ask - next_get < slots_.size()) {
      Slot& s = slots_[next_ask % slots_.size()];
      const std::uint64_t n = std::min<std::uint64_t>(chunk, out.size() - asked);
      HCQ_TRY(device.wait(s.point, timeout));
      HCQ_TRY(queue.copy(s.buffer->address(), src + asked, n));
      s.point = HCQ_TRY(queue.submit());
      asked += n;
      ++next_ask;
    }
    const Slot& s = slots_[next_get % slots_.size()];
    const std::uint64_t n = std::min<std::uint64_t>(chunk, out.size() - got);
    HCQ_TRY(device.wait(s.point, timeout));
    std::memcpy(out.data() + got, s.buffer->host(), n);
    got += n;
    ++next_get;
  }
  return {};
}

}  // namespace hcq
