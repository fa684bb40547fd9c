// SPDX-License-Identifier: MIT
#include "models/am/flash_mailbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "drivers/am/abi/ifwi.h"
#include "models/am/synthetic_ifwi.h"

namespace hcq::models::am {

namespace {

namespace f = hcq::am::abi::ifwi;
namespace v = hcq::am::abi::vbflash;
using std::chrono::microseconds;

// Which parts are wanted, in which order, and in which phase: descriptions first, the payload last.
struct Wanted {
  std::uint8_t item, phase;
};
constexpr std::array<Wanted, 18> kWanted{{{f::kItemEfs, 0},
                                          {f::kItemPspDirectoryA, 0},
                                          {f::kItemPspDirectoryB, 0},
                                          {f::kItemDescriptorA, 0},
                                          {f::kItemDescriptorB, 0},
                                          {f::kItemIshA, 0},
                                          {f::kItemIshB, 0},
                                          {f::kItemSgnPointer, 1},
                                          {f::kItemSgn, 1},
                                          {0x82, 1},
                                          {0x83, 1},
                                          {0x84, 1},
                                          {0x85, 1},
                                          {0x86, 1},
                                          {0x87, 1},
                                          {f::kItemLastSignature, 1},
                                          {f::kItemTrailer, 1},
                                          {f::kItemPayload, v::kLastPhase}}};

f::ImageSlotHeader slot_header(Bytes flash, unsigned partition) {
  f::ImageSlotHeader h;
  std::memcpy(&h, flash.data() + f::kIsh[partition], sizeof h);
  return h;
}

}  // namespace

FlashMailbox::FlashMailbox(Registers& registers, Referee& referee, spi::NorChip& chip, spi::NorChip::Now now,
                           double time_scale)
    : registers_(registers), referee_(referee), chip_(chip), now_(std::move(now)), time_scale_(time_scale) {
  registers_.on_read<regs::MP0_SMN_C2PMSG_115>([this](std::uint32_t) {
    const std::lock_guard lock(mutex_);
    return command_register();
  });
  registers_.on_write<regs::MP0_SMN_C2PMSG_73>([this](std::uint32_t, std::uint32_t) {
    const std::lock_guard lock(mutex_);
    doorbell();
  });
}

void FlashMailbox::report(const char* rule, std::uint32_t value, std::string text) {
  referee_.report({"psp", rule, "MP0_SMN_C2PMSG_115", value, std::move(text), "psp_v13_0.c; flash tools for Navi31"});
}

void FlashMailbox::power_on(bool booted, unsigned partition) {
  const std::lock_guard lock(mutex_);
  booted_ = booted;
  partition_ = partition;
  secure_os_ = busy_ = active_ = updated_ = false;
  next_ = 0;
  received_.clear();
  registers_.set_raw<regs::MP0_SMN_C2PMSG_115>(booted ? v::Ready::mask : 0);
  registers_.set_raw<regs::MP0_SMN_C2PMSG_116>(0);
}

void FlashMailbox::set_secure_os(bool running) {
  const std::lock_guard lock(mutex_);
  secure_os_ = running;
}

std::uint32_t FlashMailbox::command_register() {
  if (busy_ && now_() >= done_at_) {
    busy_ = false;
    registers_.set_raw<regs::MP0_SMN_C2PMSG_115>(v::Ready::mask | pending_.error);
    registers_.set_raw<regs::MP0_SMN_C2PMSG_116>(pending_.data);
  }
  return registers_.raw<regs::MP0_SMN_C2PMSG_115>();
}

void FlashMailbox::doorbell() {
  const std::uint32_t command = registers_.raw<regs::MP0_SMN_C2PMSG_115>();
  if (!booted_) return report("psp.flash_no_firmware", command, "the board did not boot; nobody reads this mailbox");
  if (busy_) return report("psp.flash_busy", command, "the doorbell was rung while a command was running");
  if (v::Ready::in(command))
    return report("psp.flash_no_command", command, "the doorbell was rung without a command (bit 31 is still set)");
  const std::uint32_t data = registers_.raw<regs::MP0_SMN_C2PMSG_116>();
  const auto id = static_cast<std::uint8_t>(v::CommandId::in(command));
  pending_ = execute(id, data);
  if (const auto it = scripted_.find(id); it != scripted_.end()) {
    pending_.error = it->second;
    scripted_.erase(it);
  }
  busy_ = true;
  const unsigned us = id == v::kEndTransfer ? 20000 : id == v::kData ? 2 : 60;
  done_at_ = now_() + std::chrono::nanoseconds(static_cast<std::int64_t>(us * 1000 * time_scale_));
}

FlashMailbox::Answer FlashMailbox::execute(std::uint8_t command, std::uint32_t data) {
  switch (command) {
    case v::kGetBootPartition:
      return {.data = partition_};
    case v::kGetFrameBufferState:
      return {.data = secure_os_ ? 1u : 0u};
    case v::kGetSpiModel: {
      const auto& id = chip_.options().jedec;
      return {.data = std::uint32_t{id[0]} << 16 | std::uint32_t{id[1]} << 8 | id[2]};
    }
    case v::kGetTransferType:
      if (secure_os_) return {.error = v::kPartitionUpdate};
      if (updated_) return {.error = v::kStateNotInitialised};
      return {.data = v::WantedItem{}(kWanted[next_].item) | v::Phase{}(kWanted[next_].phase)};
    case v::kStartTransfer:
      return start(data);
    case v::kData:
      return word(data);
    case v::kEndTransfer:
      return end(data);
    case v::kLiveAddressLow:
    case v::kLiveAddressHigh:
      return {.error = v::kAddressNotSet};
    case v::kLiveUpdate:
      return {.error = v::kWriteToSpi};  // as it ended on the board that tried
    default:
      return {.error = v::kInvalidCommand};
  }
}

FlashMailbox::Answer FlashMailbox::start(std::uint32_t data) {
  const std::uint32_t bytes = v::TransferBytes::in(data);
  if (secure_os_) return {.error = v::kPartitionUpdate};
  if (updated_) return {.error = v::kStateNotInitialised};
  if (active_) return {.error = v::kStateTransfer};
  if (v::TransferItem::in(data) != kWanted[next_].item) return {.error = v::kInvalidParameter};
  if (bytes == 0 || bytes % 4) return {.error = v::kInvalidParameter};
  if (bytes > f::kImageBytes) return {.error = v::kOutOfBounds};
  active_ = true;
  item_ = static_cast<std::uint8_t>(v::TransferItem::in(data));
  expected_ = bytes;
  received_.clear();
  return {};
}

FlashMailbox::Answer FlashMailbox::word(std::uint32_t data) {
  if (!active_) return {.error = v::kStateTransfer};
  if (received_.size() + 4 > expected_) return {.error = v::kOutOfBounds};
  const auto bytes = std::as_bytes(std::span(&data, 1));
  received_.insert(received_.end(), bytes.begin(), bytes.end());
  return {};
}

FlashMailbox::Answer FlashMailbox::end(std::uint32_t data) {
  if (!active_) return {.error = v::kStateTransfer};
  active_ = false;
  if (v::TransferItem::in(data) != item_ || v::TransferBytes::in(data) != received_.size() ||
      received_.size() != expected_)
    return {.error = v::kInvalidParameter};
  if (!acceptable(item_)) return {.error = item_ == f::kItemPayload ? v::kSignature : v::kParseOffChip};
  store(item_);
  if (kWanted[next_].phase == v::kLastPhase) conclude();
  else ++next_;
  return {};
}

bool FlashMailbox::acceptable(std::uint8_t item) const {
  std::uint32_t first = 0;
  std::memcpy(&first, received_.data(), std::min<std::size_t>(4, received_.size()));
  switch (item) {
    case f::kItemEfs:
      return first == f::kEfsMagic && received_.size() == f::kEfsBytes;
    case f::kItemPspDirectoryA:
    case f::kItemPspDirectoryB:
      return first == f::kPsp;
    case f::kItemSgn:
      return first == f::kSgn;
    case f::kItemPayload:
      return first == f::kPl2;
    default:
      return true;
  }
}

// Only what belongs to the copy that is not running is written; the other one stays bootable throughout.
void FlashMailbox::store(std::uint8_t item) {
  std::vector<std::byte> flash = chip_.content();
  const unsigned other = 1 - partition_;
  std::uint32_t at = ~0u;
  if (item == (other ? f::kItemPspDirectoryB : f::kItemPspDirectoryA)) at = f::kPspDirectory[other];
  if (item == (other ? f::kItemDescriptorB : f::kItemDescriptorA)) at = f::kDescriptor[other];
  if (item == f::kItemTrailer) at = f::kTrailer;
  if (item == f::kItemPayload) at = slot_header(flash, other).location;
  if (at > flash.size() || received_.size() > flash.size() - at) return;
  std::copy(received_.begin(), received_.end(), flash.begin() + at);
  chip_.set_content(flash);
}

// The new copy is made the preferred one: its counter goes up, and a note is left for the next boot.
void FlashMailbox::conclude() {
  std::vector<std::byte> flash = chip_.content();
  const unsigned other = 1 - partition_;
  f::ImageSlotHeader h = slot_header(flash, other);
  ++h.update_retry_count;
  std::memcpy(flash.data() + f::kIsh[other], &h, sizeof h);
  repair_ish(flash, other);
  const std::uint32_t note[4] = {f::fourcc("$UPD"), other, h.update_retry_count, ~other};
  std::memcpy(flash.data() + f::kUpdateMetadata, note, sizeof note);
  chip_.set_content(flash);
  updated_ = true;
}

}  // namespace hcq::models::am
