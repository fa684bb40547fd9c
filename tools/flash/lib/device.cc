// SPDX-License-Identifier: MIT
#include "tools/flash/lib/device.h"

#include <fmt/format.h>

#include "devices/devices.h"
#include "drivers/am/abi/ifwi.h"
#include "tools/flash/lib/chip_read.h"

namespace hcq::flash {
namespace {

Error bad_address(const std::string& address, std::string detail) {
  return Error{.code = Errc::invalid_argument, .device = address, .operation = "open", .detail = std::move(detail)};
}

Result<std::string> only_device(const pci::Host& host) {
  auto found = HCQ_TRY(pci::scan(host, {}));
  std::erase_if(found.functions, [](const pci::FunctionInfo& f) { return !am::flash::is_amd_display(f.identity); });
  if (found.functions.size() == 1) return "pci:" + found.functions[0].bdf;
  Error e{.code = Errc::not_found, .operation = "open"};
  if (found.functions.empty()) {
    e.device = "am:0";
    e.detail = "this machine has no AMD display function";
    e.hint = "name a device with --device; model:navi31 is always there";
    return e;
  }
  e.code = Errc::invalid_argument;
  e.detail = "this machine has several AMD display functions:";
  for (const auto& f : found.functions) e.detail += " pci:" + f.bdf;
  e.hint = "name one with --device";
  return e;
}

}  // namespace

Result<std::string> choose_device(const pci::Host& host, const std::string& wanted, Transport transport) {
  if (wanted.empty() && transport == Transport::usb) return choose_device(host, "usb:0", transport);
  const std::string address = wanted.empty() ? HCQ_TRY(only_device(host)) : wanted;
  const devices::Address a = HCQ_TRY(devices::parse_address(address));
  if (a.scheme == devices::Scheme::usb) {
    if (transport == Transport::pci) return bad_address(address, "this is a USB bridge and --transport says pci");
    return Error{.code = Errc::unimplemented,
                 .device = address,
                 .operation = "open",
                 .detail = "flashing through a USB bridge is not implemented in this version",
                 .hint = "put the card into a PCI Express slot"};
  }
  if (transport == Transport::usb) return bad_address(address, "this is no USB bridge and --transport says usb");
  if (a.scheme == devices::Scheme::cpu) return bad_address(address, "the CPU has no such flash");
  if (a.scheme == devices::Scheme::family && a.name != "am") return bad_address(address, "only AMD boards are known");
  return address;
}

Status check_owner(const pci::FunctionInfo& info) {
  if (info.driver.empty() || info.driver == "vfio-pci") return {};
  return Error{.code = Errc::refused,
               .device = "pci:" + info.bdf,
               .operation = "open",
               .subject = info.driver,
               .detail = "a kernel driver owns the device",
               .hint = fmt::format("with amdgpu, write the image to {}/psp_vbflash, read that file to start, and watch "
                                   "psp_vbflash_status; or unbind the driver first",
                                   "/sys/bus/pci/devices/" + info.bdf)};
}

Device::~Device() = default;

Result<std::unique_ptr<Device>> Device::open(const pci::Host& host, const std::string& wanted,
                                             const OpenOptions& options, spi::Pacer& pacer) {
  const std::string address = HCQ_TRY(choose_device(host, wanted, options.transport));
  const devices::Address a = HCQ_TRY(devices::parse_address(address));
  if (a.scheme == devices::Scheme::pci) HCQ_TRY(check_owner(HCQ_TRY(pci::inspect(host, a.name))));
  auto function = HCQ_TRY(devices::open_function(address));
  return open(std::move(function), address, options, pacer);
}

Result<std::unique_ptr<Device>> Device::open(std::unique_ptr<pci::Function> function, std::string address,
                                             const OpenOptions& options, spi::Pacer& pacer) {
  std::unique_ptr<Device> d(new Device);
  d->address_ = std::move(address);
  d->board_ = HCQ_TRY(am::flash::Board::open(std::move(function), pacer));
  if (!HCQ_TRY(am::flash::RomEngine::available(*d->board_))) return d;
  d->engine_ = HCQ_TRY(am::flash::RomEngine::open(*d->board_, options.prescale));
  d->nor_ = std::make_unique<spi::Nor>(*d->engine_, pacer);
  HCQ_TRY(d->nor_->probe());
  return d;
}

Status Device::need_engine() const {
  if (engine_) return {};
  const auto status = board_->io().read<am::regs::ROM_SW_STATUS>();
  if (!status.ok()) return status.error();
  return am::flash::gated_error(address_, status->raw);
}

Status Device::close() { return engine_ ? engine_->close() : Status(); }

Result<std::vector<std::byte>> read_flash(Device& device, am::flash::RomOrder order, const Progress& progress) {
  if (!device.gated() && device.nor().identity().bytes == 0)
    return device.nor().error(Errc::unsupported, "flash/read", 0,
                              "neither its id nor SFDP says how large this chip is");
  if (!device.gated()) return read_stable(device.nor(), progress);
  std::vector<std::byte> first(am::abi::ifwi::kImageBytes), second(first.size());
  const auto told = [&](const char* phase) {
    return [&progress, phase](std::uint64_t done) {
      if (progress) progress(phase, done, am::abi::ifwi::kImageBytes);
    };
  };
  HCQ_TRY(read_rom_window(device.board(), order, first, told("read")));
  HCQ_TRY(read_rom_window(device.board(), order, second, told("read again")));
  if (const auto d = compare(first, second)) {
    Error e{.code = Errc::refused, .device = device.address(), .operation = "flash/read", .address = d->offset};
    e.detail = fmt::format("two reads of the flash differ in {} bytes", d->count);
    return e;
  }
  HCQ_TRY(am::flash::check_rom_content(device.address(), first));
  return first;
}

}  // namespace hcq::flash
