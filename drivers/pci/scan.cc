// SPDX-License-Identifier: MIT
#include "drivers/pci/scan.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <sstream>

#include "base/file.h"

namespace hcq::pci {

namespace {

Result<std::uint64_t> field(const std::string& path, std::uint64_t max) {
  const std::uint64_t v = HCQ_TRY(read_number(path));
  if (v > max)
    return Error{.code = Errc::corrupt, .operation = "read", .subject = path, .actual = v, .detail = "out of range"};
  return v;
}

bool hex_word(const std::string& word, std::uint64_t& out) {
  if (!word.starts_with("0x")) return false;
  const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), out, 16);
  return error == std::errc{} && end == word.data() + word.size();
}

std::string text_or_empty(const std::string& path) {
  auto text = read_text(path);
  return text.ok() ? *text : std::string{};
}

unsigned number_or_zero(const std::string& path) {
  const auto n = read_number(path);
  return n.ok() && *n <= 255 ? static_cast<unsigned>(*n) : 0;
}

LinkInfo read_link(const std::string& directory) {
  return {.speed = text_or_empty(directory + "/current_link_speed"),
          .max_speed = text_or_empty(directory + "/max_link_speed"),
          .width = number_or_zero(directory + "/current_link_width"),
          .max_width = number_or_zero(directory + "/max_link_width")};
}

}  // namespace

bool Filter::matches(const Identity& id) const {
  return (!vendor || *vendor == id.vendor) && (!device || *device == id.device) &&
         (!class_code || (*class_code & class_mask) == (id.class_code & class_mask));
}

Result<Identity> read_identity(const Host& host, const std::string& bdf) {
  const std::string d = host.device_directory(bdf);
  Identity id;
  id.vendor = static_cast<std::uint16_t>(HCQ_TRY(field(d + "/vendor", 0xffff)));
  id.device = static_cast<std::uint16_t>(HCQ_TRY(field(d + "/device", 0xffff)));
  id.class_code = static_cast<std::uint32_t>(HCQ_TRY(field(d + "/class", 0xffffff)));
  id.subsystem_vendor = static_cast<std::uint16_t>(HCQ_TRY(field(d + "/subsystem_vendor", 0xffff)));
  id.subsystem_device = static_cast<std::uint16_t>(HCQ_TRY(field(d + "/subsystem_device", 0xffff)));
  id.revision = static_cast<std::uint8_t>(HCQ_TRY(field(d + "/revision", 0xff)));
  return id;
}

Result<BarTable> read_bars(const Host& host, const std::string& bdf) {
  const std::string path = host.device_directory(bdf) + "/resource";
  std::istringstream lines(HCQ_TRY(read_text(path)));
  BarTable bars;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const auto bad = [&](std::string detail) {
      return Error{.code = Errc::corrupt,
                   .device = bdf,
                   .operation = "read",
                   .subject = path,
                   .detail = fmt::format("line {}: {}", i + 1, detail)};
    };
    std::string line, start, end, flags, rest;
    if (!std::getline(lines, line)) return bad("missing");
    std::istringstream words(line);
    words >> start >> end >> flags;
    BarInfo& b = bars[i];
    if (!hex_word(start, b.start) || !hex_word(end, b.end) || !hex_word(flags, b.flags) || words >> rest)
      return bad("expected three hexadecimal numbers");
    if (b.end < b.start) return bad("end before start");
  }
  return bars;
}

Result<FunctionInfo> inspect(const Host& host, const std::string& bdf) {
  const std::string d = host.device_directory(bdf);
  if (!path_exists(d))
    return Error{.code = Errc::not_found,
                 .device = bdf,
                 .operation = "scan",
                 .detail = "there is no such PCI function",
                 .hint = "list the functions of this machine with hcq-smi list"};
  FunctionInfo f;
  f.bdf = bdf;
  f.identity = HCQ_TRY(read_identity(host, bdf));
  f.bars = HCQ_TRY(read_bars(host, bdf));
  f.driver = link_name(d + "/driver");
  f.power_state = text_or_empty(d + "/power_state");
  f.link = read_link(d);
  f.boot_display = text_or_empty(d + "/boot_vga") == "1";
  f.physical_function = link_name(d + "/physfn");
  f.virtual_functions = number_or_zero(d + "/sriov_numvfs");
  const std::string group = link_name(d + "/iommu_group");
  unsigned number = 0;
  const auto [end, error] = std::from_chars(group.data(), group.data() + group.size(), number);
  if (!group.empty() && error == std::errc{} && end == group.data() + group.size()) f.iommu_group = number;
  return f;
}

Result<ScanResult> scan(const Host& host, std::span<const Filter> filters) {
  const std::string directory = host.sysfs + "/bus/pci/devices";
  DIR* d = ::opendir(directory.c_str());
  if (!d) return errno_error(errno, "scan", directory);
  std::vector<std::string> names;
  while (const dirent* e = ::readdir(d))
    if (auto bdf = parse_bdf(e->d_name); bdf.ok() && *bdf == e->d_name) names.push_back(*bdf);
  ::closedir(d);
  std::sort(names.begin(), names.end());

  ScanResult result;
  for (const std::string& bdf : names) {
    const auto id = read_identity(host, bdf);
    if (id.ok() && !filters.empty() &&
        std::none_of(filters.begin(), filters.end(), [&](const Filter& f) { return f.matches(*id); }))
      continue;
    auto info = inspect(host, bdf);
    if (info.ok()) {
      info->holder = lock_holder(host, bdf);
      result.functions.push_back(std::move(*info));
    } else if (path_exists(host.device_directory(bdf))) {
      // One that went away between the listing and the look is no problem worth a line.
      result.problems.push_back(on_device(info.error(), bdf));
    }
  }
  return result;
}

}  // namespace hcq::pci
