// SPDX-License-Identifier: MIT
// Keeps a model at a Unix socket. One host at a time; the model outlives its hosts, as a card outlives the processes
// that drive it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "models/core/device.h"
#include "models/served/channel.h"
#include "models/served/session.h"

namespace hcq::models::served {

class Server {
 public:
  // Listens at `path` when it returns, and serves from a thread of its own. `name` is what hosts are told the model is.
  static Result<std::unique_ptr<Server>> start(const std::string& path, std::string name,
                                               std::shared_ptr<Device> device);
  // Hangs up on the host, removes the socket file. The model is the caller's again.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  bool attached();  // a host is there

 private:
  Server(std::string path, std::string name, std::shared_ptr<Device> device, Fd listener, Fd stop)
      : path_(std::move(path)),
        name_(std::move(name)),
        device_(std::move(device)),
        listener_(std::move(listener)),
        stop_(std::move(stop)) {}
  void serve();
  void greet(Fd socket);
  void reap();

  std::string path_, name_;
  std::shared_ptr<Device> device_;
  Fd listener_, stop_;
  std::mutex mutex_;
  std::unique_ptr<Session> session_;
  std::thread thread_;
};

}  // namespace hcq::models::served
