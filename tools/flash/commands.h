// SPDX-License-Identifier: MIT
// The subcommands of hcq-flash as functions. Each prints its result on standard output and returns the exit code; an
// Error is printed by main.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "tools/cli/exit.h"
#include "tools/flash/lib/device.h"
#include "tools/flash/lib/report.h"

namespace hcq::flash {

using enum cli::Exit;

struct Common {
  std::string device{}, transport = "auto", order = "auto";
  unsigned prescale = am::flash::kDefaultPrescale;
  bool json = false, quiet = false;
  pci::Host host = pci::Host::system();
};

// commands_read.cc
Result<int> info(const Common& c);
struct ReadOptions {
  std::string address{}, size{}, output{};
};
Result<int> read(const Common& c, const ReadOptions& o);
Result<int> dump(const Common& c, const std::string& file);
struct VerifyOptions {
  std::string image{};
  bool after_update = false;
};
Result<int> verify(const Common& c, const VerifyOptions& o);
Result<int> probe(const Common& c);

// commands_image.cc: no device
Result<int> ifwi(const Common& c, const std::string& image);
Result<int> diff(const Common& c, const std::string& a, const std::string& b, bool after_update);

// commands_write.cc
struct WriteOptions {
  std::string image{}, resume{}, state{};
  std::vector<std::string> accept{};
  bool yes = false, unprotect = false;
};
Result<int> flash(const Common& c, const WriteOptions& o);
Result<int> ifwi_all(const Common& c, const WriteOptions& o);
// `stream`, `ifwi-step`, `live-flash`: always refused.
Result<int> disabled(const std::string& command);

// Shared by them (output.cc).
Status print(const std::string& text);
Status print(const nlohmann::json& document);
Result<std::unique_ptr<Device>> open_device(const Common& c, spi::Pacer& pacer);
Result<am::flash::RomOrder> rom_order(const Common& c);
// A bar on stderr for each phase, when stderr is a terminal.
Progress progress_bar(const Common& c);
void tell(const std::string& line);  // on stderr
// For commands that write: Errc::refused when --device was left out.
Status need_named_device(const Common& c);

// Set by SIGINT and SIGTERM while a job runs.
extern std::atomic<bool> stop_requested;

}  // namespace hcq::flash
