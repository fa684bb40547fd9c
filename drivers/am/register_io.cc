// SPDX-License-Identifier: MIT
#include "drivers/am/register_io.h"

#include <fmt/format.h>

#include "base/log.h"

namespace hcq::am {

std::string RegisterIo::name_of(const Which& w) {
  const regs::RegisterInfo& info = regs::register_infos()[w.id.value];
  std::string s = info.name;
  if (info.count > 1) s += fmt::format("[{}]", w.at.index);
  if (w.at.instance) s += fmt::format("@{}", w.at.instance);
  return s;
}

Error RegisterIo::missing(regs::RegisterId id, At at) const {
  return link_.error(Errc::unsupported, name_of({id, at}), "this chip's register tables have no such register");
}

Result<std::uint32_t> RegisterIo::load(std::uint32_t dword) {
  HCQ_TRY(link_.alive());
  if (direct(dword)) return bar5_.read32(std::uint64_t{dword} * 4);
  if (!map_.has<regs::BIF_BX_PF0_RSMU_INDEX>())
    return link_.error(Errc::unsupported, fmt::format("register {:#x}", dword), "beyond BAR 5, no indirect access");
  const std::scoped_lock lock(indirect_);
  bar5_.write32(std::uint64_t{map_.address<regs::BIF_BX_PF0_RSMU_INDEX>()} * 4, dword * 4);
  return bar5_.read32(std::uint64_t{map_.address<regs::BIF_BX_PF0_RSMU_DATA>()} * 4);
}

Status RegisterIo::store(std::uint32_t dword, std::uint32_t value) {
  HCQ_TRY(link_.alive());
  if (direct(dword)) {
    bar5_.write32(std::uint64_t{dword} * 4, value);
    return {};
  }
  if (!map_.has<regs::BIF_BX_PF0_RSMU_INDEX>())
    return link_.error(Errc::unsupported, fmt::format("register {:#x}", dword), "beyond BAR 5, no indirect access");
  const std::scoped_lock lock(indirect_);
  bar5_.write32(std::uint64_t{map_.address<regs::BIF_BX_PF0_RSMU_INDEX>()} * 4, dword * 4);
  bar5_.write32(std::uint64_t{map_.address<regs::BIF_BX_PF0_RSMU_DATA>()} * 4, value);
  return {};
}

Result<std::uint32_t> RegisterIo::read_dword(std::uint32_t dword, const Which& w) {
  const std::uint32_t v = HCQ_TRY(load(dword));
  if (v == 0xffffffffu) HCQ_TRY(link_.verify(v, name_of(w)));
  if (log::traced(log::Area::mmio)) log::trace(log::Area::mmio, "rd {} = {:#x}", name_of(w), v);
  return v;
}

Status RegisterIo::write_dword(std::uint32_t dword, std::uint32_t value, const Which& w) {
  if (log::traced(log::Area::mmio)) log::trace(log::Area::mmio, "wr {} = {:#x}", name_of(w), value);
  return store(dword, value);
}

Result<std::uint32_t> RegisterIo::poll_dword(std::uint32_t dword, const Which& w, Condition c, Clock::duration timeout,
                                             const char* step) {
  const OperationScope scope(link_, step);
  timeout = link_.limit(timeout);
  const Deadline deadline = Deadline::in(timeout);
  Backoff backoff;
  while (true) {
    // Looked at once more after the deadline: the thread may have slept through a good answer.
    const bool last = deadline.expired();
    const std::uint32_t v = HCQ_TRY(load(dword));
    if (v == 0xffffffffu) HCQ_TRY(link_.verify(v, name_of(w)));
    if (c.met(v)) {
      if (log::traced(log::Area::mmio)) log::trace(log::Area::mmio, "poll {} = {:#x}", name_of(w), v);
      return v;
    }
    if (last) {
      HCQ_TRY(link_.confirm(name_of(w)));
      Error e = link_.error(Errc::timeout, name_of(w));
      if (!c.negate) e.expected = c.expected;
      e.actual = v & c.mask;
      e.detail = fmt::format("bits {:#x} not {} after {} ms", c.mask, c.negate ? "set" : "as expected",
                             std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count());
      return e;
    }
    backoff.pause();
  }
}

Result<std::uint32_t> RegisterIo::read_fixed(const FixedRegister& r) {
  const std::uint32_t v = HCQ_TRY(load(r.dword));
  HCQ_TRY(link_.verify(v, r.name));
  log::trace(log::Area::mmio, "rd {} = {:#x}", r.name, v);
  return v;
}

Status RegisterIo::write_fixed(const FixedRegister& r, std::uint32_t value) {
  log::trace(log::Area::mmio, "wr {} = {:#x}", r.name, value);
  return store(r.dword, value);
}

Result<std::uint32_t> RegisterIo::probe_fixed(const FixedRegister& r) {
  const std::uint32_t v = HCQ_TRY(load(r.dword));
  log::trace(log::Area::mmio, "probe {} = {:#x}", r.name, v);
  return v;
}

Result<std::uint32_t> RegisterIo::read_byte_offset(std::uint32_t offset, const char* name) {
  return read_fixed({name, offset / 4});
}

Status RegisterIo::write_byte_offset(std::uint32_t offset, std::uint32_t value, const char* name) {
  return write_fixed({name, offset / 4}, value);
}

}  // namespace hcq::am
