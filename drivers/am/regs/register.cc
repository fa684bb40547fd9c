// SPDX-License-Identifier: MIT
#include "drivers/am/regs/register.h"

#include <fmt/format.h>

#include <algorithm>

namespace hcq::am::regs {

const char* ip_name(Ip ip) {
  constexpr const char* kNames[kIpCount] = {"GC", "MMHUB", "NBIO", "HDP", "OSSSYS", "MP0", "MP1", "SDMA", "SMUIO"};
  return kNames[static_cast<unsigned>(ip)];
}

namespace {

Ip set_ip(Ip ip) { return ip == Ip::mp1 ? Ip::mp0 : ip; }

std::uint32_t version(unsigned major, unsigned minor, unsigned revision) { return major << 16 | minor << 8 | revision; }

const HeaderSet* choose(const IpBlock& block) {
  const HeaderSet* best = nullptr;
  for (const HeaderSet* s : header_sets()) {
    if (s->ip != set_ip(block.ip) || s->major != block.major) continue;
    const auto v = version(s->major, s->minor, s->revision);
    if (v > version(block.major, block.minor, block.revision)) continue;
    if (!best || v > version(best->major, best->minor, best->revision)) best = s;
  }
  return best;
}

}  // namespace

Result<RegisterMap> RegisterMap::build(std::span<const IpBlock> blocks) {
  RegisterMap map;
  map.slots_.resize(register_infos().size());
  map.blocks_.assign(blocks.begin(), blocks.end());
  for (const IpBlock& block : blocks) {
    const HeaderSet* set = choose(block);
    if (!set)
      return Error{.code = Errc::unsupported,
                   .operation = "discovery/register_map",
                   .subject = fmt::format("{} {}.{}.{}", ip_name(block.ip), block.major, block.minor, block.revision),
                   .detail = "no register table for this version of the block"};
    for (const RegisterEntry& e : set->entries) {
      const RegisterInfo& info = register_infos()[e.id];
      if (info.ip != block.ip) continue;
      map.slots_[e.id] = {&e, set->bits.data() + e.first_field};
      if (e.segment >= block.bases.size()) continue;
      for (std::uint16_t i = 0; i < info.count; ++i)
        map.by_address_.push_back({block.bases[e.segment] + e.dword + i * info.stride, {e.id, i, block.instance}});
    }
  }
  std::sort(map.by_address_.begin(), map.by_address_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return map;
}

std::optional<std::uint32_t> RegisterMap::lookup(RegisterId id, unsigned instance) const {
  const Slot& slot = slots_[id.value];
  const IpBlock* b = slot.entry ? block(register_infos()[id.value].ip, instance) : nullptr;
  if (!b || slot.entry->segment >= b->bases.size()) return std::nullopt;
  return b->bases[slot.entry->segment] + slot.entry->dword;
}

const IpBlock* RegisterMap::block(Ip ip, unsigned instance) const {
  for (const IpBlock& b : blocks_)
    if (b.ip == ip && b.instance == instance) return &b;
  return nullptr;
}

std::optional<RegisterMap::Location> RegisterMap::find(std::uint32_t dword) const {
  const auto it = std::lower_bound(by_address_.begin(), by_address_.end(), dword,
                                   [](const auto& a, std::uint32_t d) { return a.first < d; });
  if (it == by_address_.end() || it->first != dword) return std::nullopt;
  return it->second;
}

std::string RegisterMap::describe(const Location& l) {
  const RegisterInfo& info = register_infos()[l.id];
  return info.count > 1 ? fmt::format("{}[{}]", info.name, l.index) : std::string(info.name);
}

std::uint32_t RegisterMap::all_field_bits(std::uint16_t id) const {
  std::uint32_t m = 0;
  const FieldBits* b = slots_[id].bits;
  for (unsigned i = 0; b && i < register_infos()[id].field_count; ++i)
    if (b[i].width) m |= b[i].mask();
  return m;
}

}  // namespace hcq::am::regs
