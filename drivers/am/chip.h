// SPDX-License-Identifier: MIT
// What is known about a chip: a table row by PCI device id, joined with what its IP discovery table says.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hcq::am {

inline constexpr std::uint16_t kVendorAmd = 0x1002;

struct IpVersion {
  std::uint8_t major = 0, minor = 0, revision = 0;
  bool operator==(const IpVersion&) const = default;
  auto operator<=>(const IpVersion&) const = default;
  std::string text() const;  // "11.0.0"
  std::string file() const;  // "11_0_0", as firmware files are named
};

// Generations differ in page-table format, firmware set, packet formats; the choice is made once, from the GC version.
enum class Generation : std::uint8_t { gfx9, gfx11, gfx12 };

// One row of the table of devices this driver opens.
struct KnownDevice {
  std::uint16_t device_id;
  const char* chip;  // "Navi31"
  bool supported;    // false: known, and refused with a message
};
std::span<const KnownDevice> known_devices();
const KnownDevice* find_device(std::uint16_t device_id);

// LLVM processor name and generation for a GC version; Errc::unsupported for versions this driver does not know.
struct Architecture {
  const char* name;  // "gfx1100"
  Generation generation;
};
Result<Architecture> architecture_of(IpVersion gc);

// Sizes from the discovery table's GC part (gc_info), harvested parts removed.
struct GfxConfig {
  std::uint32_t shader_engines = 0;
  std::uint32_t arrays_per_engine = 0;
  std::uint32_t cus_per_array = 0;  // compute units, two for each WGP
  std::uint32_t compute_units = 0;  // of the whole chip
  std::uint32_t wave_size = 0;
  std::uint32_t max_waves_per_simd = 0;
  std::uint32_t max_scratch_slots_per_cu = 0;
  std::uint32_t lds_bytes = 0;  // of one workgroup
};

struct ChipInfo {
  std::uint16_t device_id = 0;
  std::string chip;  // "Navi31"
  std::string arch;  // "gfx1100"
  Generation generation = Generation::gfx11;
  IpVersion gc, mmhub, nbio, hdp, osssys, mp0, mp1, sdma;
  unsigned xcc_count = 1;
  unsigned mmhub_count = 1;
  unsigned sdma_count = 1;
  GfxConfig gfx;
  std::uint64_t vram_bytes = 0;
};

// The block versions that a supported device id is known to have: for checks before the device is touched (are its
// firmware files there?). Driving it goes by the discovery table alone. Empty for ids that are not supported.
std::optional<ChipInfo> nominal_chip(std::uint16_t device_id);

}  // namespace hcq::am
