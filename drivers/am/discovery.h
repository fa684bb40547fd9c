// SPDX-License-Identifier: MIT
// The IP discovery table: which blocks the chip has, in which version, at which register bases. The boot firmware
// leaves it near the end of VRAM. Layout: abi/discovery.h.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "drivers/am/chip.h"
#include "drivers/am/memory/vram.h"
#include "drivers/am/register_io.h"
#include "drivers/am/regs/register.h"

namespace hcq::am {

struct Discovery {
  // Blocks with register tables; harvested instances are left out and the others numbered from 0 without holes.
  std::vector<regs::IpBlock> blocks;
  IpVersion sdma;  // also where SDMA has no table of its own (its registers then lie in GC)
  unsigned sdma_count = 0;
  GfxConfig gfx;
};

// Parses and checks a table: signatures, sums, every offset. `subject` names it in errors. Pure; the fuzz target calls
// it.
Result<Discovery> parse_discovery(Bytes table, const std::string& subject);

// VRAM size in bytes; waits a bounded time for a device that is still coming out of reset.
Result<std::uint64_t> read_vram_size(RegisterIo& io);
// Reads the table from the end of VRAM and parses it. Vram::set_size() must have been called.
Result<Discovery> read_discovery(Link& link, RegisterIo& io, Vram& vram);

// The facts of the chip that the boot needs; Errc::unsupported when a block is missing or the core is unknown.
Result<ChipInfo> chip_info(const Discovery& discovery, std::uint16_t device_id, std::uint64_t vram_bytes);

}  // namespace hcq::am
