// SPDX-License-Identifier: MIT
// Translations by entry address while the instruction cache is valid, and by content across invalidations: the same
// kernel loaded twice, or at another address, is translated once.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "models/isa/program.h"

namespace hcq::models::isa {

// Thread-safe.
class ProgramCache {
 public:
  static Result<std::unique_ptr<ProgramCache>> create(const std::string& processor);

  // The translation of the code at `entry`.
  Result<std::shared_ptr<const Program>> find(MemoryPort& port, std::uint64_t entry, const Mode& mode);
  // The translation of the same code that also knows `root` as the target of a jump, and if `partial` the code for
  // partial EXEC.
  Result<std::shared_ptr<const Program>> extend(MemoryPort& port, std::uint64_t entry, const Mode& mode,
                                                std::uint64_t root, bool partial);
  // Forgets which code lies where.
  void invalidate();
  // Address, bytes and disassembly of the instruction at `va`.
  std::string describe_instruction(MemoryPort& port, std::uint64_t va, bool wave32);

 private:
  using Key = std::pair<std::uint64_t, Mode>;  // entry, or a hash of the first bytes

  ProgramCache(const std::string& processor) : wave32_(processor, true), wave64_(processor, false) {}
  Result<std::shared_ptr<const Program>> translate(MemoryPort& port, std::uint64_t entry, const Mode& mode,
                                                   const std::set<std::uint64_t>& roots, bool partial);
  Key content_key(MemoryPort& port, std::uint64_t entry, const Mode& mode);
  bool same_code(MemoryPort& port, std::uint64_t entry, const Program& program);
  Decoder& decoder(bool wave32) { return wave32 ? wave32_ : wave64_; }

  std::mutex mutex_;
  std::unique_ptr<Jit> jit_;
  Decoder wave32_, wave64_;
  CodeMemory code_;
  std::map<Key, std::shared_ptr<const Program>> by_entry_;
  std::multimap<Key, std::shared_ptr<const Program>> by_content_;
  std::uint64_t count_ = 0;
};

}  // namespace hcq::models::isa
