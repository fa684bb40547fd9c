// SPDX-License-Identifier: MIT
#include "tools/flash/lib/update.h"

#include <fmt/format.h>

#include "drivers/am/abi/ifwi.h"
#include "drivers/am/flash/ifwi.h"

namespace hcq::flash {
namespace {

namespace f = am::abi::ifwi;

std::vector<std::uint8_t> all_items() {
  std::vector<std::uint8_t> items;
  for (unsigned i = f::kItemEfs; i <= f::kItemPayload; ++i) items.push_back(static_cast<std::uint8_t>(i));
  for (unsigned i = f::kItemSgnPointer; i <= f::kItemTrailer; ++i) items.push_back(static_cast<std::uint8_t>(i));
  return items;
}

}  // namespace

Status check_items(Bytes image) {
  for (const std::uint8_t item : all_items()) {
    const Bytes bytes = HCQ_TRY(am::flash::ifwi_item(image, item));
    if (!bytes.empty() && bytes.size() % 4 == 0) continue;
    return Error{.code = Errc::corrupt,
                 .operation = "flash/update",
                 .subject = fmt::format("item {:#04x}", item),
                 .actual = bytes.size(),
                 .detail = "its size is no multiple of 4"};
  }
  return {};
}

Result<UpdateReport> update_all(am::flash::FlashMailbox& mailbox, Bytes image, const Progress& progress) {
  HCQ_TRY(check_items(image));
  UpdateReport report;
  for (unsigned n = 0; n < f::kItemCount; ++n) {
    const auto wanted = HCQ_TRY(mailbox.wanted());
    const Bytes bytes = HCQ_TRY(am::flash::ifwi_item(image, wanted.item));
    const std::string phase = fmt::format("item {:02x}", wanted.item);
    HCQ_TRY(mailbox.send_item(wanted.item, bytes, [&](std::uint64_t done) {
      if (progress) progress(phase.c_str(), done, bytes.size());
    }));
    report.items.push_back(wanted.item);
    report.bytes += bytes.size();
    if (wanted.phase == am::abi::vbflash::kLastPhase) return report;
  }
  return Error{.code = Errc::device_fault,
               .operation = "flash/update",
               .expected = f::kItemCount,
               .detail = "the firmware asked for more items than there are, and none of them was the last"};
}

}  // namespace hcq::flash
