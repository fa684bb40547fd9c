// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/file.h"
#include "base/progress.h"
#include "tools/flash/commands.h"

namespace hcq::flash {

std::atomic<bool> stop_requested{false};

Status print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
  return errno_error(errno, "write", "standard output");
}

Status print(const nlohmann::json& document) {
  return print(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void tell(const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
  std::fflush(stderr);
}

Result<std::unique_ptr<Device>> open_device(const Common& c, spi::Pacer& pacer) {
  OpenOptions o;
  o.prescale = c.prescale;
  if (c.transport == "pci") o.transport = Transport::pci;
  if (c.transport == "usb") o.transport = Transport::usb;
  return Device::open(c.host, c.device, o, pacer);
}

Result<am::flash::RomOrder> rom_order(const Common& c) {
  if (c.order == "natural") return am::flash::RomOrder::natural;
  if (c.order == "swapped") return am::flash::RomOrder::swapped;
  return am::flash::RomOrder::automatic;
}

Progress progress_bar(const Common& c) {
  struct Bar {
    std::string phase{};
    std::unique_ptr<hcq::Progress> bar{};
  };
  const auto b = std::make_shared<Bar>();
  return [b, quiet = c.quiet](const char* phase, std::uint64_t done, std::uint64_t total) {
    if (!b->bar || b->phase != phase) {
      b->bar.reset();
      b->phase = phase;
      b->bar = std::make_unique<hcq::Progress>(phase, total, quiet);
    }
    b->bar->update(done);
    if (done >= total) b->bar.reset();
  };
}

Status need_named_device(const Common& c) {
  if (!c.device.empty()) return {};
  Error e{.code = Errc::refused, .operation = "flash", .detail = "a command that writes works on a named device only"};
  const auto only = choose_device(c.host, "", Transport::automatic);
  e.hint = only.ok() ? "say --device " + *only : "say which with --device";
  return e;
}

}  // namespace hcq::flash
