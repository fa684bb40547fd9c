// SPDX-License-Identifier: MIT
// A SuperSpeed device 174c:2464 with one vendor interface and one pair of bulk endpoints, for the scenario usb_redir:
// what is written to it can be read back.
//
// Usage: vm_usb_echo SOCKET
//   vendor request 0xe5 out  writes byte wValue of its 256 registers: the low byte of wIndex
//   vendor request 0xe4 in   reads wLength registers from wValue on
//   vendor request 0xe7 out  writes the data stage from wValue on
//   vendor request 0xf3 out  unplugs the device
//   bulk out 2, bulk in 1    first in, first out; an IN waits for data
// Anything else stalls.
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>

#include "tests/vm/host/usb_redir_server.h"

namespace {

using namespace hcq;
using namespace hcq::models::usb4;

constexpr std::uint8_t kDeviceDescriptor[] = {18, 1, 0x20, 0x03, 0, 0, 0, 9, 0x4c, 0x17, 0x64, 0x24, 1, 0, 1, 2, 3, 1};
constexpr std::uint8_t kConfigurationDescriptor[] = {
    9, 2,    44,   0, 1,    1,    0,    0xc0, 0,  // one interface, self powered
    9, 4,    0,    0, 2,    0xff, 0xff, 0xff, 0,  // vendor specific
    7, 5,    0x81, 2, 0x00, 0x04, 0,              // bulk in, 1024
    6, 0x30, 15,   0, 0,    0,                    // burst of 16
    7, 5,    0x02, 2, 0x00, 0x04, 0,              // bulk out
    6, 0x30, 15,   0, 0,    0};
constexpr std::uint8_t kBosDescriptor[] = {5,  15, 22, 0, 2,                   //
                                           7,  16, 2,  2, 0, 0, 0,             // USB 2.0 extension
                                           10, 16, 3,  0, 8, 0, 3, 10, 0, 0};  // SuperSpeed
constexpr const char* kStrings[] = {"", "hcq", "echo", "0123456789"};

class EchoDevice final : public UsbDevice {
 public:
  UsbSpeed speed() const override { return UsbSpeed::super; }
  void attach(UsbHost* host) override { host_ = host; }
  void bus_reset() override {
    fifo_.clear();
    while (!waiting_.empty()) finish_waiting(TransferStatus::cancelled, {});
  }

  void control(TransferId id, const Setup& s, Bytes out) override {
    const std::uint8_t kind = s.request_type & 0x60;
    if (kind == 0) return standard(id, s);
    const std::size_t at = s.value & 0xff;
    if (s.request_type == 0xc0 && s.request == 0xe4) {
      const std::size_t n = std::min<std::size_t>(s.length, sizeof registers_ - at);
      return done(id, std::as_bytes(std::span(registers_)).subspan(at, n));
    }
    if (s.request_type == 0x40 && s.request == 0xe5 && s.length == 0) {
      registers_[at] = static_cast<std::uint8_t>(s.index);
      return done(id, {});
    }
    if (s.request_type == 0x40 && s.request == 0xe7 && out.size() <= sizeof registers_ - at) {
      std::memcpy(registers_ + at, out.data(), out.size());
      return host_->complete(id, TransferStatus::ok, {}, static_cast<std::uint32_t>(out.size()));
    }
    if (s.request_type == 0x40 && s.request == 0xf3) {
      done(id, {});
      return host_->unplugged();
    }
    host_->complete(id, TransferStatus::stall, {}, 0);
  }

  void bulk_out(TransferId id, unsigned endpoint, std::uint32_t, Bytes data) override {
    if (endpoint != 2) return host_->complete(id, TransferStatus::stall, {}, 0);
    fifo_.insert(fifo_.end(), data.begin(), data.end());
    host_->complete(id, TransferStatus::ok, {}, static_cast<std::uint32_t>(data.size()));
    feed();
  }
  void bulk_in(TransferId id, unsigned endpoint, std::uint32_t, std::uint32_t length) override {
    if (endpoint != 1) return host_->complete(id, TransferStatus::stall, {}, 0);
    waiting_.push_back({id, length});
    feed();
  }
  void cancel(TransferId id) override {
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
      if (it->id != id) continue;
      waiting_.erase(it);
      return host_->complete(id, TransferStatus::cancelled, {}, 0);
    }
  }

 private:
  struct Waiting {
    TransferId id;
    std::uint32_t length;
  };
  void done(TransferId id, Bytes data) { host_->complete(id, TransferStatus::ok, data, 0); }

  void standard(TransferId id, const Setup& s) {
    constexpr std::uint8_t kClearFeature = 1, kGetDescriptor = 6, kSetConfiguration = 9, kSetInterface = 11;
    if (s.request == kClearFeature || s.request == kSetConfiguration || s.request == kSetInterface ||
        (s.request_type == 0 && !s.to_host()))
      return done(id, {});
    if (s.request != kGetDescriptor) {
      const std::byte zero[2] = {};  // GET_STATUS, GET_INTERFACE
      return done(id, Bytes(zero).first(std::min<std::size_t>(2, s.length)));
    }
    const auto send = [&](Bytes d) { done(id, d.first(std::min<std::size_t>(d.size(), s.length))); };
    const unsigned index = s.value & 0xff;
    switch (s.value >> 8) {
      case 1:
        return send(std::as_bytes(std::span(kDeviceDescriptor)));
      case 2:
        return send(std::as_bytes(std::span(kConfigurationDescriptor)));
      case 15:
        return send(std::as_bytes(std::span(kBosDescriptor)));
      case 3: {
        if (index >= std::size(kStrings)) break;
        std::vector<std::byte> d{std::byte{0}, std::byte{3}};
        if (index == 0) d.insert(d.end(), {std::byte{0x09}, std::byte{0x04}});
        for (const char* c = kStrings[index]; *c != 0; ++c)
          d.insert(d.end(), {static_cast<std::byte>(*c), std::byte{0}});
        d[0] = static_cast<std::byte>(d.size());
        return send(d);
      }
      default:
        break;
    }
    host_->complete(id, TransferStatus::stall, {}, 0);
  }

  void feed() {
    while (!waiting_.empty() && !fifo_.empty()) {
      const std::size_t n = std::min<std::size_t>(waiting_.front().length, fifo_.size());
      const std::vector<std::byte> data(fifo_.begin(), fifo_.begin() + static_cast<long>(n));
      fifo_.erase(fifo_.begin(), fifo_.begin() + static_cast<long>(n));
      finish_waiting(TransferStatus::ok, data);
    }
  }
  void finish_waiting(TransferStatus status, Bytes data) {
    const TransferId id = waiting_.front().id;
    waiting_.pop_front();
    host_->complete(id, status, data, 0);
  }

  UsbHost* host_ = nullptr;
  std::uint8_t registers_[256] = {};
  std::deque<std::byte> fifo_;
  std::deque<Waiting> waiting_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: vm_usb_echo SOCKET\n");
    return 2;
  }
  EchoDevice device;
  auto server = vm::UsbRedirServer::listen(argv[1], device);
  const Status s = server.ok() ? (*server)->serve() : Status(std::move(server).error());
  if (s.ok()) return 0;
  std::fprintf(stderr, "%s\n", describe(s.error()).c_str());
  return 1;
}
