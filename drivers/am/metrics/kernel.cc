// SPDX-License-Identifier: MIT
// Attributes: Documentation/gpu/amdgpu/thermal.rst of Linux 6.12, hwmon's sysfs interface.
#include "drivers/am/metrics/kernel.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/file.h"
#include "drivers/am/metrics/tables.h"

namespace hcq::am {

namespace {

namespace fs = std::filesystem;

class Reader {
 public:
  Reader(Metrics& m, std::string directory) : m_(m), directory_(std::move(directory)) {}

  // Sources are asked in order of trust: a value that is there already stays.
  void number(const std::string& attribute, const std::string& name, double scale) {
    if (m_.get(name)) return;
    const auto text = read_text(directory_ + "/" + attribute, 64);
    long long v = 0;
    if (!text.ok()) return;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), v);
    if (error == std::errc{} && end == text->data() + text->size()) m_.add(name, static_cast<double>(v) * scale);
  }
  void percent(const std::string& attribute, const std::string& name) {
    if (m_.get(name)) return;
    const auto v = pci::read_number(directory_ + "/" + attribute);
    if (v.ok()) m_.add_percent(name, static_cast<std::uint32_t>(std::min<std::uint64_t>(*v, 0xffffffff)));
  }
  std::string label(const std::string& attribute) {
    auto text = read_text(directory_ + "/" + attribute, 64);
    return text.ok() ? *text : std::string{};
  }

 private:
  Metrics& m_;
  std::string directory_;
};

std::string hwmon_of(const std::string& d) {
  std::error_code ignored;
  for (const auto& e : fs::directory_iterator(d + "/hwmon", ignored)) return e.path().string();
  return {};
}

void read_hwmon(Metrics& m, const std::string& directory) {
  Reader r(m, directory);
  for (int i = 1; i <= 8; ++i) {
    const std::string n = std::to_string(i), label = r.label("temp" + n + "_label");
    const std::string name = label == "junction" ? "hotspot" : label == "mem" ? "memory" : label;
    if (name == "edge" || name == "hotspot" || name == "memory")
      r.number("temp" + n + "_input", "temperature_" + name + "_c", 1e-3);
  }
  // Average power went away in some kernels; the instantaneous one is another quantity and has another name.
  r.number("power1_average", "power_average_w", 1e-6);
  r.number("power1_input", "power_instant_w", 1e-6);
  r.number("power1_cap", "power_cap_w", 1e-6);
  r.number("power1_cap_max", "power_cap_max_w", 1e-6);
  r.number("fan1_input", "fan_rpm", 1);
  r.number("pwm1", "fan_percent", 100.0 / 255);
  r.number("freq1_input", "clock_gfx_mhz", 1e-6);
  r.number("freq2_input", "clock_memory_mhz", 1e-6);
  r.number("in0_input", "voltage_gfx_mv", 1);
}

}  // namespace

Metrics read_kernel_metrics(const pci::Host& host, const std::string& bdf) {
  const std::string d = host.device_directory(bdf);
  Metrics m;
  if (const auto blob = read_file(d + "/gpu_metrics", 8192); blob.ok() && !blob->empty()) {
    auto decoded = decode_gpu_metrics(*blob);
    if (decoded.ok()) m = std::move(*decoded);
    else m.notes.push_back(describe(decoded.error()));
  }
  m.source = "amdgpu";
  if (const std::string hwmon = hwmon_of(d); !hwmon.empty()) read_hwmon(m, hwmon);
  Reader r(m, d);
  r.percent("gpu_busy_percent", "utilization_gfx_percent");
  r.percent("mem_busy_percent", "utilization_memory_percent");
  r.number("mem_info_vram_used", "memory_used_bytes", 1);
  r.number("mem_info_vram_total", "memory_total_bytes", 1);
  r.number("pcie_replay_count", "pcie_replay_count", 1);
  return m;
}

}  // namespace hcq::am
