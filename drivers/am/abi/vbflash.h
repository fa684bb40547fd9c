// SPDX-License-Identifier: MIT
// The mailbox through which the PSP's boot loader and secure OS reach the board's flash: command in C2PMSG_115, data in
// C2PMSG_116, doorbell C2PMSG_73. Commands 2, 3 and 4 as in psp_v13_0.c of Linux 6.12; the others are those of flash
// tools for Navi31 and are not in any public header.
#pragma once

#include <cstdint>

#include "drivers/am/abi/bits.h"

namespace hcq::am::abi::vbflash {

// C2PMSG_115.
using Ready = Flag<31>;
using CommandId = Bits<23, 16>;
using ErrorCode = Bits<15, 0>;  // of the last command

enum Command : std::uint8_t {
  kGetBootPartition = 0x01,
  kLiveAddressLow = 0x02,
  kLiveAddressHigh = 0x03,
  kLiveUpdate = 0x04,
  kGetFrameBufferState = 0x06,
  kGetTransferType = 0x07,
  kStartTransfer = 0x08,
  kData = 0x09,
  kEndTransfer = 0x0a,
  kGetSpiModel = 0x0b,
};

// The answer to kGetTransferType.
using WantedItem = Bits<7, 0>;
using Phase = Bits<15, 8>;
inline constexpr std::uint8_t kLastPhase = 2;

// The data of kStartTransfer and kEndTransfer.
using TransferItem = Bits<7, 0>;
using TransferBytes = Bits<31, 8>;

enum Error : std::uint16_t {
  kNone = 0x00,
  kGeneric = 0x01,
  kOutOfBounds = 0x02,
  kInvalidParameter = 0x03,
  kOffChipBoot = 0x04,
  kAddressNotSet = 0x05,
  kParseOffChip = 0x06,
  kAddressMap = 0x07,
  kParseOnChip = 0x08,
  kFullUpdate = 0x09,
  kPartitionUpdate = 0x0a,
  kMapOnChip = 0x0b,
  kWriteToSpi = 0x0c,
  kSignature = 0x0d,
  kInvalidCommand = 0x0e,
  kSignatureNotFound = 0x0f,
  kStateNotInitialised = 0x10,
  kStateTransfer = 0x11,
  kInitialisation = 0x12,
};

}  // namespace hcq::am::abi::vbflash
