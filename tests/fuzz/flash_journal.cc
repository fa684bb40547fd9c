// SPDX-License-Identifier: MIT
// Fuzzes the journal of flash jobs: bytes as they are, and lines whose sums are put right. Whatever is accepted names
// sectors of the chip only, and what was cut off behind it does not change that.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/bytes.h"
#include "tools/flash/lib/journal.h"

namespace {

void check(const std::string& text) {
  std::size_t sound = 0;
  const auto s = hcq::flash::parse_journal(text, "fuzz", &sound);
  if (!s.ok()) return;
  if (sound > text.size()) std::abort();
  for (const auto& [sector, state] : s->sectors)
    if (sector >= s->header.chip_bytes) std::abort();
  if (!hcq::flash::parse_journal(text.substr(0, sound), "fuzz").ok()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string raw(reinterpret_cast<const char*>(data), size);
  check(raw);
  std::string fixed;
  const std::string header =
      fmt::format("hcq-flash-1 c86015 0x200000 {} protected model:navi31\n", std::string(64, 'a'));
  const std::string lines = header + raw;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string line = lines.substr(at, end - at);
    fixed += fmt::format("{} {:016x}\n", line, hcq::fnv1a(std::as_bytes(std::span(line.data(), line.size()))));
    at = end + 1;
  }
  check(fixed);
  return 0;
}
