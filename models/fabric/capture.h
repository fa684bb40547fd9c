// SPDX-License-Identifier: MIT
// A pcap file of Ethernet frames (format of tcpdump.org, with nanosecond time stamps), for dissectors.
#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "base/bytes.h"
#include "base/error.h"

namespace hcq::models::fabric {

// Thread-safe. A disk that is full ends the recording; the file stays readable up to there.
class Capture {
 public:
  static Result<std::unique_ptr<Capture>> create(const std::string& path);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  void record(Bytes frame, std::chrono::nanoseconds at);

 private:
  explicit Capture(std::FILE* file) : file_(file) {}
  std::mutex mutex_;
  std::FILE* file_;
  bool broken_ = false;
};

}  // namespace hcq::models::fabric
