// SPDX-License-Identifier: MIT
// UsbDevice: a USB device as its host controller sees it, below any library's names. A device model implements it; in
// front of it stands a UsbHost: a program's own fake controller, or the usb-redir server that plugs the model into a
// virtual machine (tests/vm/host/usb_redir_server.h).
//
// Standard requests are the device's too: descriptors, SET_CONFIGURATION, SET_INTERFACE and CLEAR_FEATURE arrive as
// control transfers, as on the wire. SET_ADDRESS does not: the controller does it.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace hcq::models::usb4 {

enum class UsbSpeed : std::uint8_t { full, high, super };  // super: 5 Gb/s and up

enum class TransferStatus : std::uint8_t {
  ok,
  stall,      // the endpoint has halted, or the control request is not supported
  cancelled,  // by cancel() or a reset
  babble,     // the device sent more than was asked for
  io_error,   // the transaction failed on the bus
};

// bmRequestType and the four fields after it (USB 2.0, table 9-2).
struct Setup {
  std::uint8_t request_type = 0, request = 0;
  std::uint16_t value = 0, index = 0, length = 0;
  bool to_host() const { return (request_type & 0x80) != 0; }
};

using TransferId = std::uint64_t;

// Where transfers end. Callable from any thread, also from inside the device's own calls.
class UsbHost {
 public:
  virtual ~UsbHost() = default;
  // Exactly once for each transfer. `data` is what came in (IN, at most what was asked for); `accepted` is how much was
  // taken (OUT).
  virtual void complete(TransferId id, TransferStatus status, Bytes data, std::uint32_t accepted) = 0;
  // The device has left the bus. Transfers still open need not complete.
  virtual void unplugged() = 0;
};

// Calls come from one thread at a time and must not wait: a transfer that cannot end now ends later.
class UsbDevice {
 public:
  virtual ~UsbDevice() = default;
  virtual UsbSpeed speed() const = 0;
  // Before the first transfer; null after the last, and then no call to the old host is running any more.
  virtual void attach(UsbHost* host) = 0;
  // Back to the default state; open transfers complete as cancelled.
  virtual void bus_reset() = 0;
  virtual void control(TransferId id, const Setup& setup, Bytes out) = 0;
  // `endpoint` is the address without the direction bit, `stream` 0 unless bulk streams are in use.
  virtual void bulk_out(TransferId id, unsigned endpoint, std::uint32_t stream, Bytes data) = 0;
  virtual void bulk_in(TransferId id, unsigned endpoint, std::uint32_t stream, std::uint32_t length) = 0;
  // The transfer completes as cancelled, unless it has ended already.
  virtual void cancel(TransferId id) = 0;
};

}  // namespace hcq::models::usb4
