// SPDX-License-Identifier: MIT
#include "tools/flash/lib/image_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "drivers/am/flash/ifwi.h"

namespace hcq::flash {
namespace {

std::string id_text(std::uint16_t vendor, std::uint16_t device) { return fmt::format("{:04x}:{:04x}", vendor, device); }

// A token is one word.
std::string word(std::string text) {
  std::ranges::replace(text, ' ', '_');
  return text.empty() ? "none" : text;
}

void compare_boards(const am::flash::ExpansionRom& image, const am::flash::ExpansionRom& chip,
                    std::vector<Mismatch>& found) {
  const auto differ = [&](const char* what, const std::string& now, const std::string& then) {
    if (now != then)
      found.push_back(
          {fmt::format("{}={}", what, word(then)),
           fmt::format("the board's present image has {} {}, the new one has {}", what, word(now), word(then))});
  };
  differ("subsystem", id_text(chip.subsystem_vendor, chip.subsystem_device),
         id_text(image.subsystem_vendor, image.subsystem_device));
  differ("part_number", chip.part_number, image.part_number);
}

}  // namespace

std::vector<Mismatch> check_image(Bytes image, const pci::Identity& board, Bytes current) {
  std::vector<Mismatch> found;
  const am::flash::Ifwi parsed = am::flash::parse_ifwi(image);
  for (const auto& f : parsed.findings)
    found.push_back({f.name, fmt::format("image, at {:#x}: {}", f.offset.value_or(0), f.text)});
  if (parsed.roms.empty()) return found;
  const am::flash::ExpansionRom& rom = parsed.roms.front();
  if (rom.vendor != board.vendor || rom.device != board.device)
    found.push_back({"device=" + id_text(rom.vendor, rom.device),
                     fmt::format("the board is {}, the image is for {}", id_text(board.vendor, board.device),
                                 id_text(rom.vendor, rom.device))});
  const auto present = am::flash::find_expansion_roms(current);
  if (present.empty())
    found.push_back({"board=unknown",
                     "the flash's present content does not say which board this is; compare the label on the card"});
  else compare_boards(rom, present.front(), found);
  return found;
}

Status accept(const std::vector<Mismatch>& found, const std::vector<std::string>& accepted) {
  Error e{.code = Errc::refused, .operation = "flash/image_check"};
  std::string open;
  for (const Mismatch& m : found) {
    if (std::ranges::find(accepted, m.token) != accepted.end()) continue;
    e.detail += (e.detail.empty() ? "" : "; ") + m.text;
    open += " --accept " + m.token;
  }
  if (!e.detail.empty()) {
    e.hint = "an image that does not fit can end the board; if you are sure, say" + open;
    return e;
  }
  for (const std::string& a : accepted) {
    if (std::ranges::find(found, a, &Mismatch::token) != found.end()) continue;
    e.detail = fmt::format("--accept {} names nothing that is wrong with this image", a);
    return e;
  }
  return {};
}

Status check_size(std::uint64_t image_bytes, std::uint64_t chip_bytes) {
  if (image_bytes == chip_bytes) return {};
  return Error{.code = Errc::refused,
               .operation = "flash/image_check",
               .subject = "size",
               .expected = chip_bytes,
               .actual = image_bytes,
               .detail = "the image must have exactly the size of the flash chip"};
}

}  // namespace hcq::flash
