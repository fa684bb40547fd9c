// SPDX-License-Identifier: MIT
#include "drivers/am/flash/mailbox.h"

#include <fmt/format.h>

#include <cassert>
#include <cstring>

namespace hcq::am::flash {
namespace {

namespace v = abi::vbflash;
using namespace regs;
using std::chrono::seconds;

// The end of a transfer makes the firmware write to the flash.
Clock::duration limit_of(v::Command id) { return id == v::kEndTransfer ? seconds(60) : seconds(10); }

const char* name_of(v::Command id) {
  switch (id) {
    case v::kGetBootPartition:
      return "get boot partition";
    case v::kLiveAddressLow:
    case v::kLiveAddressHigh:
      return "live update address";
    case v::kLiveUpdate:
      return "live update";
    case v::kGetFrameBufferState:
      return "get frame buffer state";
    case v::kGetTransferType:
      return "get transfer type";
    case v::kStartTransfer:
      return "start transfer";
    case v::kData:
      return "data";
    case v::kEndTransfer:
      return "end transfer";
    case v::kGetSpiModel:
      return "get SPI model";
  }
  return "unknown command";
}

}  // namespace

const char* mailbox_error_name(std::uint32_t code) {
  constexpr const char* kNames[] = {"none",
                                    "generic error",
                                    "out of bounds",
                                    "invalid parameter",
                                    "off-chip boot",
                                    "address not set",
                                    "off-chip image does not parse",
                                    "address map",
                                    "on-chip image does not parse",
                                    "full update",
                                    "partition update",
                                    "on-chip map",
                                    "writing to the flash failed",
                                    "signature",
                                    "invalid command",
                                    "signature not found",
                                    "update not initialised",
                                    "not in a transfer",
                                    "initialisation"};
  return code < std::size(kNames) ? kNames[code] : "unknown error";
}

Error FlashMailbox::firmware_error(v::Command id, std::uint32_t code) const {
  Error e = board_.link().error(Errc::device_fault, fmt::format("mailbox command {:#04x} ({})", int{id}, name_of(id)),
                                fmt::format("the firmware answers \"{}\"", mailbox_error_name(code)));
  e.operation = "flash/mailbox";
  e.expected = 0;
  e.actual = code;
  if (code == v::kPartitionUpdate && id == v::kGetTransferType)
    e.hint = "updates are gated while a driver has the secure OS running: power-cycle the board and start no driver";
  return e;
}

Result<bool> FlashMailbox::ready() { return v::Ready::in(HCQ_TRY(io_.read<MP0_SMN_C2PMSG_115>()).raw) != 0; }

Result<FlashMailbox::Answer> FlashMailbox::command(v::Command id, std::optional<std::uint32_t> data) {
  const OperationScope scope(board_.link(), "flash/mailbox");
  if (!HCQ_TRY(ready())) {
    Error e = board_.link().error(Errc::busy, "MP0_SMN_C2PMSG_115", "the mailbox is not ready");
    e.expected = v::Ready::mask;
    e.actual = HCQ_TRY(io_.read<MP0_SMN_C2PMSG_115>()).raw;
    e.hint = "the board must have booted from its flash";
    return e;
  }
  if (data) HCQ_TRY(io_.write_raw<MP0_SMN_C2PMSG_116>(*data));
  HCQ_TRY(io_.write_raw<MP0_SMN_C2PMSG_115>(v::CommandId{}(id)));  // clears ready as well
  HCQ_TRY(io_.write_raw<MP0_SMN_C2PMSG_73>(1));
  if (!HCQ_TRY(wait_until(board_.pacer(), limit_of(id), [&] { return ready(); }))) {
    Error e = board_.link().error(Errc::timeout, "MP0_SMN_C2PMSG_115", fmt::format("no answer to \"{}\"", name_of(id)));
    e.expected = v::Ready::mask;
    e.actual = HCQ_TRY(io_.read<MP0_SMN_C2PMSG_115>()).raw;
    return e;
  }
  Answer a;
  a.error = v::ErrorCode::in(HCQ_TRY(io_.read<MP0_SMN_C2PMSG_115>()).raw);
  a.data = HCQ_TRY(io_.read<MP0_SMN_C2PMSG_116>()).raw;
  return a;
}

Result<std::uint32_t> FlashMailbox::must(v::Command id, std::optional<std::uint32_t> data) {
  const Answer a = HCQ_TRY(command(id, data));
  if (a.error != 0) return firmware_error(id, a.error);
  return a.data;
}

Result<FlashMailbox::Wanted> FlashMailbox::wanted() {
  const std::uint32_t data = HCQ_TRY(must(v::kGetTransferType));
  return Wanted{static_cast<std::uint8_t>(v::WantedItem::in(data)), static_cast<std::uint8_t>(v::Phase::in(data))};
}

Status FlashMailbox::send_item(std::uint8_t item, Bytes bytes, const std::function<void(std::uint64_t)>& progress) {
  assert(bytes.size() % 4 == 0 && !bytes.empty());
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const auto header = [&](std::uint32_t n) { return v::TransferBytes{}(n) | v::TransferItem{}(item); };
  HCQ_TRY(must(v::kStartTransfer, header(size)));
  for (std::uint32_t sent = 0; sent < size; sent += 4) {
    std::uint32_t word;
    std::memcpy(&word, bytes.data() + sent, 4);
    const auto answer = must(v::kData, word);
    if (!answer.ok()) {
      if (!board_.link().lost()) (void)command(v::kEndTransfer, header(sent));
      return answer.error();
    }
    if (progress) progress(sent + 4);
  }
  HCQ_TRY(must(v::kEndTransfer, header(size)));
  return {};
}

}  // namespace hcq::am::flash
