// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/error.h"

namespace hcq::model {

struct ServeOptions {
  std::string model;   // "navi31?vram=512M", an address without "model:"
  std::string listen;  // "unix:PATH"
  std::string record;  // file for the trace; empty: none
  bool shared_vram = false;
};

// Serves until SIGTERM or SIGINT. Prints one line when hosts can connect:
//   ready MODEL pid PID unix:PATH
Status serve(const ServeOptions& o);

}  // namespace hcq::model
