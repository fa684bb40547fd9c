// SPDX-License-Identifier: MIT
#include "compute/ir/kernel.h"

#include <cstring>

namespace hcq::compute::ir {
namespace {

class Hasher {
 public:
  void add(std::uint64_t v) {
    std::byte b[8];
    std::memcpy(b, &v, sizeof b);
    h_ = fnv1a(b, h_);
  }
  void add(const std::vector<Param>& params) {
    add(params.size());
    for (const Param& p : params) {
      add(static_cast<std::uint64_t>(p.dtype.scalar) << 1 | p.written);
      add(p.elements);
    }
  }
  std::uint64_t value() const { return h_; }

 private:
  std::uint64_t h_ = fnv1a({});
};

}  // namespace

std::uint64_t KernelGraph::hash() const {
  Hasher h;
  h.add(params);
  h.add(sink->hash);
  return h.value();
}

std::uint64_t Kernel::hash() const {
  Hasher h;
  h.add(params);
  for (int i = 0; i < 3; ++i) h.add(static_cast<std::uint64_t>(groups[i]) << 32 | block[i]);
  for (const Node* n : code) h.add(n->hash);
  return h.value();
}

}  // namespace hcq::compute::ir
