// SPDX-License-Identifier: MIT
#include "models/am/registers.h"

#include <utility>

namespace hcq::models::am {

namespace {
const char* block_name(regs::Ip ip) {
  constexpr const char* kNames[regs::kIpCount] = {"gc", "mmhub", "nbio", "hdp", "ih", "psp", "smu", "sdma"};
  return kNames[static_cast<unsigned>(ip)];
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
}

}  // namespace hcq::models::am
