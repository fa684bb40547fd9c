// SPDX-License-Identifier: MIT
// AMD registers as types. registers.h (generated) declares one struct a register, named as in the vendor's headers,
// with its fields; tables/ (generated) hold where each register and field lies in each version of each IP block. A
// RegisterMap joins the tables with the base addresses that IP discovery reports, once, at open. Driver and model share
// these facts and nothing else.
//
// A field belongs to one register: IH_RB_CNTL::RB_SIZE(16) cannot be written to another register.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace hcq::am::regs {

// The IP blocks whose registers are in the tables. On gfx11 and gfx12 the SDMA engines' registers lie in GC.
enum class Ip : std::uint8_t { gc, mmhub, nbio, hdp, osssys, mp0, mp1, sdma, smuio };
inline constexpr unsigned kIpCount = 9;
const char* ip_name(Ip ip);

struct RegisterId {
  std::uint16_t value;
};

template <class R>
struct FieldValue {
  std::uint8_t index;
  std::uint32_t value;
};

template <class R>
struct Field {
  std::uint8_t index;
  constexpr FieldValue<R> operator()(std::uint32_t value) const { return {index, value}; }
};

struct FieldBits {
  std::uint8_t lsb, width;  // width 0: this version of the block has no such field
  constexpr std::uint32_t mask() const { return width >= 32 ? ~0u : ((1u << width) - 1) << lsb; }
};

// What a register is, in every version.
struct RegisterInfo {
  const char* name;
  Ip ip;
  std::uint16_t count, stride;  // of an array of registers, in dwords
  std::uint16_t field_count;
  const char* const* fields;
};

// Where it is in one version.
struct RegisterEntry {
  std::uint16_t id;
  std::uint8_t segment;
  std::uint32_t dword;        // offset from the segment's base, in dwords
  std::uint16_t first_field;  // into HeaderSet::bits
};

struct HeaderSet {
  const char* name;
  Ip ip;  // mp sets say mp0 and serve mp1 as well
  std::uint8_t major, minor, revision;
  std::span<const RegisterEntry> entries;
  std::span<const FieldBits> bits;
};

std::span<const RegisterInfo> register_infos();  // indexed by RegisterId
std::span<const HeaderSet* const> header_sets();

// One block that IP discovery found.
struct IpBlock {
  Ip ip;
  std::uint8_t instance = 0;
  std::uint8_t major = 0, minor = 0, revision = 0;
  std::vector<std::uint32_t> bases;  // per segment, in dwords
};

// A register value together with the layout of its fields in this device's version.
template <class R>
struct Value {
  std::uint32_t raw = 0;
  const FieldBits* bits = nullptr;
  std::uint32_t operator[](Field<R> f) const {
    const FieldBits b = bits[f.index];
    return b.width ? (raw & b.mask()) >> b.lsb : 0;
  }
};

class RegisterMap {
 public:
  // Chooses for each block the newest header set with the same major version that is not newer than the block. A block
  // for which there is none is Errc::unsupported.
  static Result<RegisterMap> build(std::span<const IpBlock> blocks);

  template <class R>
  bool has(unsigned instance = 0) const {
    return lookup(R::id, instance).has_value();
  }
  // Address in dwords of BAR 5. The register must exist in this version (has()); asking for another one is our bug.
  template <class R>
  std::uint32_t address(unsigned index = 0, unsigned instance = 0) const {
    const auto a = lookup(R::id, instance);
    assert(a && "register does not exist in this version");
    return *a + index * register_infos()[R::id.value].stride;
  }
  template <class R>
  const FieldBits* bits() const {
    return field_bits(R::id);
  }
  template <class R>
  bool has_field(Field<R> f) const {
    const FieldBits* b = field_bits(R::id);
    return b && b[f.index].width != 0;
  }
  // `raw` with the given fields replaced. A value wider than its field, or a field that does not exist here, is our
  // bug.
  template <class R>
  std::uint32_t encode(std::uint32_t raw, std::initializer_list<FieldValue<R>> fields) const {
    const FieldBits* b = field_bits(R::id);
    for (const auto& f : fields) {
      assert(b && b[f.index].width && "field does not exist in this version");
      assert((f.value & ~(b[f.index].mask() >> b[f.index].lsb)) == 0 && "value wider than its field");
      raw = (raw & ~b[f.index].mask()) | ((f.value << b[f.index].lsb) & b[f.index].mask());
    }
    return raw;
  }
  template <class R>
  Value<R> decode(std::uint32_t raw) const {
    return {raw, field_bits(R::id)};
  }

  // The reverse: which register is at this dword address, for traces and for models.
  struct Location {
    std::uint16_t id;
    std::uint16_t index;    // in an array of registers
    std::uint8_t instance;  // of the IP block
  };
  std::optional<Location> find(std::uint32_t dword) const;
  static std::string describe(const Location& l);  // "IH_RB_CNTL", "GCVM_CONTEXT0_CNTL[3]"
  // All addresses that exist, ascending.
  std::span<const std::pair<std::uint32_t, Location>> all() const { return by_address_; }
  std::uint32_t all_field_bits(std::uint16_t id) const;  // OR of the masks of all fields that exist

  const IpBlock* block(Ip ip, unsigned instance = 0) const;

 private:
  struct Slot {
    const RegisterEntry* entry = nullptr;
    const FieldBits* bits = nullptr;
  };
  std::optional<std::uint32_t> lookup(RegisterId id, unsigned instance) const;
  const FieldBits* field_bits(RegisterId id) const { return slots_[id.value].bits; }

  std::vector<Slot> slots_;  // by RegisterId; the same set serves all instances of a block
  std::vector<IpBlock> blocks_;
  std::vector<std::pair<std::uint32_t, Location>> by_address_;
};

}  // namespace hcq::am::regs
