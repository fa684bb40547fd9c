// SPDX-License-Identifier: MIT
// The IP discovery table that the board's firmware leaves at the end of VRAM, of Navi31 and of boards that tests need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "drivers/am/regs/register.h"

namespace hcq::models::am {

// The blocks of Navi31 that hcq has register tables for, with the base addresses that the variant of the table says.
std::vector<hcq::am::regs::IpBlock> navi31_blocks(const std::string& variant = {});

// Base addresses in dwords, per segment, of the first block with this hardware id; empty when the chip has none.
std::span<const std::uint32_t> block_bases(std::uint16_t hw_id);

// The binary. `variant` is empty for a good table, or
//   bad_signature, bad_table_signature, bad_checksum, bad_table_checksum, bad_gc_checksum   one byte is wrong
//   v2, v3, v4, v4_64bit     other versions of the IP table (v4_64bit: 64-bit base addresses)
//   offset_beyond, size_beyond, die_beyond, records_beyond   something points behind the end
//   no_gc                    no GC table
//   no_harvest               no harvest table
//   harvested_sdma           SDMA engine 1 is fused off
//   two_dies                 the blocks are spread over two dies
//   moved_blocks             memory hub, interrupt handler and HDP at other addresses than on the boards known
//   unknown_version          a GC block that no driver knows
// Another name is Errc::invalid_argument.
Result<std::vector<std::byte>> discovery_binary(const std::string& variant);

}  // namespace hcq::models::am
