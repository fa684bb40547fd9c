// SPDX-License-Identifier: MIT
// Writes ir::Kernels by hand and runs them on an open device, for tests of code generators.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "compute/codegen/codegen.h"
#include "compute/ir/kernel.h"
#include "hcq/device.h"

namespace hcq::test {

namespace ir = compute::ir;

class KernelMaker {
 public:
  explicit KernelMaker(std::string name);

  // Workgroups and work-items along x; i() is then the global id, 0 .. groups*block-1, as i32.
  const ir::Node* launch(std::uint32_t groups, std::uint32_t block);

  const ir::Node* param(ir::DType element, std::uint64_t elements, bool written);
  const ir::Node* constant(ir::DType t, ir::Number v);
  const ir::Node* constant(ir::DType t, std::int64_t v);
  const ir::Node* op(ir::Op op, ir::DType t, std::initializer_list<const ir::Node*> src, ir::Arg arg = {});
  const ir::Node* load(const ir::Node* param, const ir::Node* i, unsigned lanes = 1, unsigned align = 1);
  const ir::Node* gated_load(const ir::Node* param, const ir::Node* i, const ir::Node* gate, const ir::Node* alt);
  void store(const ir::Node* param, const ir::Node* i, const ir::Node* value, unsigned align = 1,
             const ir::Node* gate = nullptr);

  // loop(): opens a loop; acc(): a carried value of the innermost; end(): closes it and returns the final values. What
  // depends on the loop must not be used after it; what does not is listed before it, wherever it was made.
  const ir::Node* loop(std::int64_t extent, ir::DType t = ir::kI32);
  const ir::Node* acc(const ir::Node* init);
  std::vector<const ir::Node*> end(std::initializer_list<const ir::Node*> next);

  const ir::Kernel& kernel() const { return kernel_; }

 private:
  const ir::Node* put(const ir::Node* n);
  struct Loop {
    const ir::Node* range;
    std::size_t position;  // of the range in the code
    std::vector<const ir::Node*> accs;
  };
  ir::Kernel kernel_;
  ir::Context& c_;
  std::vector<Loop> loops_;
  std::unordered_map<const ir::Node*, std::size_t> depth_;  // in how many loops a listed node stands
  std::int64_t next_axis_ = 0, next_acc_ = 0;
};

using Buffers = std::vector<std::vector<std::byte>>;

// One zeroed buffer per parameter.
Buffers buffers_for(const ir::Kernel& kernel);

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& v) {
  const auto* p = reinterpret_cast<const std::byte*>(v.data());
  return {p, p + v.size() * sizeof(T)};
}
template <class T>
std::vector<T> values_of(const std::vector<std::byte>& b) {
  const auto* p = reinterpret_cast<const T*>(b.data());
  return {p, p + b.size() / sizeof(T)};
}

// Compiles (not from a cache), uploads, runs, downloads.
Status run_on(Device& device, const ir::Kernel& kernel, Buffers& buffers);

}  // namespace hcq::test
