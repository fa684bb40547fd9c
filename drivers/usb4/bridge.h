// SPDX-License-Identifier: MIT
// Bridge: the commands of an ASM24 bridge with custom firmware, as calls that end. It checks every answer, retries what
// may be repeated (configuration requests and memory reads of an engine that failed, bounded), never a memory write,
// and latches the loss of the device: after it each call fails at once with the first reason.
//
// Thread-safe; calls take turns, since the bridge has one request state.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "drivers/usb4/packets.h"

namespace hcq::usb4 {

class Bridge {
 public:
  struct Counters {
    std::uint64_t transfers = 0, retries = 0, errors = 0;
  };

  // Asks the device who it is. Errc::unsupported for stock firmware, the boot loader and unknown product strings.
  static Result<std::unique_ptr<Bridge>> open(std::string name, std::unique_ptr<Transport> transport);

  const std::string& name() const { return name_; }
  const std::string& product() const { return product_; }
  Counters counters() const;
  // The reason once the device is lost.
  std::optional<Error> lost() const;

  Result<std::uint8_t> read_xdata(std::uint16_t address, std::uint8_t bank = 0);
  Status write_xdata(std::uint16_t address, std::uint8_t value, std::uint8_t bank = 0);

  Status power(bool on);
  // Power on if needed; then waits for the link. Errc::timeout with the link's state when none comes up.
  Status bring_up_link(Deadline deadline);

  // `size` is 1, 2 or 4 and the access does not cross a dword. An unsupported request is Errc::not_found.
  Result<std::uint32_t> config_read(Bdf f, std::uint16_t offset, unsigned size);
  Status config_write(Bdf f, std::uint16_t offset, unsigned size, std::uint32_t value);
  Result<std::uint32_t> memory_read(std::uint64_t address, unsigned size);
  Status memory_write(std::uint64_t address, unsigned size, std::uint32_t value);
  // Whole dwords, in pieces of at most 64 KiB. A stream reports no PCIe error: the caller proves with a single request
  // that the device was there.
  Status stream_read(std::uint64_t address, MutableBytes out);
  Status stream_write(std::uint64_t address, Bytes in);
  // Host to the bridge's memory. `offset` is a multiple of 16 KiB, `in` of 512 bytes. The data is in the host's hands
  // only: nothing tells when it has landed.
  Status sram_write(std::size_t offset, Bytes in);

 private:
  Bridge(std::string name, std::unique_ptr<Transport> transport)
      : name_(std::move(name)), transport_(std::move(transport)) {}
  Status identify();
  Result<std::string> string_descriptor(std::uint8_t index);
  Status check_lost() const;
  Error failed(Error e, const char* operation);
  Status control_out(const Setup& setup, Bytes out, const char* operation, Deadline deadline);
  Result<std::size_t> control_in(const Setup& setup, MutableBytes in, const char* operation, Deadline deadline);
  Status bulk_out(Bytes in, const char* operation);
  Status bulk_in(MutableBytes out, const char* operation);
  Result<Completion> exchange(const Request& r, const char* operation);
  Result<Completion> complete(const Request& r, const char* operation, bool config);
  Error refused(const char* operation, const Request& r, const Completion& c) const;
  Result<std::uint8_t> read_xdata_locked(std::uint16_t address, std::uint8_t bank);

  const std::string name_;
  std::unique_ptr<Transport> transport_;
  mutable std::mutex mutex_;
  std::string product_;
  Counters counters_;
  std::optional<Error> lost_;
};

}  // namespace hcq::usb4
