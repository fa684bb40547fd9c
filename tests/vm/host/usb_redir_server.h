// SPDX-License-Identifier: MIT
// UsbRedirServer: plugs a UsbDevice into a virtual machine. QEMU's usb-redir device connects to a Unix socket; what the
// guest's host controller asks for arrives here as usb-redir packets (libusbredirparser) and goes to the device.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/file.h"
#include "models/usb4/usb_device.h"

struct usbredirparser;

namespace vm {

class UsbRedirServer final : private hcq::models::usb4::UsbHost {
 public:
  static hcq::Result<std::unique_ptr<UsbRedirServer>> listen(const std::string& path,
                                                             hcq::models::usb4::UsbDevice& device);
  ~UsbRedirServer() override;
  // Waits for one machine and serves it until it goes away or the device is unplugged.
  hcq::Status serve();

 private:
  using Bytes = hcq::Bytes;
  using TransferId = hcq::models::usb4::TransferId;
  using TransferStatus = hcq::models::usb4::TransferStatus;
  enum class Kind : std::uint8_t { own, control, bulk_in, bulk_out, set_configuration, set_interface };
  struct Transfer {
    Kind kind = Kind::own;
    std::uint64_t id = 0;  // usb-redir's
    hcq::models::usb4::Setup setup{};
    std::uint8_t endpoint = 0;
    std::uint32_t stream = 0;
    bool cancelled = false;  // usb-redir wants the answer "cancelled" at once and nothing afterwards
  };
  struct Completion {
    TransferId id = 0;
    TransferStatus status = TransferStatus::ok;
    std::vector<std::byte> data;
    std::uint32_t accepted = 0;
  };
  struct Callbacks;  // usbredirparser's C functions

  UsbRedirServer(hcq::models::usb4::UsbDevice& device, hcq::Fd listener, hcq::Fd wake, std::string path);
  void complete(TransferId id, TransferStatus status, Bytes data, std::uint32_t accepted) override;
  void unplugged() override;

  TransferId open(Transfer t);
  hcq::Result<std::vector<std::byte>> read_descriptor(std::uint8_t type, std::uint16_t length);
  hcq::Status announce();
  void describe_interfaces(Bytes configuration);
  void answer(const Completion& c);
  void answer_all();
  bool pump(hcq::Clock::duration wait);
  void cancel(std::uint64_t redir_id);

  hcq::models::usb4::UsbDevice& device_;
  hcq::Fd listener_, wake_, socket_;
  const std::string path_;
  usbredirparser* parser_ = nullptr;
  bool hello_ = false;
  std::map<TransferId, Transfer> open_;
  TransferId next_ = 1;
  std::map<TransferId, Completion> own_;  // answers to our own requests
  std::mutex mutex_;                      // the two below
  std::vector<Completion> done_;
  bool unplugged_ = false;
};

}  // namespace vm
