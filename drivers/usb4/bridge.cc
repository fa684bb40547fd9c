// SPDX-License-Identifier: MIT
#include "drivers/usb4/bridge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>

namespace hcq::usb4 {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kControlTimeout{1000}, kPowerTimeout{10'000}, kRetryTime{1000};
constexpr unsigned kEngineRetries = 10, kTransferRetries = 3;
constexpr unsigned kBulkAttempts = 4;  // a transfer that stops in the middle goes on that often
constexpr std::size_t kStreamPiece = 64 << 10;
constexpr std::uint16_t kStringDescriptor = 0x0300, kEnglish = 0x0409;
constexpr std::uint8_t kProductString = 2;

// A bulk transfer may take a second and its bytes at 1 MB/s, the slowest figure published being 1.8 MB/s.
Deadline bulk_deadline(std::size_t bytes) { return Deadline::in(milliseconds(1000 + bytes / 1000)); }

std::uint32_t lanes(std::uint32_t data, std::uint64_t address, unsigned size) {
  data >>= 8 * (address & 3);
  return size == 4 ? data : data & ((1u << (8 * size)) - 1);
}

}  // namespace

Result<std::unique_ptr<Bridge>> Bridge::open(std::string name, std::unique_ptr<Transport> transport) {
  std::unique_ptr<Bridge> b(new Bridge(std::move(name), std::move(transport)));
  HCQ_TRY(b->identify());
  return b;
}

Bridge::Counters Bridge::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

std::optional<Error> Bridge::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

Status Bridge::check_lost() const {
  if (lost_) return Error(*lost_);
  return {};
}

Error Bridge::failed(Error e, const char* operation) {
  ++counters_.errors;
  e.device = name_;
  e.operation = operation;
  if (e.code == Errc::device_lost && !lost_) lost_ = e;
  return e;
}

Status Bridge::control_out(const Setup& setup, Bytes out, const char* operation, Deadline deadline) {
  HCQ_TRY(check_lost());
  ++counters_.transfers;
  if (auto s = transport_->control_out(setup, out, deadline); !s.ok()) return failed(std::move(s).error(), operation);
  return {};
}

Result<std::size_t> Bridge::control_in(const Setup& setup, MutableBytes in, const char* operation, Deadline deadline) {
  HCQ_TRY(check_lost());
  ++counters_.transfers;
  auto n = transport_->control_in(setup, in, deadline);
  if (!n.ok()) return failed(std::move(n).error(), operation);
  return std::min(*n, in.size());
}

Status Bridge::bulk_out(Bytes in, const char* operation) {
  const std::size_t whole = in.size();
  for (unsigned attempt = 0; !in.empty(); ++attempt) {
    HCQ_TRY(check_lost());
    ++counters_.transfers;
    auto n = transport_->bulk_out(kBulkOut, in, bulk_deadline(in.size()));
    if (n.ok() && *n != 0 && *n <= in.size() && attempt < kBulkAttempts) {
      in = in.subspan(*n);
      continue;
    }
    Error e = n.ok() ? Error{.code = Errc::timeout,
                             .expected = whole,
                             .actual = whole - in.size(),
                             .detail = "the bridge stopped taking data"}
                     : std::move(n).error();
    if (e.code != Errc::device_lost) (void)transport_->reset_endpoints(Deadline::in(kControlTimeout));
    return failed(std::move(e), operation);
  }
  return {};
}

Status Bridge::bulk_in(MutableBytes out, const char* operation) {
  const std::size_t whole = out.size();
  for (unsigned attempt = 0; !out.empty(); ++attempt) {
    HCQ_TRY(check_lost());
    ++counters_.transfers;
    auto n = transport_->bulk_in(kBulkIn, out, bulk_deadline(out.size()));
    if (n.ok() && *n != 0 && *n <= out.size() && attempt < kBulkAttempts) {
      out = out.subspan(*n);
      continue;
    }
    Error e = n.ok() ? Error{.code = Errc::timeout,
                             .expected = whole,
                             .actual = whole - out.size(),
                             .detail = "the bridge stopped sending data"}
                     : std::move(n).error();
    if (e.code != Errc::device_lost) (void)transport_->reset_endpoints(Deadline::in(kControlTimeout));
    return failed(std::move(e), operation);
  }
  return {};
}

Result<std::string> Bridge::string_descriptor(std::uint8_t index) {
  std::array<std::byte, 255> raw{};
  const Setup setup{0x80, 6, static_cast<std::uint16_t>(kStringDescriptor | index), kEnglish, raw.size()};
  const std::size_t got = HCQ_TRY(control_in(setup, raw, "usb4/identify", Deadline::in(kControlTimeout)));
  if (got < 2 || std::to_integer<unsigned>(raw[1]) != 3 || std::to_integer<std::size_t>(raw[0]) > got)
    return failed(Error{.code = Errc::corrupt, .subject = "string descriptor", .actual = got}, "usb4/identify");
  std::string text;
  for (std::size_t i = 2; i + 1 < std::to_integer<std::size_t>(raw[0]); i += 2) {
    const auto c = std::to_integer<unsigned char>(raw[i]);
    text += c >= 0x20 && c < 0x7f && raw[i + 1] == std::byte{0} ? static_cast<char>(c) : '?';
  }
  return text;
}

// The string decides the protocol; ids only find candidates.
Status Bridge::identify() {
  const std::lock_guard lock(mutex_);
  product_ = HCQ_TRY(string_descriptor(kProductString));
  if (product_.starts_with("custom")) return {};
  Error e{.code = Errc::unsupported, .device = name_, .operation = "usb4/identify", .subject = product_};
  if (product_.starts_with("AS2462")) {
    e.detail = "the bridge is in its boot loader: it has no firmware";
    e.hint = "flash the bridge";
  } else {
    e.detail = "the bridge does not run custom firmware, and only that is supported";
  }
  return e;
}

Result<std::uint8_t> Bridge::read_xdata_locked(std::uint16_t address, std::uint8_t bank) {
  std::array<std::byte, 1> v{};
  const Setup setup = read_xdata_setup(address, bank, 1);
  if (HCQ_TRY(control_in(setup, v, "usb4/read_xdata", Deadline::in(kControlTimeout))) != 1)
    return failed(Error{.code = Errc::corrupt, .expected = 1, .actual = 0, .address = address}, "usb4/read_xdata");
  return std::to_integer<std::uint8_t>(v[0]);
}

Result<std::uint8_t> Bridge::read_xdata(std::uint16_t address, std::uint8_t bank) {
  const std::lock_guard lock(mutex_);
  return read_xdata_locked(address, bank);
}

Status Bridge::write_xdata(std::uint16_t address, std::uint8_t value, std::uint8_t bank) {
  const std::lock_guard lock(mutex_);
  return control_out(write_xdata_setup(address, bank, value), {}, "usb4/write_xdata", Deadline::in(kControlTimeout));
}

Status Bridge::power(bool on) {
  const std::lock_guard lock(mutex_);
  return control_out(power_setup(on), {}, "usb4/power", Deadline::in(kPowerTimeout));
}

Status Bridge::bring_up_link(Deadline deadline) {
  const auto up = [](std::uint8_t state) { return state == kLinkUp || state == kLinkUpStock; };
  if (up(HCQ_TRY(read_xdata(kLinkState)))) return {};
  HCQ_TRY(power(true));
  for (;;) {
    const std::uint8_t state = HCQ_TRY(read_xdata(kLinkState));
    if (up(state)) return {};
    if (deadline.expired())
      return Error{.code = Errc::timeout,
                   .device = name_,
                   .operation = "usb4/link",
                   .subject = "B450",
                   .expected = kLinkUp,
                   .actual = state,
                   .detail = "the bridge answers, but there is no PCIe link behind it",
                   .hint = "Check the power supply and the seat of the card."};
    std::this_thread::sleep_for(milliseconds(10));
  }
}

Result<Completion> Bridge::exchange(const Request& r, const char* operation) {
  std::array<std::byte, 8> raw{};
  HCQ_TRY(control_out(r.setup, r.data, operation, Deadline::in(kControlTimeout)));
  const auto n = HCQ_TRY(control_in(completion_setup(), raw, operation, Deadline::in(kControlTimeout)));
  auto c = parse_completion(Bytes(raw).first(n));
  if (!c.ok()) return failed(std::move(c).error(), operation);
  return *c;
}

// A request that the bridge's engine failed is repeated a few times; one that the device asked to repeat, for a second.
Result<Completion> Bridge::complete(const Request& r, const char* operation, bool config) {
  const Deadline deadline = Deadline::in(kRetryTime);
  for (unsigned n = 0;; ++n) {
    auto answer = exchange(r, operation);
    if (!answer.ok()) {
      if (!config || answer.error().code != Errc::io || n >= kTransferRetries) return std::move(answer).error();
      ++counters_.retries;
      continue;
    }
    const Completion c = *answer;
    const bool engine = c.engine != 0 && n < kEngineRetries;
    const bool asked = c.engine == 0 && config && c.status == static_cast<std::uint8_t>(CompletionStatus::retry);
    if ((!engine && !asked) || deadline.expired()) return c;
    ++counters_.retries;
    std::this_thread::sleep_for(milliseconds(1));
  }
}

Error Bridge::refused(const char* operation, const Request& r, const Completion& c) const {
  std::uint64_t address;
  std::memcpy(&address, r.data.data(), 8);
  Error e{.code = Errc::device_fault, .device = name_, .operation = operation, .address = address};
  if (c.engine != 0) {
    e.code = Errc::timeout;
    e.detail = c.engine == 0xff ? "no completion came for the request" : "the bridge's PCIe engine reported an error";
  } else if (c.status == static_cast<std::uint8_t>(CompletionStatus::unsupported_request)) {
    e.code = Errc::not_found;
    e.detail = "unsupported request: nothing answers at that address";
  } else if (c.status != 0) {
    e.actual = c.status;
    e.detail = c.status == static_cast<std::uint8_t>(CompletionStatus::retry) ? "the device still asks to retry"
                                                                              : "the device aborted the request";
  } else {
    e.code = Errc::corrupt;
    e.actual = c.byte_count;
    e.detail = "the completion does not fit the request";
  }
  return e;
}

Result<std::uint32_t> Bridge::config_read(Bdf f, std::uint16_t offset, unsigned size) {
  const std::lock_guard lock(mutex_);
  const Request r = usb4::config_read(f, offset, size);
  const Completion c = HCQ_TRY(complete(r, "usb4/config_read", true));
  if (c.engine != 0 || c.status != 0 || !c.has_data || c.byte_count != 4) return refused("usb4/config_read", r, c);
  return lanes(c.data, offset, size);
}

Status Bridge::config_write(Bdf f, std::uint16_t offset, unsigned size, std::uint32_t value) {
  const std::lock_guard lock(mutex_);
  const Request r = usb4::config_write(f, offset, size, value);
  const Completion c = HCQ_TRY(complete(r, "usb4/config_write", true));
  if (c.engine != 0 || c.status != 0 || c.has_data || c.byte_count != 4) return refused("usb4/config_write", r, c);
  return {};
}

Result<std::uint32_t> Bridge::memory_read(std::uint64_t address, unsigned size) {
  const std::lock_guard lock(mutex_);
  const Request r = usb4::memory_read(address, size);
  const Completion c = HCQ_TRY(exchange(r, "usb4/memory_read"));  // a read may have side effects: not repeated
  if (c.engine != 0 || c.status != 0 || !c.has_data || c.byte_count != size) return refused("usb4/memory_read", r, c);
  return lanes(c.data, address, size);
}

Status Bridge::memory_write(std::uint64_t address, unsigned size, std::uint32_t value) {
  const std::lock_guard lock(mutex_);
  const Request r = usb4::memory_write(address, size, value);
  return control_out(r.setup, r.data, "usb4/memory_write", Deadline::in(kControlTimeout));
}

Status Bridge::stream_read(std::uint64_t address, MutableBytes out) {
  assert(address % 4 == 0 && out.size() % 4 == 0);
  for (std::size_t at = 0; at < out.size(); at += kStreamPiece) {
    const std::lock_guard lock(mutex_);
    const MutableBytes piece = out.subspan(at, std::min(kStreamPiece, out.size() - at));
    const Request r = usb4::stream_read(address + at, static_cast<std::uint32_t>(piece.size() / 4));
    HCQ_TRY(control_out(r.setup, r.data, "usb4/stream_read", Deadline::in(kControlTimeout)));
    HCQ_TRY(bulk_in(piece, "usb4/stream_read"));
  }
  return {};
}

Status Bridge::stream_write(std::uint64_t address, Bytes in) {
  assert(address % 4 == 0 && in.size() % 4 == 0);
  for (std::size_t at = 0; at < in.size(); at += kStreamPiece) {
    const std::lock_guard lock(mutex_);
    const Bytes piece = in.subspan(at, std::min(kStreamPiece, in.size() - at));
    const Request r = usb4::stream_write(address + at, static_cast<std::uint32_t>(piece.size() / 4));
    HCQ_TRY(control_out(r.setup, r.data, "usb4/stream_write", Deadline::in(kControlTimeout)));
    HCQ_TRY(bulk_out(piece, "usb4/stream_write"));
  }
  return {};
}

Status Bridge::sram_write(std::size_t offset, Bytes in) {
  if (offset % kSlotBytes || in.empty() || in.size() % kSectorBytes || offset > kSramBytes ||
      in.size() > kSramBytes - offset)
    return Error{.code = Errc::invalid_argument,
                 .device = name_,
                 .operation = "usb4/sram_write",
                 .actual = in.size(),
                 .address = offset,
                 .detail = "whole slots of 16 KiB and sectors of 512 bytes within 512 KiB only"};
  const std::lock_guard lock(mutex_);
  const auto slots = static_cast<unsigned>(round_up(in.size(), kSlotBytes) / kSlotBytes);
  const Setup setup = sram_write_setup(static_cast<unsigned>(offset / kSlotBytes), slots,
                                       static_cast<unsigned>(in.size() / kSectorBytes));
  HCQ_TRY(control_out(setup, {}, "usb4/sram_write", Deadline::in(kControlTimeout)));
  return bulk_out(in, "usb4/sram_write");
}

}  // namespace hcq::usb4
