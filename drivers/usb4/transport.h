// SPDX-License-Identifier: MIT
// Transport: the five things that the bridge driver asks of a USB device. A model in this process implements them, and
// so can a USB library.
//
// Not thread-safe: one call at a time. Every call ends by its deadline. Errors: device_lost when the device has left
// the bus, timeout, io for a stall or a transaction that failed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "base/deadline.h"
#include "base/error.h"

namespace hcq::usb4 {

// The first eight bytes of a control transfer (USB 2.0, table 9-2); `length` is that of the data stage.
struct Setup {
  std::uint8_t request_type = 0, request = 0;
  std::uint16_t value = 0, index = 0, length = 0;
  bool operator==(const Setup&) const = default;
};

class Transport {
 public:
  virtual ~Transport() = default;
  // Bytes that came in; fewer than asked is no error here.
  virtual Result<std::size_t> control_in(const Setup& setup, MutableBytes in, Deadline deadline) = 0;
  virtual Status control_out(const Setup& setup, Bytes out, Deadline deadline) = 0;
  // Bytes that moved before a short packet or the deadline. What moved counts: the caller asks for the rest only.
  virtual Result<std::size_t> bulk_in(unsigned endpoint, MutableBytes in, Deadline deadline) = 0;
  virtual Result<std::size_t> bulk_out(unsigned endpoint, Bytes out, Deadline deadline) = 0;
  // Clears the halt of both bulk endpoints, which makes the bridge forget a stream it is in.
  virtual Status reset_endpoints(Deadline deadline) = 0;
};

}  // namespace hcq::usb4
