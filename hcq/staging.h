// SPDX-License-Identifier: MIT
// Staging: copies between the caller's memory and device memory through a few host buffers and the copy queue, in
// chunks that overlap: while the device copies one, the host fills or empties the next.
//
// Threads: as the Device and the Queue that are passed in.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "hcq/device.h"

namespace hcq {

class Staging {
 public:
  static constexpr unsigned kSlots = 4;
  static constexpr std::uint64_t kSlotBytes = 1ull << 20;

  // Allocates the host buffers on `device`.
  static Result<Staging> make(Device& device, unsigned slots = kSlots, std::uint64_t slot_bytes = kSlotBytes);

  // Both return when all bytes are where they belong. `timeout` counts from the last progress.
  Status upload(Device& device, Queue& queue, std::uint64_t dst, Bytes data, Clock::duration timeout);
  Status download(Device& device, Queue& queue, std::uint64_t src, MutableBytes out, Clock::duration timeout);

 private:
  struct Slot {
    BufferRef buffer;
    std::uint64_t point = 0;  // timeline value after which the slot is free
  };
  explicit Staging(std::vector<Slot> slots) : slots_(std::move(slots)) {}
  std::vector<Slot> slots_;
};

}  // namespace hcq
