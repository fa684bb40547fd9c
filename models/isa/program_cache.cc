// SPDX-License-Identifier: MIT
#include "models/isa/program_cache.h"

#include <cstdio>
#include <cstring>

#include "base/bytes.h"

namespace hcq::models::isa {

Result<std::unique_ptr<ProgramCache>> ProgramCache::create(const std::string& processor) {
  std::unique_ptr<ProgramCache> cache(new ProgramCache(processor));
  if (!cache->wave32_.ok() || !cache->wave64_.ok())
    return Error{.code = Errc::unsupported,
                 .operation = "isa/create",
                 .subject = processor,
                 .detail = "LLVM has no disassembler for this processor"};
  cache->jit_ = HCQ_TRY(Jit::create());
  return cache;
}

Result<std::shared_ptr<const Program>> ProgramCache::translate(MemoryPort& port, std::uint64_t entry, const Mode& mode,
                                                               const std::set<std::uint64_t>& roots, bool partial) {
  const auto fetch = [&](std::uint64_t pc, std::byte* out, std::size_t size) {
    return code_.read(port, entry + pc, out, size);
  };
  const std::string name = "program" + std::to_string(count_++);
  auto program = HCQ_TRY(translate_program(*jit_, decoder(mode.wave32), mode, roots, partial, name, fetch));
  by_content_.emplace(content_key(port, entry, mode), program);
  by_entry_[{entry, mode}] = program;
  return program;
}

ProgramCache::Key ProgramCache::content_key(MemoryPort& port, std::uint64_t entry, const Mode& mode) {
  std::byte head[64] = {};
  const std::size_t n = code_.read(port, entry, head, sizeof head);
  return {fnv1a({head, n}), mode};
}

bool ProgramCache::same_code(MemoryPort& port, std::uint64_t entry, const Program& program) {
  std::vector<std::byte> now;
  for (const auto& extent : program.extents) {
    now.resize(extent.bytes.size());
    if (code_.read(port, entry + extent.offset, now.data(), now.size()) != now.size()) return false;
    if (std::memcmp(now.data(), extent.bytes.data(), now.size()) != 0) return false;
  }
  return true;
}

Result<std::shared_ptr<const Program>> ProgramCache::find(MemoryPort& port, std::uint64_t entry, const Mode& mode) {
  std::lock_guard lock(mutex_);
  if (const auto found = by_entry_.find({entry, mode}); found != by_entry_.end()) return found->second;
  const auto [first, last] = by_content_.equal_range(content_key(port, entry, mode));
  std::shared_ptr<const Program> best;
  for (auto it = first; it != last; ++it)
    if (same_code(port, entry, *it->second)) best = it->second;  // later ones know more
  if (!best) return translate(port, entry, mode, {0}, false);
  by_entry_[{entry, mode}] = best;
  return best;
}

Result<std::shared_ptr<const Program>> ProgramCache::extend(MemoryPort& port, std::uint64_t entry, const Mode& mode,
                                                            std::uint64_t root, bool partial) {
  std::lock_guard lock(mutex_);
  std::set<std::uint64_t> roots{0};
  if (const auto found = by_entry_.find({entry, mode}); found != by_entry_.end()) {
    const auto& known = *found->second;
    if (known.roots.contains(root) && (known.partial || !partial)) return found->second;
    roots = known.roots;
    partial = partial || known.partial;
  }
  roots.insert(root);
  return translate(port, entry, mode, roots, partial);
}

void ProgramCache::invalidate() {
  std::lock_guard lock(mutex_);
  code_.forget();
  by_entry_.clear();
}

std::string ProgramCache::describe_instruction(MemoryPort& port, std::uint64_t va, bool wave32) {
  std::lock_guard lock(mutex_);
  std::byte bytes[20];
  const std::size_t n = code_.read(port, va, bytes, sizeof bytes);
  const auto inst = decoder(wave32).decode({bytes, n}, va);
  char number[32];
  std::snprintf(number, sizeof number, "0x%llx:", static_cast<unsigned long long>(va));
  std::string text = number;
  const std::size_t shown = inst ? inst->size : std::min<std::size_t>(n, 8);
  for (std::size_t k = 0; k + 4 <= shown; k += 4) {
    std::uint32_t word;
    std::memcpy(&word, bytes + k, 4);
    std::snprintf(number, sizeof number, " %08x", word);
    text += number;
  }
  return text + (inst ? "  " + inst->text : "  (no instruction)");
}

}  // namespace hcq::models::isa
