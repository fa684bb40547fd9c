// SPDX-License-Identifier: MIT
// FlashMailbox: the PSP's own way to the flash (drivers/am/abi/vbflash.h), on a board that booted by itself and whose
// secure OS no driver has started. Commands and their meaning come from a published tool; not verified on silicon by
// us.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "drivers/am/abi/vbflash.h"
#include "drivers/am/flash/board.h"

namespace hcq::am::flash {

// What the firmware's error code means, in words.
const char* mailbox_error_name(std::uint32_t code);

class FlashMailbox {
 public:
  explicit FlashMailbox(Board& board) : board_(board), io_(board.io()) {}

  Result<bool> ready();

  struct Answer {
    std::uint32_t error = 0;  // 0: done
    std::uint32_t data = 0;
  };
  // One command: Errc::busy when the mailbox is not ready, Errc::timeout when it does not become ready again. An error
  // code of the firmware is part of the answer.
  Result<Answer> command(abi::vbflash::Command id, std::optional<std::uint32_t> data = {});

  // The same, with an error code made into an Error.
  Result<std::uint32_t> must(abi::vbflash::Command id, std::optional<std::uint32_t> data = {});

  struct Wanted {
    std::uint8_t item = 0, phase = 0;
  };
  Result<Wanted> wanted();  // which part of an image the firmware asks for

  // Sends one item, one dword a handshake. `bytes` is a multiple of 4. After a failure before the last dword the
  // transfer is ended once, so that the firmware is not left waiting; an end that failed is not repeated.
  Status send_item(std::uint8_t item, Bytes bytes, const std::function<void(std::uint64_t)>& progress);

 private:
  Error firmware_error(abi::vbflash::Command id, std::uint32_t code) const;

  Board& board_;
  RegisterIo& io_;
};

}  // namespace hcq::am::flash
