// SPDX-License-Identifier: MIT
#include "tools/smi/lib/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "devices/inspect.h"

namespace hcq::smi {

namespace {

// Class codes: PCI Code and ID Assignment Specification, section 1. 03: display, 12: processing accelerator,
// 02: network.
constexpr std::uint32_t kBaseClass = 0xff0000;

const std::array kKinds{
    KnownKind{"AMD GPU", "am", {.vendor = 0x1002, .class_code = 0x030000, .class_mask = kBaseClass}},
    KnownKind{"AMD accelerator", "am", {.vendor = 0x1002, .class_code = 0x120000, .class_mask = kBaseClass}},
    KnownKind{"NVIDIA GPU", "nv", {.vendor = 0x10de, .class_code = 0x030000, .class_mask = kBaseClass}},
    KnownKind{"Broadcom NIC", "bnxt", {.vendor = 0x14e4, .class_code = 0x020000, .class_mask = kBaseClass}},
    KnownKind{"Mellanox NIC", "mlx5", {.vendor = 0x15b3, .class_code = 0x020000, .class_mask = kBaseClass}},
};

struct Word {
  const char* word;
  const char* family;
};
constexpr std::array kWords{Word{"am", "am"},     Word{"amd", "am"},       Word{"nv", "nv"},
                            Word{"nvidia", "nv"}, Word{"bnxt", "bnxt"},    Word{"broadcom", "bnxt"},
                            Word{"mlx5", "mlx5"}, Word{"mellanox", "mlx5"}};

}  // namespace

std::span<const KnownKind> known_kinds() { return kKinds; }

const KnownKind* kind_of(const pci::Identity& id) {
  for (const KnownKind& k : kKinds)
    if (k.filter.matches(id)) return &k;
  return nullptr;
}

std::string family_of_word(std::string_view word) {
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const Word& w : kWords)
    if (lower == w.word) return w.family;
  return {};
}

std::vector<std::string> modules_of(std::string_view family) {
  if (family == "am") return {"amdgpu"};
  if (family == "nv") return {"nvidia_drm", "nvidia_modeset", "nvidia_uvm", "nvidia"};
  if (family == "bnxt") return {"bnxt_re", "bnxt_en"};
  if (family == "mlx5") return {"mlx5_ib", "mlx5_core"};
  return {};
}

std::string chip_of(const pci::FunctionInfo& f) {
  const KnownKind* kind = kind_of(f.identity);
  const char* chip = devices::chip_name(f.identity.vendor, f.identity.device);
  std::string text = chip ? chip : kind ? kind->name : fmt::format("class {:06x}", f.identity.class_code);
  if (!f.physical_function.empty()) text += " VF";
  return text;
}

}  // namespace hcq::smi
