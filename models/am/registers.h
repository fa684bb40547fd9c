// SPDX-License-Identifier: MIT
// Registers: the register tables of the chip (names, fields, addresses) joined with the bank that holds the values, so
// that blocks of the model speak in register types and never in addresses.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "drivers/am/regs/register.h"
#include "drivers/am/regs/registers.h"
#include "models/core/register_bank.h"

namespace hcq::models::am {

namespace regs = hcq::am::regs;

// While one exists in a thread, that thread's register accesses come from a processor of the chip and not from the
// host; some rules are for the host only.
class ChipAccess {
 public:
  ChipAccess() { ++depth_; }
  ~ChipAccess() { --depth_; }
  ChipAccess(const ChipAccess&) = delete;
  ChipAccess& operator=(const ChipAccess&) = delete;
  static bool active() { return depth_ > 0; }

 private:
  static inline thread_local int depth_ = 0;
};

class Registers {
 public:
  // Every register of the map, and those of vendor_registers(), exist in the bank from the start: all fields readable
  // and writable, reset value 0. Blocks narrow that down with describe().
  Registers(regs::RegisterMap map, Referee& referee);

  const regs::RegisterMap& map() const { return map_; }
  RegisterBank& bank() { return bank_; }
  const RegisterBank& bank() const { return bank_; }

  // Dword address of a register by its name in the vendor's headers; for registers without a type. The name must exist.
  std::uint32_t named(std::string_view name) const;
  template <class R>
  std::uint32_t address(unsigned index = 0) const {
    return map_.address<R>(index);
  }
  // Of an array of registers, how many there are.
  template <class R>
  static unsigned count() {
    return regs::register_infos()[R::id.value].count;
  }
  // The description, to be changed while the model is built.
  template <class R>
  RegisterSpec& describe(unsigned index = 0) {
    return bank_.spec(address<R>(index));
  }
  // Value after reset; also the value now.
  template <class R>
  void reset_value(std::uint32_t value, unsigned index = 0) {
    describe<R>(index).reset = value;
    bank_.poke(address<R>(index), value);
  }
  template <class R>
  void read_only(unsigned index = 0) {
    describe<R>(index).writable = 0;
  }
  template <class R>
  void on_read(RegisterBank::ReadHook hook, unsigned index = 0) {
    bank_.on_read(address<R>(index), std::move(hook));
  }
  template <class R>
  void on_write(RegisterBank::WriteHook hook, unsigned index = 0) {
    bank_.on_write(address<R>(index), std::move(hook));
  }

  // The stored value, without rules and hooks.
  template <class R>
  std::uint32_t raw(unsigned index = 0) const {
    return bank_.peek(address<R>(index));
  }
  template <class R>
  regs::Value<R> get(unsigned index = 0) const {
    return map_.decode<R>(raw<R>(index));
  }
  template <class R>
  void set_raw(std::uint32_t value, unsigned index = 0) {
    bank_.poke(address<R>(index), value);
  }
  template <class R>
  void set(std::initializer_list<regs::FieldValue<R>> fields, unsigned index = 0) {
    set_raw<R>(map_.encode<R>(raw<R>(index), fields), index);
  }
  template <class R>
  std::uint32_t mask(std::initializer_list<regs::Field<R>> fields) const {
    std::uint32_t m = 0;
    for (const auto& f : fields) m |= map_.bits<R>()[f.index].width ? map_.bits<R>()[f.index].mask() : 0;
    return m;
  }

 private:
  regs::RegisterMap map_;
  RegisterBank bank_;
  std::unordered_map<std::string_view, std::uint32_t> named_;  // of vendor_registers()
};

}  // namespace hcq::models::am
