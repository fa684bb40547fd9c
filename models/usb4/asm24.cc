// SPDX-License-Identifier: MIT
#include "models/usb4/asm24.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hcq::models::usb4 {
namespace {

constexpr std::uint32_t kPacket = 1024;
constexpr unsigned kOut = 2, kIn = 1, kXdataLimit = 512, kSlots = 32, kSlotBytes = 16 << 10, kSector = 512;
constexpr std::uint16_t kLinkState = 0xb450;
constexpr const char* kSource = "tinygrad/asm2464pd-firmware, vendor request handlers";

bool posted(std::uint8_t type) { return (type & 0xdf) == 0x40; }

}  // namespace

Asm24::Asm24(std::shared_ptr<Device> device, Asm24Options options)
    : referee_(options.policy),
      options_(std::move(options)),
      tree_(std::move(device), referee_, options_.card_present, options_.retries_after_power) {
  for (auto& bank : xdata_) bank.resize(0x10000);
}

void Asm24::attach(UsbHost* host) {
  host_ = host;
  if (host) transfers_ = 0;
  open_.clear();
  reset_endpoints();
}

void Asm24::replug() {
  gone_ = false;
  faults_ = {};
  tree_.power(false);
  std::fill(tree_.sram().begin(), tree_.sram().end(), std::byte{0});
  has_request_ = answered_ = false;
  reset_endpoints();
}

void Asm24::bus_reset() {
  reset_endpoints();
  while (!open_.empty()) cancel(open_.begin()->first);
}

void Asm24::reset_endpoints() {
  stream_ = Stream::none;
  out_dead_ = false;
  remaining_ = 0;
}

void Asm24::cancel(TransferId id) {
  const auto it = open_.find(id);
  if (it == open_.end()) return;
  const Open o = std::move(it->second);
  open_.erase(it);
  if (host_) host_->complete(id, TransferStatus::cancelled, o.data, o.accepted);
}

bool Asm24::begin(TransferId id) {
  const std::uint64_t n = transfers_++;
  if (gone_ || n >= faults_.unplug_at) {
    const bool first = !gone_;
    gone_ = true;
    open_.clear();
    if (first && host_) host_->unplugged();
    return false;
  }
  short_now_ = n == faults_.short_at;
  if (n == faults_.silent_at) {
    leave_open(id);
    return false;
  }
  if (n == faults_.fail_at) {
    host_->complete(id, faults_.fail_status, {}, 0);
    return false;
  }
  return true;
}

void Asm24::ok(TransferId id, Bytes data, std::uint32_t accepted) {
  host_->complete(id, TransferStatus::ok, data, accepted);
}

void Asm24::stall(TransferId id) { host_->complete(id, TransferStatus::stall, {}, 0); }

void Asm24::violation(const char* rule, const char* where, std::uint64_t value, const char* text) {
  referee_.report({"usb4", rule, where, value, text, kSource});
}

void Asm24::control(TransferId id, const Setup& s, Bytes out) {
  if (!begin(id)) return;
  if ((s.request_type & 0x60) == 0) return standard(id, s);
  if (!s.to_host() && out.size() != s.length) return stall(id);
  if ((s.request_type & 0x7f) == 0x40) return s.to_host() ? vendor_in(id, s) : vendor_out(id, s, out);
  violation("usb4.unknown_request", "bmRequestType", s.request_type, "the firmware knows vendor requests only");
  leave_open(id);
}

// --- standard requests -----------------------------------------------------------------------------------------------

std::vector<std::byte> Asm24::descriptor(std::uint8_t type, std::uint8_t index) const {
  std::vector<std::uint8_t> d;
  if (type == 1) {
    d = {18, 1, 0x20, 0x03, 0, 0, 0, 9, 0xd1, 0xad, 0x01, 0x00, 0x01, 0x00, 1, 2, 3, 1};
  } else if (type == 2) {
    d = {9, 2, 44,   0, 1,    1,    0,    0xc0, 0,                  // configuration, self powered
         9, 4, 0,    0, 2,    0xff, 0xff, 0xff, 0,                  // interface
         7, 5, 0x81, 2, 0x00, 0x04, 0,    6,    0x30, 15, 0, 0, 0,  // bulk IN and its SuperSpeed companion
         7, 5, 0x02, 2, 0x00, 0x04, 0,    6,    0x30, 15, 0, 0, 0};
  } else if (type == 3 && index == 0) {
    d = {4, 3, 0x09, 0x04};
  } else if (type == 3 && index <= 3) {
    const std::string text = index == 1 ? "tiny" : index == 2 ? options_.product : "ffffffff";
    d = {static_cast<std::uint8_t>(2 + 2 * text.size()), 3};
    for (const char c : text) {
      d.push_back(static_cast<std::uint8_t>(c));
      d.push_back(0);
    }
  } else if (type == 15) {
    d = {5, 15, 22, 0, 2, 7, 16, 2, 2, 0, 0, 0, 10, 16, 3, 0, 0x0e, 0, 3, 0, 0, 0};
  }
  const auto bytes = std::as_bytes(std::span(d));
  return {bytes.begin(), bytes.end()};
}

void Asm24::standard(TransferId id, const Setup& s) {
  if (s.request_type == 0x80 && s.request == 6) {
    const auto d = descriptor(static_cast<std::uint8_t>(s.value >> 8), static_cast<std::uint8_t>(s.value));
    if (d.empty()) return leave_open(id);  // the firmware gives no answer
    return ok(id, Bytes(d).first(std::min<std::size_t>(d.size(), s.length)));
  }
  if (s.request_type == 0x80 && s.request == 0 && s.length == 2) {
    const std::array status{std::byte{1}, std::byte{0}};
    return ok(id, status);
  }
  const bool clear_halt = s.request_type == 0x02 && s.request == 1 && s.value == 0;
  const bool configure = s.request_type == 0x00 && s.request == 9,
             alternate = s.request_type == 0x01 && s.request == 11;
  if (clear_halt || configure || alternate) reset_endpoints();
  if (s.to_host() && s.length) return leave_open(id);
  ok(id, {});
}

// --- vendor requests -------------------------------------------------------------------------------------------------

std::uint8_t Asm24::xdata(std::uint16_t address, unsigned bank) {
  if (bank == 0 && address == kLinkState) return tree_.link_up() ? 0x78 : 0x00;
  if (bank == 0 && address >= 0xf000) return std::to_integer<std::uint8_t>(tree_.sram()[address - 0xf000]);
  return xdata_[bank][address];
}

std::vector<std::byte> Asm24::completion() const {
  std::vector<std::byte> raw(8);
  if (!answered_) {
    raw[7] = std::byte{0xff};
    return raw;
  }
  std::memcpy(raw.data(), &reply_.data, 4);
  const bool memory = request_type_ == 0x00 || request_type_ == 0x20;
  const unsigned count = memory ? static_cast<unsigned>(std::popcount(enables_)) : 4;
  raw[4] = static_cast<std::byte>(reply_.status << 5);
  raw[5] = static_cast<std::byte>(count);
  raw[6] = static_cast<std::byte>(reply_.has_data);
  return raw;
}

void Asm24::vendor_in(TransferId id, const Setup& s) {
  if (s.request == 0xe4) {
    const unsigned bank = s.index >> 8;
    if (s.length > kXdataLimit || bank > 1)
      violation("usb4.xdata_read", "E4", s.length, "at most 512 bytes at a time, of bank 0 or 1");
    std::vector<std::byte> d(std::min<unsigned>(s.length, kXdataLimit));
    for (unsigned i = 0; i < d.size(); ++i)
      d[i] = static_cast<std::byte>(xdata(static_cast<std::uint16_t>(s.value + i), bank & 1));
    return ok(id, d);
  }
  if (s.request == 0xf0 && s.length == 8) {
    if (!has_request_ || posted(request_type_))
      violation("usb4.no_completion", "F0", request_type_, "there is no request that gets a completion");
    const auto raw = completion();
    has_request_ = answered_ = false;
    return ok(id, raw);
  }
  violation("usb4.unknown_request", "bRequest", s.request, "the firmware does not answer this request");
  leave_open(id);
}

void Asm24::vendor_out(TransferId id, const Setup& s, Bytes out) {
  switch (s.request) {
    case 0xe5:
      if (s.length || s.index >> 8 > 1)
        violation("usb4.xdata_write", "E5", s.length, "the value is in wIndex; there is no data, and bank is 0 or 1");
      if (s.length) return leave_open(id);
      xdata_[s.index >> 8 & 1][s.value] = static_cast<std::uint8_t>(s.index);
      return ok(id, {});
    case 0xf0:
      return pcie_request(id, s, out);
    case 0xf2:
      return sram_request(id, s);
    case 0xf3:
      if (s.length || s.value > 1) violation("usb4.power", "F3", s.value, "wValue is 0 or 1, without data");
      tree_.power(s.value & 1);
      return ok(id, {});
    default:
      violation("usb4.unknown_request", "bRequest", s.request, "the firmware does not know this request");
      if (s.length) return leave_open(id);
      ok(id, {});
  }
}

void Asm24::pcie_request(TransferId id, const Setup& s, Bytes out) {
  if (stream_ != Stream::none && remaining_)
    violation("usb4.stream_cancelled", "F0", remaining_, "a request cancels the stream that is running");
  reset_endpoints();
  if (out.size() != 12) {
    violation("usb4.request_length", "F0", out.size(), "a PCIe request has 12 bytes");
    return leave_open(id);
  }
  std::uint32_t value;
  std::memcpy(&address_, out.data(), 8);
  std::memcpy(&value, out.data() + 8, 4);
  request_type_ = static_cast<std::uint8_t>(s.value);
  enables_ = static_cast<std::uint8_t>(s.value >> 8);
  const unsigned mode = s.index & 3;
  if (address_ % 4) violation("usb4.alignment", "F0", address_, "the address of a request is a multiple of 4");
  address_ &= ~std::uint64_t{3};
  if (enables_ == 0 || enables_ > 0xf) violation("usb4.byte_enables", "F0", enables_, "one to four byte enables");
  enables_ &= 0xf;
  if (mode == 0) {
    const auto reply = tree_.request(request_type_, enables_, address_, value);
    has_request_ = true;
    answered_ = reply.has_value();
    reply_ = reply.value_or(Reply{});
    if (reply_.has_data) stale_ = reply_.data;
    return ok(id, {}, 12);
  }
  if (mode == 3 || enables_ != 0xf || request_type_ != (mode == 1 ? 0x60 : 0x20))
    violation("usb4.stream_type", "F0", s.value, "a stream is of whole dwords, 0x60 to write and 0x20 to read");
  if (value == 0) violation("usb4.stream_empty", "F0", 0, "a stream of no dwords arms nothing: its transfer hangs");
  has_request_ = answered_ = false;
  stream_ = mode == 1 ? Stream::write : Stream::read;
  remaining_ = std::uint64_t{value} * 4;
  ok(id, {}, 12);
}

void Asm24::sram_request(TransferId id, const Setup& s) {
  if (stream_ != Stream::none && remaining_)
    violation("usb4.stream_cancelled", "F2", remaining_, "a request cancels the stream that is running");
  reset_endpoints();
  const unsigned sectors = s.value & 0x7fff, first = s.index & 0xff, slots = std::max(1, s.index >> 8);
  const bool good = s.length == 0 && sectors != 0 && first + slots <= kSlots && sectors * kSector <= slots * kSlotBytes;
  if (!good) violation("usb4.sram_range", "F2", s.index, "32 slots of 16 KiB, and sectors that fit into them");
  if (s.length) return leave_open(id);
  if (good && !(s.value & 0x8000)) {
    stream_ = Stream::sram;
    address_ = std::uint64_t{first} * kSlotBytes;
    remaining_ = std::uint64_t{sectors} * kSector;
  }
  ok(id, {});
}

// --- bulk ------------------------------------------------------------------------------------------------------------

void Asm24::accept(Bytes packet) {
  if (stream_ == Stream::sram) {
    std::memcpy(tree_.sram().data() + address_, packet.data(), packet.size());
    address_ += packet.size();
  } else {
    for (std::size_t i = 0; i + 4 <= packet.size(); i += 4, address_ += 4) {
      std::uint32_t v;
      std::memcpy(&v, packet.data() + i, 4);
      (void)tree_.request(0x60, 0xf, address_, v);
    }
  }
  remaining_ -= packet.size();
}

void Asm24::bulk_out(TransferId id, unsigned endpoint, std::uint32_t, Bytes data) {
  if (!begin(id)) return;
  Open o;
  const std::size_t limit = short_now_ ? data.size() / 2 / kPacket * kPacket : data.size();
  while (o.accepted < limit) {
    const Bytes packet = data.subspan(o.accepted, std::min<std::size_t>(kPacket, data.size() - o.accepted));
    const bool armed = endpoint == kOut && (stream_ == Stream::write || stream_ == Stream::sram) && !out_dead_;
    if (!armed || packet.size() > remaining_ || packet.size() % 4) {
      violation("usb4.bulk_out", "bulk OUT", packet.size(), "more data than was announced, or none was");
      out_dead_ = true;
      break;
    }
    accept(packet);
    o.accepted += static_cast<std::uint32_t>(packet.size());
  }
  if (o.accepted == data.size()) return ok(id, {}, o.accepted);
  open_.emplace(id, std::move(o));
}

void Asm24::bulk_in(TransferId id, unsigned endpoint, std::uint32_t, std::uint32_t length) {
  if (!begin(id)) return;
  if (endpoint != kIn || stream_ != Stream::read || remaining_ == 0) {
    violation("usb4.bulk_in", "bulk IN", length, "no stream sends data now");
    return leave_open(id);
  }
  if (length < remaining_ && length % kPacket) {
    violation("usb4.babble", "bulk IN", length, "a packet is longer than what is left of the host's buffer");
    return host_->complete(id, TransferStatus::babble, {}, 0);
  }
  Open o;
  std::uint64_t n = std::min<std::uint64_t>(length, remaining_);
  if (short_now_) n = n / 2 / kPacket * kPacket;
  o.data.resize(n);
  // The firmware stores what the data registers hold, whatever the completion said.
  for (std::size_t i = 0; i + 4 <= n; i += 4, address_ += 4) {
    const auto reply = tree_.request(0x20, 0xf, address_, 0);
    if (reply && reply->has_data) stale_ = reply->data;
    std::memcpy(o.data.data() + i, &stale_, 4);
  }
  remaining_ -= n;
  if (!short_now_) return ok(id, o.data);
  open_.emplace(id, std::move(o));
}

}  // namespace hcq::models::usb4
