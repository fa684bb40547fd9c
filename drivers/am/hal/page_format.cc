// SPDX-License-Identifier: MIT
#include "drivers/am/hal/page_format.h"

#include <cassert>

namespace hcq::am {

namespace pt = abi::page_table;

namespace {
constexpr unsigned kPtb = static_cast<unsigned>(pt::Level::PTB);
constexpr unsigned kPdb0 = static_cast<unsigned>(pt::Level::PDB0);
}  // namespace

std::uint64_t PageFormat::leaf(std::uint64_t address, const PageAttributes& a, unsigned level,
                               unsigned fragment) const {
  assert((address & ~0x0000'ffff'ffff'f000ull) == 0);
  std::uint64_t e = pt::kValid | pt::kReadable | pt::kWriteable | address | pt::kFragment(fragment);
  if (a.execute) e |= pt::kExecutable;
  if (a.system) e |= pt::kSystem | pt::kSnooped;
  e |= std::uint64_t{a.uncached || a.system ? f_.mtype_uncached : f_.mtype_cached} << f_.mtype_shift;
  // A leaf of the last directory needs no mark where its tables are entered by a mark of their own (GMC 9).
  if (level == kPtb) return e | f_.leaf_in_ptb;
  return level == kPdb0 && f_.translate_further ? e : e | f_.leaf_above_ptb;
}

std::uint64_t PageFormat::table(std::uint64_t address, unsigned level) const {
  assert((address & ~0x0000'ffff'ffff'ffc0ull) == 0);
  return pt::kValid | address | (level == kPdb0 ? f_.translate_further : 0);
}

bool PageFormat::is_leaf(std::uint64_t entry, unsigned level) const {
  if (level == kPtb) return true;
  if (level == kPdb0 && f_.translate_further) return (entry & f_.translate_further) == 0;
  return entry & f_.leaf_above_ptb;
}

std::uint64_t PageFormat::address(std::uint64_t entry, unsigned level) const {
  return is_leaf(entry, level) ? pt::leaf_address(entry) : pt::table_address(entry);
}

const PageFormat& page_format(Generation generation) {
  static constexpr PageFormat kGfx9{pt::kGfx9}, kGfx11{pt::kGfx11}, kGfx12{pt::kGfx12};
  switch (generation) {
    case Generation::gfx9:
      return kGfx9;
    case Generation::gfx11:
      return kGfx11;
    case Generation::gfx12:
      return kGfx12;
  }
  return kGfx11;
}

}  // namespace hcq::am
