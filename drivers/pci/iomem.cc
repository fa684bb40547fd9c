// SPDX-License-Identifier: MIT
#include "drivers/pci/iomem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <sstream>

#include "base/file.h"

namespace hcq::pci {

namespace {

// Beginnings of the names under which the kernel's boot framebuffer drivers reserve memory (drivers/firmware/sysfb*,
// drivers/video/fbdev, drivers/gpu/drm/sysfb), in lower case.
constexpr std::array kFramebufferNames{"bootfb", "efifb",  "vesafb", "simplefb", "simpledrm", "simple-framebuffer",
                                       "efidrm", "vesadrm"};

struct Range {
  std::uint64_t start = 0, end = 0;
  std::string name;
};

// "  e0000000-e03fffff : BOOTFB"
bool parse_line(const std::string& line, Range& out) {
  const std::size_t begin = line.find_first_not_of(' ');
  const std::size_t colon = line.find(" : ");
  if (begin == std::string::npos || colon == std::string::npos) return false;
  const std::size_t dash = line.find('-', begin);
  if (dash == std::string::npos || dash > colon) return false;
  const char* text = line.data();
  const auto a = std::from_chars(text + begin, text + dash, out.start, 16);
  const auto b = std::from_chars(text + dash + 1, text + colon, out.end, 16);
  out.name = line.substr(colon + 3);
  return a.ec == std::errc{} && a.ptr == text + dash && b.ec == std::errc{} && b.ptr == text + colon;
}

bool is_framebuffer(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::any_of(kFramebufferNames.begin(), kFramebufferNames.end(),
                     [&](const char* known) { return lower.starts_with(known); });
}

}  // namespace

FramebufferUse find_framebuffer(const Host& host, const BarTable& bars) {
  FramebufferUse use;
  const auto text = read_text(host.proc + "/iomem", 1u << 24);
  if (!text.ok()) {
    use.hidden = true;
    return use;
  }
  std::istringstream lines(*text);
  std::uint64_t highest = 0;
  Range r;
  for (std::string line; std::getline(lines, line);) {
    if (!parse_line(line, r)) continue;
    highest = std::max(highest, r.end);
    if (!is_framebuffer(r.name)) continue;
    for (unsigned i = 0; i < bars.size(); ++i)
      if (bars[i].size() != 0 && r.start <= bars[i].end && r.end >= bars[i].start && r.end != 0) {
        use.owner = r.name;
        use.bar = i;
        return use;
      }
  }
  use.hidden = highest == 0;
  return use;
}

Status check_framebuffer(const Host& host, const std::string& bdf, const BarTable& bars) {
  const FramebufferUse use = find_framebuffer(host, bars);
  if (use.owner.empty()) return {};
  return Error{.code = Errc::refused,
               .device = bdf,
               .operation = "open",
               .subject = fmt::format("BAR {}", use.bar),
               .detail = fmt::format("the boot framebuffer {} is inside it", use.owner),
               .hint = kFramebufferHint};
}

}  // namespace hcq::pci
