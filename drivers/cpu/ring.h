// SPDX-License-Identifier: MIT
// The command ring between the thread that feeds a queue and the thread that executes it: fixed size, one writer, one
// reader, no allocation. Each command is one 64-byte slot; the kernel arguments of an exec follow it in whole slots,
// contiguous, so that the kernel reads them in place.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "drivers/cpu/abi.h"
#include "hcq/device.h"

namespace hcq::cpu {

struct Cell;

enum class Op : std::uint8_t {
  begin,  // value: the submission's timeline value, length: its slots without this one
  skip,   // length: slots to the start of the ring
  wait,
  barrier,
  exec,
  copy,
  write,
  poll,
  timestamp,
  signal,
};

const char* op_name(Op op);

struct alignas(64) Command {
  Op op = Op::skip;
  std::uint32_t length = 0;   // slots that follow and belong to this command
  std::uint64_t address = 0;  // copy: destination; write, poll: address
  std::uint64_t source = 0;   // copy
  std::uint64_t value = 0;    // wait, signal: target; copy: bytes; write, poll: value
  union {
    Cell* cell;          // wait, timestamp, signal on a signal of this device
    abi::Kernel kernel;  // exec
    std::uint64_t mask;  // poll
  } u{.cell = nullptr};
  Signal* foreign = nullptr;      // wait, signal on another device's signal
  Dim3 groups{};                  // exec
  std::uint32_t local_bytes = 0;  // exec
};
static_assert(sizeof(Command) == 64);

class Ring {
 public:
  explicit Ring(std::uint32_t slots) : slots_(slots), mask_(slots - 1) { assert(is_pow2(slots)); }

  std::uint32_t slots() const { return static_cast<std::uint32_t>(slots_.size()); }
  Command& at(std::uint64_t position) { return slots_[position & mask_]; }
  std::uint64_t to_end(std::uint64_t position) const { return slots_.size() - (position & mask_); }

  // Positions only grow. [tail, head) is published and not yet finished.
  std::atomic<std::uint64_t> head{0};
  alignas(64) std::atomic<std::uint64_t> tail{0};

 private:
  std::vector<Command> slots_;
  std::uint64_t mask_;
};

}  // namespace hcq::cpu
