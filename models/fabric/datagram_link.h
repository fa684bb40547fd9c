// SPDX-License-Identifier: MIT
// DatagramLink: a port of a fabric whose other end is in another process. One datagram is one Ethernet frame, over a
// Unix socket or UDP: the format of QEMU's "-netdev dgram", and of another fabric's link.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <memory>
#include <thread>

#include "base/file.h"
#include "models/fabric/fabric.h"

namespace hcq::models::fabric {

class DatagramLink {
 public:
  // Both bind `local`; the peer may come later and may come again. Frames for a peer that is not there are lost.
  // A socket file left behind by an earlier process is replaced.
  static Result<std::unique_ptr<DatagramLink>> open_unix(Fabric& fabric, const std::string& local,
                                                         const std::string& remote);
  // "127.0.0.1:5000"; numeric IPv4 only.
  static Result<std::unique_ptr<DatagramLink>> open_udp(Fabric& fabric, const std::string& local,
                                                        const std::string& remote);
  ~DatagramLink();
  DatagramLink(const DatagramLink&) = delete;
  DatagramLink& operator=(const DatagramLink&) = delete;
  Port& port() { return port_; }
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }  // either way

 private:
  struct Address {
    sockaddr_storage storage{};
    socklen_t size = 0;
  };
  DatagramLink(Fabric& fabric, Fd socket, Fd wake, const Address& remote, std::string unlink_path);
  static Result<Address> unix_address(const std::string& path);
  static Result<Address> udp_address(const std::string& text);
  static Result<std::unique_ptr<DatagramLink>> open(Fabric& fabric, const Address& local, const Address& remote,
                                                    std::string unlink_path);
  void run();
  void receive_all();
  void send_all();
  void send_one(Bytes frame);

  Fabric& fabric_;
  Port& port_;
  Fd socket_, wake_;
  const Address remote_;
  const std::string unlink_path_;
  bool connected_ = false;
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> dropped_{0};
  std::thread thread_;
};

}  // namespace hcq::models::fabric
