// SPDX-License-Identifier: MIT
// Encodings of the ASM24 bridge's custom firmware: vendor requests E4 (read XDATA), E5 (write XDATA), F0 (PCIe
// request), F2 (SRAM), F3 (PCIe power), and the completion of an F0. Pure functions; little endian. Facts:
// tinygrad/asm2464pd-firmware and the client of tinygrad; fmt/type and completion status are those of a TLP header (PCI
// Express Base 4.0, section 2.2). Unverified on silicon by this project.
#pragma once

#include <array>
#include <cstdint>

#include "drivers/usb4/transport.h"

namespace hcq::usb4 {

inline constexpr unsigned kBulkIn = 1, kBulkOut = 2;                // endpoints 0x81 and 0x02
inline constexpr std::uint16_t kLinkState = 0xb450;                 // XDATA: LTSSM state
inline constexpr std::uint8_t kLinkUp = 0x78, kLinkUpStock = 0x48;  // L0, depending on the firmware
inline constexpr std::size_t kSramBytes = 512 << 10, kSlotBytes = 16 << 10, kSectorBytes = 512;

struct Bdf {
  std::uint8_t bus = 0, device = 0, function = 0;
};

enum class Mode : std::uint8_t { single, stream_write, stream_read };

// An F0 as it goes out.
struct Request {
  Setup setup;
  std::array<std::byte, 12> data{};
};

// `offset` and `size` (1, 2, 4) must not cross a dword: callers check.
Request config_read(Bdf f, std::uint16_t offset, unsigned size);
Request config_write(Bdf f, std::uint16_t offset, unsigned size, std::uint32_t value);
Request memory_read(std::uint64_t address, unsigned size);
Request memory_write(std::uint64_t address, unsigned size, std::uint32_t value);
// Streams of whole dwords, 1 to 2^32 - 1 of them, at a dword-aligned address.
Request stream_write(std::uint64_t address, std::uint32_t dwords);
Request stream_read(std::uint64_t address, std::uint32_t dwords);

Setup completion_setup();
Setup read_xdata_setup(std::uint16_t address, std::uint8_t bank, std::uint16_t length);
Setup write_xdata_setup(std::uint16_t address, std::uint8_t bank, std::uint8_t value);
Setup sram_write_setup(unsigned first_slot, unsigned slots, unsigned sectors);
Setup power_setup(bool on);

enum class CompletionStatus : std::uint8_t { success = 0, unsupported_request = 1, retry = 2, completer_abort = 4 };

struct Completion {
  std::uint32_t data = 0;
  std::uint8_t status = 0;  // a CompletionStatus, or a reserved value
  std::uint16_t byte_count = 0;
  bool has_data = false;
  std::uint8_t engine = 0;  // 0: a completion came, 1: error of the engine, 0xff: none came
};

// Errc::corrupt unless it is exactly 8 bytes.
Result<Completion> parse_completion(Bytes raw);

}  // namespace hcq::usb4
