// SPDX-License-Identifier: MIT
#include "models/core/register_bank.h"

#include <fmt/format.h>

#include <cassert>

namespace hcq::models {

void RegisterBank::add(std::uint32_t dword, RegisterSpec spec) {
  if (find(dword)) return;
  Entry& e = entries_.emplace_back();
  e.value = spec.reset;
  e.spec = std::move(spec);
  if (dword < kFlat) flat_[dword] = &e;
  else far_[dword] = &e;
}

RegisterBank::Entry* RegisterBank::find(std::uint32_t dword) const {
  if (dword < kFlat) return flat_[dword];
  const auto it = far_.find(dword);
  return it == far_.end() ? nullptr : it->second;
}

RegisterSpec& RegisterBank::spec(std::uint32_t dword) {
  Entry* e = find(dword);
  assert(e && "no such register");
  return e->spec;
}

const RegisterSpec* RegisterBank::find_spec(std::uint32_t dword) const {
  const Entry* e = find(dword);
  return e ? &e->spec : nullptr;
}

void RegisterBank::for_each(const std::function<void(std::uint32_t, const RegisterSpec&)>& visit) const {
  for (std::uint32_t dword = 0; dword < kFlat; ++dword)
    if (flat_[dword]) visit(dword, flat_[dword]->spec);
  for (const auto& [dword, e] : far_) visit(dword, e->spec);
}

void RegisterBank::on_read(std::uint32_t dword, ReadHook hook) {
  Entry* e = find(dword);
  assert(e && "no such register");
  e->read = std::move(hook);
}

void RegisterBank::on_write(std::uint32_t dword, WriteHook hook) {
  Entry* e = find(dword);
  assert(e && "no such register");
  e->write = std::move(hook);
}

void RegisterBank::set_gate(std::uint32_t dword, const Gate* gate) {
  Entry* e = find(dword);
  assert(e && "no such register");
  e->gate = gate;
}

void RegisterBank::report(const Entry& e, std::uint32_t value, std::string rule, std::string text) const {
  referee_.report({e.spec.block, std::move(rule), e.spec.name, value, std::move(text), "register description"});
}

bool RegisterBank::answers(const Entry& e, std::uint32_t value) const {
  if (!e.gate || e.gate->open()) return true;
  referee_.report({e.spec.block, e.gate->rule, e.spec.name, value, e.gate->text, e.gate->source});
  return false;
}

std::uint32_t RegisterBank::read(std::uint32_t dword) {
  Entry* e = find(dword);
  if (!e) {
    std::uint32_t v = 0;
    if (fallback_ && fallback_(dword, false, v)) return v;
    referee_.report({"bus", "register.unbacked", fmt::format("dword {:#x}", dword), 0,
                     "a register was read that this chip does not have", "register headers of the chip"});
    return 0;
  }
  if (!answers(*e, 0)) return 0;
  if (!e->spec.readable) report(*e, 0, "register.write_only", "a register that can only be written was read");
  const std::uint32_t stored = e->value.load(std::memory_order_acquire);
  return e->read ? e->read(stored) : stored;
}

void RegisterBank::write(std::uint32_t dword, std::uint32_t value) {
  Entry* e = find(dword);
  if (!e) {
    if (fallback_ && fallback_(dword, true, value)) return;
    referee_.report({"bus", "register.unbacked", fmt::format("dword {:#x}", dword), value,
                     "a register was written that this chip does not have", "register headers of the chip"});
    return;
  }
  if (!answers(*e, value)) return;
  const RegisterSpec& s = e->spec;
  std::uint32_t before = e->value.load(std::memory_order_acquire);
  if (value & ~s.fields & ~before)
    report(*e, value, "register.reserved", fmt::format("bits {:#x} are reserved and were set", value & ~s.fields));
  if (!s.writable) {
    report(*e, value, "register.read_only", "a register that can only be read was written");
    return;
  }
  const std::uint32_t plain = s.writable & ~s.write_one_to_clear & ~s.self_clearing;
  std::uint32_t after = 0;
  do {
    after = (before & ~plain & ~s.self_clearing) | (value & plain);
    after &= ~(value & s.write_one_to_clear);
  } while (!e->value.compare_exchange_weak(before, after, std::memory_order_acq_rel));
  if (e->write) e->write(value & s.fields, before);
}

std::uint32_t RegisterBank::peek(std::uint32_t dword) const {
  const Entry* e = find(dword);
  assert(e && "no such register");
  return e->value.load(std::memory_order_acquire);
}

void RegisterBank::poke(std::uint32_t dword, std::uint32_t value) {
  Entry* e = find(dword);
  assert(e && "no such register");
  e->value.store(value, std::memory_order_release);
}

void RegisterBank::reset() {
  for (Entry& e : entries_)
    if (!e.spec.keeps_value) e.value.store(e.spec.reset, std::memory_order_release);
}

}  // namespace hcq::models
