// SPDX-License-Identifier: MIT
// Registers of Navi31 that no code of ours names but a driver of the vendor's touches; the model has them all, with the
// bits that the headers give them and no behaviour unless a block adds one. The table is made by
// scripts/gen_vendor_regs.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace hcq::models::am {

struct VendorRegister {
  const char* name;
  std::uint16_t hw_id;  // of the block in the IP discovery table
  std::uint8_t segment;
  std::uint32_t dword;   // from the segment's base
  std::uint32_t fields;  // all bits that exist
};

std::span<const VendorRegister> vendor_registers();

// A field of one of them (tables/vendor_fields.h).
struct VendorField {
  std::uint32_t mask;
  constexpr std::uint32_t in(std::uint32_t value) const { return (value & mask) >> std::countr_zero(mask); }
  constexpr std::uint32_t operator()(std::uint32_t value) const { return value << std::countr_zero(mask) & mask; }
};

}  // namespace hcq::models::am
