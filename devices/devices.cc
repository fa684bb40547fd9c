// SPDX-License-Identifier: MIT
#include "devices/devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "devices/metrics.h"
#include "devices/model.h"
#include "drivers/am/device.h"
#include "drivers/cpu/device.h"
#include "drivers/pci/open.h"
#include "drivers/pci/scan.h"

namespace hcq::devices {
namespace {

constexpr std::uint32_t kClassDisplay = 0x030000, kBaseClassMask = 0xff0000;

Error not_yet(const Address& a, std::string what) {
  return Error{.code = Errc::unimplemented, .device = a.text, .operation = "open", .detail = std::move(what)};
}

Error named(Error e, const Address& a) {
  if (e.device.empty()) e.device = a.text;
  return e;
}

// The bdf of the n-th GPU of a family, ordered by address.
Result<std::string> nth_of_family(const Address& a, const pci::Host& host) {
  if (a.name != "am") return not_yet(a, fmt::format("this version has no driver for the {} family", a.name));
  const pci::Filter filter{.vendor = am::kVendorAmd, .class_code = kClassDisplay, .class_mask = kBaseClassMask};
  const auto found = HCQ_TRY(pci::scan(host, {&filter, 1}));
  if (a.index >= found.functions.size())
    return Error{.code = Errc::not_found,
                 .device = a.text,
                 .operation = "open",
                 .detail = fmt::format("this machine has {} AMD display functions", found.functions.size()),
                 .hint = "hcq-smi list shows what there is; model:navi31 is always there"};
  return found.functions[a.index].bdf;
}

Result<pci::Via> via_option(const Address& a) {
  pci::Via via = pci::Via::automatic;
  for (const auto& [key, value] : a.options) {
    if (key == "via" && value == "sysfs") {
      via = pci::Via::sysfs;
    } else if (key == "via" && value == "vfio") {
      via = pci::Via::vfio;
    } else {
      return Error{.code = Errc::invalid_argument,
                   .device = a.text,
                   .operation = "open",
                   .detail = fmt::format("unknown option {}={}", key, value),
                   .hint = "the option is via=sysfs or via=vfio"};
    }
  }
  return via;
}

Result<std::unique_ptr<pci::Function>> open_pci(const Address& a, const std::string& bdf, const OpenOptions& options) {
  const pci::Via via = HCQ_TRY(via_option(a));
  auto f = pci::open_function(pci::Host::system(), bdf, {.via = via, .unbind_driver = options.unbind_kernel_driver});
  if (!f.ok()) return named(std::move(f).error(), a);
  return std::move(*f);
}

Result<std::unique_ptr<pci::Function>> open_address(const Address& a, const OpenOptions& options) {
  switch (a.scheme) {
    case Scheme::model:
      return open_model(a);
    case Scheme::pci:
      return open_pci(a, a.name, options);
    case Scheme::family:
      return open_pci(a, HCQ_TRY(nth_of_family(a, pci::Host::system())), options);
    case Scheme::usb:
      return not_yet(a, "the USB bridge driver has no libusb transport in this version");
    case Scheme::remote:
      return not_yet(a, "remote devices are not part of this version");
    case Scheme::kernel_driver:
      return not_yet(a, "devices behind the vendor's kernel driver are not part of this version");
    case Scheme::cpu:
      break;
  }
  return Error{
      .code = Errc::invalid_argument, .device = a.text, .operation = "open", .detail = "the CPU is no PCI function"};
}

Status check_vendor(const Address& a, const pci::Identity& id) {
  if (id.vendor == am::kVendorAmd) return {};
  return Error{.code = Errc::unsupported,
               .device = a.text,
               .operation = "open",
               .subject = fmt::format("{:04x}:{:04x}", id.vendor, id.device),
               .detail = "no driver of this version knows that vendor"};
}

}  // namespace

Result<std::unique_ptr<pci::Function>> open_function(std::string_view address, const OpenOptions& options) {
  return open_address(HCQ_TRY(parse_address(address)), options);
}

Status reset(const std::vector<std::string>& addresses, ResetKind kind, const OpenOptions& options) {
  std::vector<std::unique_ptr<pci::Function>> functions;
  for (const std::string& address : addresses) {
    functions.push_back(HCQ_TRY(open_function(address, options)));
    if (kind == ResetKind::chip && functions.back()->identity().vendor != am::kVendorAmd)
      return Error{.code = Errc::unsupported,
                   .device = address,
                   .operation = "reset",
                   .detail = "no driver of this version resets chips of that vendor",
                   .hint = "use the function reset"};
  }
  if (kind == ResetKind::chip) return am::reset_gpus(std::move(functions));
  for (auto& f : functions) {
    HCQ_TRY(pci::set_bus_master(*f, false));
    HCQ_TRY(f->reset());
    const std::uint32_t vendor = HCQ_TRY(f->config_read(pci::kVendorId, 2));
    if (vendor != f->identity().vendor)
      return Error{.code = Errc::device_lost,
                   .device = f->name(),
                   .operation = "reset",
                   .subject = "vendor id",
                   .expected = f->identity().vendor,
                   .actual = vendor,
                   .detail = "the device did not come back",
                   .hint = "power-cycle it"};
  }
  return {};
}

Result<std::unique_ptr<Device>> open(std::string_view address, const OpenOptions& options) {
  const Address a = HCQ_TRY(parse_address(address));
  if (a.scheme == Scheme::cpu) {
    cpu::Options cpu_options;
    if (options.timeout) cpu_options.close_timeout = std::min(cpu_options.close_timeout, *options.timeout);
    if (a.options.empty()) return cpu::open(cpu_options);
    return Error{
        .code = Errc::invalid_argument, .device = a.text, .operation = "open", .detail = "cpu takes no options"};
  }
  // Opening enables the function and takes it from its driver, so a foreign one is refused before.
  if (a.scheme == Scheme::pci) {
    if (auto id = pci::read_identity(pci::Host::system(), a.name)) HCQ_TRY(check_vendor(a, *id));
  }
  auto function = HCQ_TRY(open_address(a, options));
  HCQ_TRY(check_vendor(a, function->identity()));
  am::DeviceOptions am_options;
  am_options.address = a.text;
  am_options.status_path = status_path(pci::Host::system(), a.scheme == Scheme::model ? a.text : function->name());
  if (options.timeout) {
    am_options.copy_timeout = *options.timeout;
    am_options.close_timeout = std::min(am_options.close_timeout, *options.timeout);
  }
  if (a.scheme == Scheme::model) am_options.boot.firmware = model_firmware(a);
  auto device = am::open(std::move(function), std::move(am_options));
  if (!device.ok()) return named(std::move(device).error(), a);
  return std::move(*device);
}

}  // namespace hcq::devices
