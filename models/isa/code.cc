// SPDX-License-Identifier: MIT
#include "models/isa/code.h"

#include <algorithm>
#include <cstring>

namespace hcq::models::isa {

const CodeMemory::Page* CodeMemory::page(MemoryPort& port, std::uint64_t number) {
  if (const auto found = pages_.find(number); found != pages_.end()) return &found->second;
  const Translation t = port.translate(number * 4096, Access::execute);
  if (!t.page) return nullptr;
  if (pages_.size() >= max_pages_) pages_.clear();
  auto& copy = pages_[number];
  std::memcpy(copy.data(), t.page, copy.size());
  return &copy;
}

std::size_t CodeMemory::read(MemoryPort& port, std::uint64_t va, std::byte* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const std::uint64_t at = va + done;
    const auto* from = page(port, at / 4096);
    if (!from) break;
    const std::size_t n = std::min<std::size_t>(size - done, 4096 - at % 4096);
    std::memcpy(out + done, from->data() + at % 4096, n);
    done += n;
  }
  return done;
}

bool writes_exec(const Inst& inst) {
  const auto& m = inst.mnemonic;
  if (m.starts_with("v_cmpx_") || m.find("saveexec") != std::string::npos || m.find("wrexec") != std::string::npos)
    return true;
  if (inst.operands.empty() || !inst.operands[0].is_sgpr()) return false;
  const auto& d = inst.operands[0];
  return d.reg + d.count > kExecLo && d.reg <= kExecLo + 1;
}

Flow flow_of(const Inst& inst) {
  const auto& m = inst.mnemonic;
  if (m == "s_endpgm" || m == "s_setpc_b64") return {.ends_block = true, .falls_through = false};
  if (m == "s_branch") return {.ends_block = true, .falls_through = false, .target = inst.branch_target()};
  if (m == "s_swappc_b64") return {.ends_block = true, .falls_through = false, .next_is_root = true};
  if (m == "s_call_b64")
    return {.ends_block = true, .falls_through = false, .next_is_root = true, .target = inst.branch_target()};
  if (m == "s_barrier" || m == "s_setreg_b32") return {.ends_block = true, .falls_through = true, .next_is_root = true};
  if (m.starts_with("s_cbranch_")) return {.ends_block = true, .target = inst.branch_target()};
  if (writes_exec(inst)) return {.ends_block = true};
  return {};
}

}  // namespace hcq::models::isa
