// SPDX-License-Identifier: MIT
// spi::Controller: something that can talk to one flash chip, one transaction at a time. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "base/bytes.h"
#include "base/deadline.h"
#include "base/error.h"

namespace hcq::spi {

// The first bytes of a transaction: an instruction, alone or with a 24-bit address behind it.
struct Command {
  std::uint8_t instruction = 0;
  bool has_address = false;
  std::uint32_t address = 0;
};

class Controller {
 public:
  virtual ~Controller() = default;
  virtual const std::string& name() const = 0;
  virtual std::size_t max_data() const = 0;  // bytes of data in one transaction, beside the command
  virtual Status send(const Command& command, Bytes data) = 0;
  virtual Status receive(const Command& command, MutableBytes data) = 0;
  // Content from `address` on, of any length: what receive() with READ would give, by the fastest way there is.
  virtual Status read(std::uint32_t address, MutableBytes data) = 0;
};

// How time passes for a driver that waits for a chip: the steady clock, or one that a test turns.
class Pacer {
 public:
  virtual ~Pacer() = default;
  virtual Clock::time_point now() { return Clock::now(); }
  virtual void wait(Clock::duration d) { std::this_thread::sleep_for(d); }
};

}  // namespace hcq::spi
