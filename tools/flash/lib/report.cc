// SPDX-License-Identifier: MIT
#include "tools/flash/lib/report.h"

#include <fmt/format.h>

#include "drivers/am/flash/checksum.h"

namespace hcq::flash {
namespace {

using nlohmann::json;

std::string line(std::string_view key, const std::string& value) { return fmt::format("{:<13} {}\n", key, value); }

std::string size_text(std::uint64_t bytes) {
  if (bytes != 0 && bytes % (1u << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes != 0 && bytes % 1024 == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} B", bytes);
}

std::string ids(std::uint16_t vendor, std::uint16_t device) { return fmt::format("{:04x}:{:04x}", vendor, device); }

std::string sfdp_text(const spi::ChipIdentity& c) {
  if (!c.sfdp) return "none: " + c.sfdp_problem;
  std::string s = fmt::format("{}.{}, {}", c.sfdp->major, c.sfdp->minor, size_text(c.sfdp->size_bytes));
  if (c.sfdp->erase_4k) s += fmt::format(", 4 KiB erase with {:#04x}", c.sfdp->erase_4k_instruction);
  return s;
}

std::string chip_lines(const spi::ChipIdentity& c, const spi::StatusRegisters& s) {
  std::string t = line("flash chip", fmt::format("{}, {}", c.text(), c.bytes ? size_text(c.bytes) : "size unknown"));
  t += line("SFDP", sfdp_text(c));
  t += line("registers", fmt::format("SR1 {:02x}  SR2 {:02x}  SR3 {:02x}", s.sr1, s.sr2, s.sr3));
  if (c.protection_known && c.bytes) {
    t += line("protected", describe(spi::protected_range(s, c.bytes), c.bytes));
    if (const auto w = spi::warn_about_clearing_cmp(s, c.bytes); !w.empty()) t += line("", w);
  } else {
    t += line("protected", "not known for this chip");
  }
  return t + line("register lock", describe(spi::register_lock(s)));
}

}  // namespace

Result<Info> collect_info(Device& device) {
  Info i{.address = device.address(), .board = device.board().identity(), .gated = device.gated()};
  // A board that keeps the engine to itself boots, and says so a little after power-on.
  const auto ran = [&] { return device.board().firmware_ran(); };
  constexpr auto kBootLimit = std::chrono::seconds(2);
  i.firmware_ran = i.gated ? HCQ_TRY(am::flash::wait_until(device.board().pacer(), kBootLimit, ran)) : HCQ_TRY(ran());
  i.secure_os = HCQ_TRY(device.board().secure_os_runs());
  if (i.gated) return i;
  i.chip = device.nor().identity();
  i.status = HCQ_TRY(device.nor().status());
  return i;
}

std::string info_text(const Info& i) {
  std::string t = line("device", fmt::format("{} ({}, subsystem {})", i.address, ids(i.board.vendor, i.board.device),
                                             ids(i.board.subsystem_vendor, i.board.subsystem_device)));
  t += line("board", i.firmware_ran ? "runs from its flash" : "did not start from its flash");
  t += line("secure OS", i.secure_os ? "started by a driver: updates by the firmware are gated" : "not started");
  t += line("raw engine", i.gated ? "gated: the board booted from its flash; use probe and ifwi-all, or the kernel "
                                    "driver's psp_vbflash"
                                  : "available");
  if (i.chip && i.status) t += chip_lines(*i.chip, *i.status);
  return t;
}

json info_json(const Info& i) {
  json j{{"address", i.address},
         {"vendor_id", i.board.vendor},
         {"device_id", i.board.device},
         {"subsystem_vendor_id", i.board.subsystem_vendor},
         {"subsystem_device_id", i.board.subsystem_device},
         {"firmware_ran", i.firmware_ran},
         {"secure_os_runs", i.secure_os},
         {"engine_gated", i.gated},
         {"chip", nullptr}};
  if (!i.chip || !i.status) return j;
  const spi::ChipIdentity& c = *i.chip;
  json& k = j["chip"] = {{"name", c.name}, {"jedec", c.jedec}, {"size_bytes", c.bytes}, {"sfdp", nullptr}};
  if (c.sfdp)
    k["sfdp"] = {{"major", c.sfdp->major},
                 {"minor", c.sfdp->minor},
                 {"size_bytes", c.sfdp->size_bytes},
                 {"erase_4k", c.sfdp->erase_4k}};
  k["status_registers"] = {i.status->sr1, i.status->sr2, i.status->sr3};
  k["register_lock"] = describe(spi::register_lock(*i.status));
  k["protected"] = nullptr;
  if (c.protection_known && c.bytes) {
    const spi::ProtectedRange r = spi::protected_range(*i.status, c.bytes);
    k["protected"] = {{"offset", r.offset}, {"size_bytes", r.size}, {"text", describe(r, c.bytes)}};
  }
  return j;
}

std::string difference_text(const ImageDifference& d) {
  if (d.regions.empty()) return "The images are equal.\n";
  std::string t = fmt::format("{:<16} {:>9} {:>9} {:>10} {:>9}\n", "REGION", "OFFSET", "SIZE", "FIRST", "BYTES");
  for (const RegionDifference& r : d.regions)
    t += fmt::format("{:<16} {:>#9x} {:>#9x} {:>#10x} {:>9}{}\n", r.name, r.offset, r.size, r.first, r.count,
                     r.expected ? "  expected" : "");
  return t + fmt::format("{} bytes differ{}.\n", d.bytes, d.only_expected() ? ", all where the firmware writes" : "");
}

json difference_json(const ImageDifference& d) {
  json j{{"equal", d.regions.empty()}, {"bytes", d.bytes}, {"only_expected", d.only_expected()}};
  j["regions"] = json::array();
  for (const RegionDifference& r : d.regions)
    j["regions"].push_back({{"name", r.name},
                            {"offset", r.offset},
                            {"size_bytes", r.size},
                            {"first", r.first},
                            {"bytes", r.count},
                            {"expected", r.expected}});
  return j;
}

json error_json(const Error& e) {
  json j{{"code", errc_name(e.code)}, {"message", describe(e)}};
  if (e.address) j["offset"] = *e.address;
  if (e.expected) j["expected"] = *e.expected;
  if (e.actual) j["actual"] = *e.actual;
  return j;
}

json job_json(const JobReport& r) {
  json j{{"outcome", outcome_name(r.outcome)},
         {"directory", r.directory},
         {"backup", r.backup},
         {"backup_sha256", r.backup_sha256},
         {"image_sha256", r.image_sha256},
         {"sectors_different", r.sectors.size()},
         {"sectors_written", r.sectors_written},
         {"protected_before", r.protected_before},
         {"protection_changed", r.protection_changed},
         {"protection_restored", r.protection_restored},
         {"message", r.last_line()}};
  j["error"] = r.cause ? error_json(*r.cause) : json(nullptr);
  return j;
}

std::string hex_dump(std::uint32_t offset, Bytes data) {
  std::string t;
  for (std::size_t at = 0; at < data.size(); at += 16) {
    const Bytes row = data.subspan(at, std::min<std::size_t>(16, data.size() - at));
    std::string hex, text;
    for (const std::byte b : row) {
      const auto c = std::to_integer<unsigned char>(b);
      hex += fmt::format("{:02x} ", c);
      text += c >= 0x20 && c < 0x7f ? static_cast<char>(c) : '.';
    }
    t += fmt::format("{:06x}  {:<48} {}\n", offset + at, hex, text);
  }
  return t;
}

}  // namespace hcq::flash
