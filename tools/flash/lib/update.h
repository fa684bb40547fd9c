// SPDX-License-Identifier: MIT
// The firmware's own update of the whole image ("ifwi-all"): it asks for one part after the other, checks them and
// writes the copy that the board did not boot from. What ends up in the flash is not the image byte for byte.
#pragma once

#include <functional>
#include <vector>

#include "drivers/am/flash/mailbox.h"
#include "tools/flash/lib/writer.h"

namespace hcq::flash {

struct UpdateReport {
  std::vector<std::uint8_t> items{};  // that were sent, in order
  std::uint64_t bytes = 0;
};

// Every item that the firmware may ask for, resolved before the first one is sent. Errc::corrupt when the image lacks
// one.
Status check_items(Bytes image);

Result<UpdateReport> update_all(am::flash::FlashMailbox& mailbox, Bytes image, const Progress& progress);

}  // namespace hcq::flash
