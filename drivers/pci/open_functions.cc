// SPDX-License-Identifier: MIT
#include "drivers/pci/open_functions.h"

#include <algorithm>

#include "drivers/pci/function.h"

namespace hcq::pci {

namespace {

struct Registry {
  std::mutex mutex;
  std::vector<OpenFunction*> open;
  bool ending = false;
};

// Never destroyed: functions may be kept in static objects.
Registry& registry() {
  static auto& r = *new Registry;
  return r;
}

}  // namespace

OpenFunction::OpenFunction(std::string name, Access access) : name_(std::move(name)), access_(std::move(access)) {
  const std::lock_guard lock(registry().mutex);
  registry().open.push_back(this);
}

OpenFunction::~OpenFunction() {
  const std::lock_guard lock(registry().mutex);
  std::erase(registry().open, this);
}

std::vector<StoppedFunction> stop_all_dma() {
  const std::lock_guard lock(registry().mutex);
  registry().ending = true;
  std::vector<StoppedFunction> stopped;
  for (const OpenFunction* f : registry().open) {
    const auto stop = [&]() -> Status {
      const std::uint32_t command = HCQ_TRY(f->access_.read_command());
      // All ones: it has left the bus and reaches no memory.
      if (command == 0xffff || !(command & kCommandBusMaster)) return {};
      return f->access_.write_command(command & ~std::uint32_t{kCommandBusMaster});
    };
    Status s = stop();
    if (!s && s.error().code == Errc::device_lost) s = {};
    stopped.push_back({f->name_, f->access_.note, std::move(s)});
  }
  return stopped;
}

Result<std::unique_lock<std::mutex>> permit_dma(const std::string& name) {
  std::unique_lock lock(registry().mutex);
  if (!registry().ending) return lock;
  return Error{.code = Errc::refused,
               .device = name,
               .operation = "config/bus_master",
               .subject = "PCI_COMMAND",
               .detail = "the process is ending"};
}

}  // namespace hcq::pci
