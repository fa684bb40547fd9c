// SPDX-License-Identifier: MIT
// An image's parts, as text and JSON.
#include <fmt/format.h>

#include "drivers/am/flash/checksum.h"
#include "tools/flash/lib/report.h"

namespace hcq::flash {
namespace {

using namespace am::flash;
using nlohmann::json;

std::string sum_text(std::uint32_t stored, std::uint32_t computed) {
  if (stored == computed) return fmt::format("checksum {:08x} ok", stored);
  return fmt::format("checksum {:08x} WRONG, should be {:08x}", stored, computed);
}

std::string file_text(const IfwiFile& f) {
  if (f.size == 0 && !f.has_header) return fmt::format("    {:02x}  value {:#x}\n", f.type, f.value);
  std::string t = fmt::format("    {:02x}  {:#08x} {:#9x}", f.type, f.offset, f.size);
  if (f.has_header) t += fmt::format("  version {:<12}", f.version);
  if (f.encrypted) t += " encrypted";
  if (f.compressed) t += " compressed";
  if (f.is_signed) t += " signed";
  if (f.digest_matches) t += *f.digest_matches ? " hash ok" : " hash WRONG";
  return t + "\n";
}

json file_json(const IfwiFile& f) {
  json j{{"type", f.type}, {"offset", f.offset}, {"size_bytes", f.size}, {"version", nullptr}, {"hash_ok", nullptr}};
  if (f.has_header) {
    j["version"] = f.version;
    j["encrypted"] = f.encrypted;
    j["compressed"] = f.compressed;
    j["signed"] = f.is_signed;
  }
  if (f.digest_matches) j["hash_ok"] = *f.digest_matches;
  return j;
}

}  // namespace

std::string ifwi_text(const Ifwi& i, Bytes image) {
  std::string t = fmt::format("{} bytes, SHA-256 {}\n", image.size(), sha256_hex(image));
  t += "directories\n";
  for (const IfwiDirectory& d : i.directories) {
    t += fmt::format("  {:<8} {} at {:#x}, {} entries, {}\n", d.name, d.magic, d.offset, d.count,
                     sum_text(d.checksum, d.computed));
    for (const IfwiFile& f : d.files) t += file_text(f);
  }
  t += "slot headers\n";
  for (const IfwiSlotHeader& s : i.slots)
    t += s.present ? fmt::format("  {:<8} at {:#x}, slot {:#x} +{:#x}, priority {:#x}, updates {}, id {:#x}, {}\n",
                                 s.name, s.offset, s.location, s.slot_size, s.boot_priority, s.update_retry_count,
                                 s.psp_id, sum_text(s.checksum, s.computed))
                   : fmt::format("  {:<8} at {:#x}, erased\n", s.name, s.offset);
  if (i.signature_table) t += fmt::format("signatures at {:#x}\n", *i.signature_table);
  for (const IfwiSignature& s : i.signatures)
    t += fmt::format("  type {}   {:#08x} {:#9x}\n", s.type, s.offset, s.size);
  t += "expansion ROMs\n";
  for (const ExpansionRom& r : i.roms)
    t += fmt::format("  {:#08x} {:#9x}  {:04x}:{:04x} subsystem {:04x}:{:04x} part number {} checksum {}\n", r.offset,
                     r.size, r.vendor, r.device, r.subsystem_vendor, r.subsystem_device,
                     r.part_number.empty() ? "-" : r.part_number, r.checksum_matches ? "ok" : "WRONG");
  t += "regions\n";
  for (const Region& r : i.regions) t += fmt::format("  {:#08x} {:#9x}  {}\n", r.offset, r.size, r.name);
  if (i.findings.empty()) return t + "Nothing is wrong with this image.\n";
  t += "findings\n";
  for (const Finding& f : i.findings) t += fmt::format("  {:#08x}  {}: {}\n", f.offset.value_or(0), f.name, f.text);
  return t;
}

json ifwi_json(const Ifwi& i, Bytes image) {
  json j{{"size_bytes", image.size()}, {"sha256", sha256_hex(image)}};
  for (const char* key : {"directories", "slots", "signatures", "expansion_roms", "regions", "findings"})
    j[key] = json::array();
  for (const IfwiDirectory& d : i.directories) {
    json files = json::array();
    for (const IfwiFile& f : d.files) files.push_back(file_json(f));
    j["directories"].push_back({{"name", d.name},
                                {"magic", d.magic},
                                {"offset", d.offset},
                                {"checksum", d.checksum},
                                {"checksum_ok", d.checksum_matches()},
                                {"files", files}});
  }
  for (const IfwiSlotHeader& s : i.slots)
    j["slots"].push_back({{"name", s.name},
                          {"offset", s.offset},
                          {"present", s.present},
                          {"location", s.location},
                          {"slot_size_bytes", s.slot_size},
                          {"boot_priority", s.boot_priority},
                          {"update_retry_count", s.update_retry_count},
                          {"psp_id", s.psp_id},
                          {"checksum_ok", s.checksum_matches()}});
  for (const IfwiSignature& s : i.signatures)
    j["signatures"].push_back({{"type", s.type}, {"offset", s.offset}, {"size_bytes", s.size}});
  for (const ExpansionRom& r : i.roms)
    j["expansion_roms"].push_back({{"offset", r.offset},
                                   {"size_bytes", r.size},
                                   {"vendor_id", r.vendor},
                                   {"device_id", r.device},
                                   {"subsystem_vendor_id", r.subsystem_vendor},
                                   {"subsystem_device_id", r.subsystem_device},
                                   {"part_number", r.part_number},
                                   {"checksum_ok", r.checksum_matches}});
  for (const Region& r : i.regions)
    j["regions"].push_back({{"name", r.name}, {"offset", r.offset}, {"size_bytes", r.size}});
  for (const Finding& f : i.findings)
    j["findings"].push_back({{"name", f.name}, {"text", f.text}, {"offset", f.offset.value_or(0)}});
  return j;
}

}  // namespace hcq::flash
