// SPDX-License-Identifier: MIT
#include "devices/bridge_model.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>

namespace hcq::devices {
namespace {

using models::usb4::TransferId;
using models::usb4::TransferStatus;

class InProcessTransport final : public usb4::Transport, private models::usb4::UsbHost {
 public:
  explicit InProcessTransport(std::shared_ptr<models::usb4::UsbDevice> device) : device_(std::move(device)) {
    device_->attach(this);
  }
  ~InProcessTransport() override { device_->attach(nullptr); }

  Result<std::size_t> control_in(const usb4::Setup& s, MutableBytes in, Deadline deadline) override {
    const Ended e = HCQ_TRY(run(in, deadline, [&](TransferId id) { device_->control(id, convert(s), {}); }));
    if (!e.in_time) return timeout();
    return e.moved;
  }
  Status control_out(const usb4::Setup& s, Bytes out, Deadline deadline) override {
    const Ended e = HCQ_TRY(run({}, deadline, [&](TransferId id) { device_->control(id, convert(s), out); }));
    if (!e.in_time) return timeout();
    return {};
  }
  Result<std::size_t> bulk_in(unsigned endpoint, MutableBytes in, Deadline deadline) override {
    const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(in.size(), 1u << 30));
    return HCQ_TRY(run(in, deadline, [&](TransferId id) { device_->bulk_in(id, endpoint, 0, length); })).moved;
  }
  Result<std::size_t> bulk_out(unsigned endpoint, Bytes out, Deadline deadline) override {
    return HCQ_TRY(run({}, deadline, [&](TransferId id) { device_->bulk_out(id, endpoint, 0, out); })).moved;
  }
  Status reset_endpoints(Deadline deadline) override {
    for (const std::uint16_t endpoint : {std::uint16_t{0x81}, std::uint16_t{0x02}})
      HCQ_TRY(control_out({0x02, 1, 0, endpoint, 0}, {}, deadline));
    return {};
  }

 private:
  struct Ended {
    std::size_t moved = 0;
    bool in_time = true;
  };
  static models::usb4::Setup convert(const usb4::Setup& s) {
    return {s.request_type, s.request, s.value, s.index, s.length};
  }
  static Error timeout() {
    return Error{.code = Errc::timeout, .detail = "the bridge does not answer", .hint = "Power-cycle the enclosure."};
  }
  static Error lost() {
    return Error{.code = Errc::device_lost,
                 .detail = "the USB device has left the bus",
                 .hint = "Check cable and power, plug it in again and open it anew."};
  }

  template <class Start>
  Result<Ended> run(MutableBytes in, Deadline deadline, const Start& start) {
    TransferId id;
    {
      const std::lock_guard lock(mutex_);
      if (unplugged_) return lost();
      id = current_ = ++last_;
      done_ = false;
      status_ = TransferStatus::ok;
      moved_ = 0;
      in_ = in;
    }
    start(id);
    Ended e;
    std::unique_lock lock(mutex_);
    const auto ended = [&] { return done_ || unplugged_; };
    if (!ended_.wait_until(lock, deadline.when(), ended)) {
      e.in_time = false;
      lock.unlock();
      device_->cancel(id);
      lock.lock();
    }
    current_ = 0;
    in_ = {};
    if (unplugged_) return lost();
    e.moved = moved_;
    if (status_ == TransferStatus::ok || status_ == TransferStatus::cancelled) return e;
    const char* detail = status_ == TransferStatus::stall    ? "the endpoint has halted"
                         : status_ == TransferStatus::babble ? "the device sent more than was asked for"
                                                             : "the USB transaction failed";
    return Error{.code = Errc::io, .detail = detail};
  }

  void complete(TransferId id, TransferStatus status, Bytes data, std::uint32_t accepted) override {
    const std::lock_guard lock(mutex_);
    if (id != current_ || done_) return;
    const std::size_t n = std::min(data.size(), in_.size());
    if (n) std::memcpy(in_.data(), data.data(), n);
    moved_ = data.empty() ? accepted : n;
    status_ = status;
    done_ = true;
    ended_.notify_all();
  }
  void unplugged() override {
    const std::lock_guard lock(mutex_);
    unplugged_ = true;
    ended_.notify_all();
  }

  std::shared_ptr<models::usb4::UsbDevice> device_;
  std::mutex mutex_;
  std::condition_variable ended_;
  TransferId current_ = 0, last_ = 0;
  bool done_ = false, unplugged_ = false;
  TransferStatus status_ = TransferStatus::ok;
  std::size_t moved_ = 0;
  MutableBytes in_;
};

}  // namespace

std::unique_ptr<usb4::Transport> in_process_transport(std::shared_ptr<models::usb4::UsbDevice> device) {
  return std::make_unique<InProcessTransport>(std::move(device));
}

}  // namespace hcq::devices
