// SPDX-License-Identifier: MIT
// A translated code object: machine code from its entry on, its control-flow graph, and the native code made of it.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/isa/code.h"
#include "models/isa/jit.h"
#include "models/isa/translator.h"

namespace hcq::models::isa {

struct Program {
  Mode mode;
  std::set<std::uint64_t> roots;  // known targets of indirect jumps, among them the entry at 0
  bool partial = false;           // has the code for partial EXEC
  NativeCode run = nullptr;
  // The bytes it was made of, to find it again by content: offset from the entry and contents.
  struct Extent {
    std::uint64_t offset;
    std::vector<std::byte> bytes;
  };
  std::vector<Extent> extents;
};

constexpr std::size_t kMaxInstructions = 200000;

// Translates what is reachable from `roots`. `fetch(offset, out, size)` reads code.
template <class Fetch>
Result<std::shared_ptr<const Program>> translate_program(Jit& jit, Decoder& decoder, const Mode& mode,
                                                         const std::set<std::uint64_t>& roots, bool partial,
                                                         const std::string& name, Fetch fetch);

Result<std::shared_ptr<const Program>> build_program(Jit& jit, const Mode& mode, const CodeGraph& graph, bool partial,
                                                     const std::string& name);

template <class Fetch>
Result<std::shared_ptr<const Program>> translate_program(Jit& jit, Decoder& decoder, const Mode& mode,
                                                         const std::set<std::uint64_t>& roots, bool partial,
                                                         const std::string& name, Fetch fetch) {
  auto graph = discover(decoder, roots, kMaxInstructions, fetch);
  if (!graph)
    return Error{.code = Errc::unsupported,
                 .operation = "isa/translate",
                 .expected = kMaxInstructions,
                 .detail = "the code reachable from the entry is longer than the translator takes"};
  return build_program(jit, mode, *graph, partial, name);
}

}  // namespace hcq::models::isa
