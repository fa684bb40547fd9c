// SPDX-License-Identifier: MIT
#include "devices/model.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "devices/bridge_model.h"
#include "devices/create_model.h"
#include "devices/devices.h"
#include "drivers/usb4/function.h"
#include "models/am/navi31.h"
#include "models/am/synthetic_firmware.h"
#include "models/core/device.h"
#include "models/served/client.h"
#include "models/usb4/asm24.h"

namespace hcq::devices {
namespace {

struct Model {
  const char* name;
  const char* about;
  Result<std::shared_ptr<models::Device>> (*create)(const models::Options&);
};

constexpr std::array kModels{
    Model{"navi31", "AMD Radeon RX 7900 XTX (Navi31, gfx1100)", models::am::create_navi31},
};

Error bad_option(const Address& a, const std::string& key, const std::string& value, std::string hint) {
  return Error{.code = Errc::invalid_argument,
               .device = a.text,
               .operation = "open",
               .subject = fmt::format("{}={}", key, value),
               .detail = "not a valid model option",
               .hint = std::move(hint)};
}

Result<models::Options> model_options(const Address& a, models::Policy policy) {
  models::Options o;
  o.policy = policy;
  for (const auto& [key, value] : a.options) {
    if (key == "vram") {
      o.vram_bytes = HCQ_TRY(parse_size(value));
    } else if (key == "bar0") {
      o.bar0_bytes = HCQ_TRY(parse_size(value));
    } else if (key == "seed") {
      const auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), o.seed);
      if (ec != std::errc{} || end != value.data() + value.size()) return bad_option(a, key, value, "seed is a number");
    } else if (key == "policy") {
      if (value == "abort") o.policy = models::Policy::abort;
      else if (value == "record") o.policy = models::Policy::record;
      else if (value == "silicon") o.policy = models::Policy::silicon;
      else return bad_option(a, key, value, "policy is abort, record or silicon");
    } else if (key == "irq") {
      if (value != "on" && value != "off") return bad_option(a, key, value, "irq is on or off");
      o.interrupts = value == "on";
    } else {
      o.extra.emplace_back(key, value);
    }
  }
  return o;
}

struct Created {
  std::shared_ptr<models::Device> device;
  models::Options options;
};

Result<Created> create(const Address& a, models::Policy policy, bool shared_vram) {
  for (const Model& m : kModels) {
    if (a.name != m.name) continue;
    models::Options options = HCQ_TRY(model_options(a, policy));
    options.shared_vram = shared_vram;
    auto device = m.create(options);
    if (!device.ok()) {
      Error e = std::move(device).error();
      if (e.device.empty()) e.device = a.text;
      return e;
    }
    return Created{std::move(*device), options};
  }
  std::string known;
  for (const Model& m : kModels) known += fmt::format("{}model:{}", known.empty() ? "" : ", ", m.name);
  return Error{.code = Errc::not_found,
               .device = a.text,
               .operation = "open",
               .detail = fmt::format("no model named \"{}\"", a.name),
               .hint = "known models: " + known + "; model:unix:PATH is one that hcq-model serves"};
}

Result<std::unique_ptr<pci::Function>> connect(const Address& a, const std::string& path) {
  models::served::ConnectOptions o;
  for (const auto& [key, value] : a.options) {
    if (key == "seed") {
      const auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), o.seed);
      if (ec != std::errc{} || end != value.data() + value.size()) return bad_option(a, key, value, "seed is a number");
    } else if ((key == "irq" || key == "shared") && (value == "on" || value == "off")) {
      (key == "irq" ? o.interrupts : o.map_bars) = value == "on";
    } else {
      return bad_option(a, key, value,
                        "a served model has seed=N, irq=on|off and shared=on|off; the others are the server's");
    }
  }
  return models::served::connect(a.text, path, o);
}

constexpr std::string_view kBridge = "asm24+";

// The model behind a model of a USB bridge, through the bridge's driver.
Result<std::unique_ptr<pci::Function>> open_bridged(const Address& a) {
  Address behind = a;
  behind.name = a.name.substr(kBridge.size());
  Created c = HCQ_TRY(create(behind, models::Policy::abort, false));
  models::usb4::Asm24Options bridge;
  bridge.policy = c.options.policy;
  return usb4::open(a.text, in_process_transport(std::make_shared<models::usb4::Asm24>(std::move(c.device), bridge)));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> models() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Model& m : kModels) list.emplace_back(m.name, m.about);
  return list;
}

Result<std::unique_ptr<pci::Function>> open_model(const Address& a) {
  constexpr std::string_view kUnix = "unix:";
  if (a.name.starts_with(kUnix)) return connect(a, a.name.substr(kUnix.size()));
  if (a.name.starts_with(kBridge)) return open_bridged(a);
  Created c = HCQ_TRY(create(a, models::Policy::abort, false));
  return models::attach(a.text, std::move(c.device), c.options);
}

Result<std::shared_ptr<models::Device>> create_model(const Address& a, bool shared_vram) {
  return std::move(HCQ_TRY(create(a, models::Policy::record, shared_vram)).device);
}

Status write_model_firmware(const std::string& directory) { return models::am::write_synthetic_firmware(directory); }

am::FirmwareSources model_firmware(const Address&) {
  return {am::firmware_memory("synthetic", models::am::synthetic_firmware())};
}

}  // namespace hcq::devices
