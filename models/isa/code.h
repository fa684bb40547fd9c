// SPDX-License-Identifier: MIT
// Machine code as fetched from device memory, and its control-flow graph.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/isa/decode.h"
#include "models/isa/isa.h"

namespace hcq::models::isa {

// The instruction cache: copies of pages, taken at first use and kept until forgotten.
class CodeMemory {
 public:
  explicit CodeMemory(std::size_t max_pages = 16384) : max_pages_(max_pages) {}
  // Copies up to `size` bytes at `va`; returns how many could be fetched.
  std::size_t read(MemoryPort& port, std::uint64_t va, std::byte* out, std::size_t size);
  void forget() { pages_.clear(); }

 private:
  using Page = std::array<std::byte, 4096>;
  const Page* page(MemoryPort& port, std::uint64_t number);
  std::size_t max_pages_;
  std::map<std::uint64_t, Page> pages_;
};

// All code reachable from a set of roots by direct control flow. Addresses are offsets from the entry.
struct CodeGraph {
  std::map<std::uint64_t, Inst> instructions;
  std::set<std::uint64_t> leaders;     // first instructions of basic blocks
  std::set<std::uint64_t> roots;       // may be jumped to indirectly or resumed at
  std::set<std::uint64_t> unreadable;  // reached, but no bytes there
  std::set<std::uint64_t> invalid;     // reached, but no instruction there
};

// `fetch` reads code at an offset from the entry. Discovers at most `limit` instructions; nullopt beyond that.
template <class Fetch>
std::optional<CodeGraph> discover(Decoder& decoder, const std::set<std::uint64_t>& roots, std::size_t limit,
                                  Fetch fetch);

// What follows an instruction.
struct Flow {
  bool ends_block = false;
  bool falls_through = true;
  bool next_is_root = false;  // the next instruction is resumed at: behind a call, a barrier, or s_setreg
  std::optional<std::uint64_t> target{};
};
Flow flow_of(const Inst& inst);
// True also for compares that only read EXEC; a block may end early.
bool writes_exec(const Inst& inst);

template <class Fetch>
std::optional<CodeGraph> discover(Decoder& decoder, const std::set<std::uint64_t>& roots, std::size_t limit,
                                  Fetch fetch) {
  CodeGraph graph;
  graph.roots = roots;
  std::vector<std::uint64_t> work(roots.begin(), roots.end());
  graph.leaders.insert(roots.begin(), roots.end());
  while (!work.empty()) {
    std::uint64_t pc = work.back();
    work.pop_back();
    while (!graph.instructions.contains(pc)) {
      std::array<std::byte, 20> bytes;
      const std::size_t n = fetch(pc, bytes.data(), bytes.size());
      auto inst = n > 0 ? decoder.decode({bytes.data(), n}, pc) : std::nullopt;
      if (!inst) {
        (n > 0 ? graph.invalid : graph.unreadable).insert(pc);
        graph.leaders.insert(pc);
        break;
      }
      const Flow flow = flow_of(*inst);
      const std::uint64_t next = pc + inst->size;
      if (graph.instructions.size() >= limit) return std::nullopt;
      graph.instructions.emplace(pc, std::move(*inst));
      if (flow.target) {
        graph.leaders.insert(*flow.target);
        work.push_back(*flow.target);
      }
      if (flow.next_is_root) graph.roots.insert(next);
      if (flow.next_is_root || (flow.ends_block && flow.falls_through)) {
        graph.leaders.insert(next);
        work.push_back(next);
      }
      if (flow.ends_block) break;
      pc = next;
    }
  }
  return graph;
}

}  // namespace hcq::models::isa
