// SPDX-License-Identifier: MIT
// RegisterIo: typed access to the registers in BAR 5, joined with the addresses that IP discovery found.
//
//   const auto v = HCQ_TRY(io.read<CP_STAT>());
//   HCQ_TRY(io.write<RLC_SRM_CNTL>({RLC_SRM_CNTL::SRM_ENABLE(1)}));                    // other fields become 0
//   HCQ_TRY(io.update<GRBM_CNTL>({GRBM_CNTL::READ_TIMEOUT(0xff)}));                    // other fields stay
//   HCQ_TRY(io.poll(MP0_SMN_C2PMSG_81::CONTENT, 1, 10s, "psp/wait_sos"));
//   HCQ_TRY(io.write_raw<MMVM_INVALIDATE_ENG0_REQ>(req, {.index = 17}));
//
// Registers beyond the end of BAR 5 are reached through the RSMU index and data pair. HCQ_TRACE=mmio prints each access
// with the register's name. After the device is lost every call fails without touching it.
//
// Threads: read and write are thread-safe; update is not atomic against other writers of the same register.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/error.h"
#include "drivers/am/link.h"
#include "drivers/am/regs/fixed.h"
#include "drivers/am/regs/register.h"
#include "drivers/am/regs/registers.h"
#include "drivers/pci/mmio.h"

namespace hcq::am {

// Which element of an array of registers, and which instance of the IP block (XCC, MM hub, SDMA engine).
struct At {
  unsigned index = 0;
  unsigned instance = 0;
};

using regs::FixedRegister;

class RegisterIo {
 public:
  // `bar5` and `link` must outlive this.
  RegisterIo(Link& link, pci::Mmio bar5) : link_(link), bar5_(bar5) {}

  // Before this only fixed registers can be reached.
  void set_map(regs::RegisterMap map) { map_ = std::move(map); }
  const regs::RegisterMap& map() const { return map_; }
  Link& link() { return link_; }

  template <class R>
  bool has(unsigned instance = 0) const {
    return map_.has<R>(instance);
  }
  template <class R>
  bool has_field(regs::Field<R> f) const {
    return map_.has_field(f);
  }

  template <class R>
  Result<regs::Value<R>> read(At at = {}) {
    const std::uint32_t dword = HCQ_TRY(locate<R>(at));
    const std::uint32_t raw = HCQ_TRY(read_dword(dword, {R::id, at}));
    return map_.decode<R>(raw);
  }
  // Writes exactly the given fields; all others become zero.
  template <class R>
  Status write(std::initializer_list<regs::FieldValue<R>> fields, At at = {}) {
    const std::uint32_t dword = HCQ_TRY(locate<R>(at));
    return write_dword(dword, map_.encode<R>(0, fields), {R::id, at});
  }
  template <class R>
  Status write_raw(std::uint32_t raw, At at = {}) {
    const std::uint32_t dword = HCQ_TRY(locate<R>(at));
    return write_dword(dword, raw, {R::id, at});
  }
  // Reads, replaces the given fields, writes.
  template <class R>
  Status update(std::initializer_list<regs::FieldValue<R>> fields, At at = {}) {
    const auto v = HCQ_TRY(read<R>(at));
    return write_raw<R>(map_.encode<R>(v.raw, fields), at);
  }

  // Waits until a field has a value. `step` becomes Error::operation.
  template <class R>
  Result<regs::Value<R>> poll(regs::Field<R> field, std::uint32_t expected, Clock::duration timeout, const char* step,
                              At at = {}) {
    const regs::FieldBits* bits = map_.bits<R>();
    const regs::FieldBits b = bits ? bits[field.index] : regs::FieldBits{0, 0};
    if (b.width == 0) return missing(R::id, at);
    return poll_masked<R>(b.mask(), expected << b.lsb, timeout, step, at);
  }
  // Waits until (value & mask) == expected.
  template <class R>
  Result<regs::Value<R>> poll_masked(std::uint32_t mask, std::uint32_t expected, Clock::duration timeout,
                                     const char* step, At at = {}) {
    const std::uint32_t dword = HCQ_TRY(locate<R>(at));
    const std::uint32_t raw =
        HCQ_TRY(poll_dword(dword, {R::id, at}, {mask, expected, /*negate=*/false}, timeout, step));
    return map_.decode<R>(raw);
  }
  // Waits until (value & mask) != 0.
  template <class R>
  Result<regs::Value<R>> poll_nonzero(std::uint32_t mask, Clock::duration timeout, const char* step, At at = {}) {
    const std::uint32_t dword = HCQ_TRY(locate<R>(at));
    const std::uint32_t raw = HCQ_TRY(poll_dword(dword, {R::id, at}, {mask, 0, /*negate=*/true}, timeout, step));
    return map_.decode<R>(raw);
  }

  // Fixed addresses; work before set_map().
  Result<std::uint32_t> read_fixed(const FixedRegister& r);
  Status write_fixed(const FixedRegister& r, std::uint32_t value);
  // All ones may mean "not back yet" while a reset runs: returned as a value, the device is not declared lost.
  Result<std::uint32_t> probe_fixed(const FixedRegister& r);

  // A register known only by its byte offset in BAR 5, as the HDP flush registers are. Must lie inside BAR 5.
  Result<std::uint32_t> read_byte_offset(std::uint32_t offset, const char* name);
  Status write_byte_offset(std::uint32_t offset, std::uint32_t value, const char* name);
  std::uint64_t bar_size() const { return bar5_.size(); }

 private:
  struct Which {
    regs::RegisterId id;
    At at;
  };
  struct Condition {
    std::uint32_t mask, expected;
    bool negate;  // value != expected instead of ==
    bool met(std::uint32_t v) const { return ((v & mask) == expected) != negate; }
  };

  template <class R>
  Result<std::uint32_t> locate(At at) const {
    if (!map_.has<R>(at.instance) || at.index >= regs::register_infos()[R::id.value].count) return missing(R::id, at);
    return map_.address<R>(at.index, at.instance);
  }
  Error missing(regs::RegisterId id, At at) const;
  static std::string name_of(const Which& w);

  Result<std::uint32_t> read_dword(std::uint32_t dword, const Which& w);
  Status write_dword(std::uint32_t dword, std::uint32_t value, const Which& w);
  Result<std::uint32_t> poll_dword(std::uint32_t dword, const Which& w, Condition c, Clock::duration timeout,
                                   const char* step);
  bool direct(std::uint32_t dword) const { return std::uint64_t{dword} * 4 + 4 <= bar5_.size(); }
  Result<std::uint32_t> load(std::uint32_t dword);
  Status store(std::uint32_t dword, std::uint32_t value);

  Link& link_;
  pci::Mmio bar5_;
  regs::RegisterMap map_;
  std::mutex indirect_;  // the index and data pair is one shared resource
};

}  // namespace hcq::am
