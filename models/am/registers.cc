// SPDX-License-Identifier: MIT
#include "models/am/registers.h"

#include <cassert>
#include <utility>

#include "drivers/am/abi/discovery.h"
#include "models/am/discovery.h"
#include "models/am/vendor_registers.h"

namespace hcq::models::am {

namespace {
const char* block_name(regs::Ip ip) {
  constexpr const char* kNames[regs::kIpCount] = {"gc", "mmhub", "nbio", "hdp", "ih", "psp", "smu", "sdma", "rom"};
  return kNames[static_cast<unsigned>(ip)];
}

const char* block_name(std::uint16_t hw_id) {
  namespace d = hcq::am::abi::discovery;
  switch (hw_id) {
    case d::GC_HWID:
      return "gc";
    case d::MMHUB_HWID:
      return "mmhub";
    case d::NBIF_HWID:
      return "nbio";
    case d::HDP_HWID:
      return "hdp";
    case d::OSSSYS_HWID:
      return "ih";
    case d::MP0_HWID:
      return "psp";
    case d::SMUIO_HWID:
      return "smuio";
    case d::ATHUB_HWID:
      return "athub";
    case d::DMU_HWID:
      return "display";
    default:
      return "chip";
  }
}

}  // namespace

Registers::Registers(regs::RegisterMap map, Referee& referee) : map_(std::move(map)), bank_(referee) {
  for (const auto& [dword, location] : map_.all()) {
    RegisterSpec s;
    s.name = regs::RegisterMap::describe(location);
    s.block = block_name(regs::register_infos()[location.id].ip);
    // Some index and data registers have no fields in the headers; all their bits count.
    s.fields = map_.all_field_bits(location.id);
    if (!s.fields) s.fields = ~0u;
    s.writable = s.fields;
    bank_.add(dword, std::move(s));
  }
  for (const VendorRegister& v : vendor_registers()) {
    const auto bases = block_bases(v.hw_id);
    if (v.segment >= bases.size()) continue;
    const std::uint32_t dword = bases[v.segment] + v.dword;
    named_.emplace(v.name, dword);
    RegisterSpec s;
    s.name = v.name;
    s.block = block_name(v.hw_id);
    s.fields = s.writable = v.fields;
    bank_.add(dword, std::move(s));
  }
}

std::uint32_t Registers::named(std::string_view name) const {
  const auto it = named_.find(name);
  assert(it != named_.end() && "no such register");
  return it->second;
}

}  // namespace hcq::models::am
