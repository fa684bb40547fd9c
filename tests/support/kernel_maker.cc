// SPDX-License-Identifier: MIT
#include "tests/support/kernel_maker.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "compute/codegen/compile.h"

namespace hcq::test {

using ir::Node;
using ir::Op;

namespace {

ir::Kernel named(std::string name) {
  ir::Kernel k;
  k.context = std::make_shared<ir::Context>();
  k.name = std::move(name);
  return k;
}

}  // namespace

KernelMaker::KernelMaker(std::string name) : kernel_(named(std::move(name))), c_(*kernel_.context) {}

const Node* KernelMaker::put(const Node* n) {
  if (depth_.contains(n)) return n;
  std::size_t depth = 0;
  for (const Node* s : n->src()) depth = std::max(depth, depth_.at(s));
  const bool here =
      n->op == Op::store || n->op == Op::range || n->op == Op::acc || n->op == Op::end || n->op == Op::result;
  if (here) depth = loops_.size();
  auto& code = kernel_.code;
  const std::size_t at = depth < loops_.size() ? loops_[depth].position : code.size();
  code.insert(code.begin() + static_cast<std::ptrdiff_t>(at), n);
  for (std::size_t l = depth; l < loops_.size(); ++l) ++loops_[l].position;
  depth_[n] = depth;
  return n;
}

const Node* KernelMaker::launch(std::uint32_t groups, std::uint32_t block) {
  kernel_.groups[0] = groups;
  kernel_.block[0] = block;
  const Node* g = put(c_.special(0, false, groups));
  const Node* l = put(c_.special(0, true, block));
  return op(Op::add, ir::kI32, {op(Op::mul, ir::kI32, {g, constant(ir::kI32, block)}), l});
}

const Node* KernelMaker::param(ir::DType element, std::uint64_t elements, bool written) {
  kernel_.params.push_back({element, elements, written});
  return put(c_.param(static_cast<std::int64_t>(kernel_.params.size()) - 1, element));
}

const Node* KernelMaker::constant(ir::DType t, ir::Number v) { return put(c_.constant(t, v)); }
const Node* KernelMaker::constant(ir::DType t, std::int64_t v) { return put(c_.constant(t, v)); }

const Node* KernelMaker::op(Op op, ir::DType t, std::initializer_list<const Node*> src, ir::Arg arg) {
  return put(c_.make(op, t, src, arg));
}

const Node* KernelMaker::load(const Node* param, const Node* i, unsigned lanes, unsigned align) {
  const Node* index = op(Op::index, param->dtype, {param, i});
  return op(Op::load, param->dtype.vec(static_cast<int>(lanes)), {index}, {.i = align});
}

const Node* KernelMaker::gated_load(const Node* param, const Node* i, const Node* gate, const Node* alt) {
  const Node* index = op(Op::index, param->dtype, {param, i});
  return op(Op::load, alt->dtype, {index, gate, alt}, {.i = 1});
}

void KernelMaker::store(const Node* param, const Node* i, const Node* value, unsigned align, const Node* gate) {
  const Node* index = op(Op::index, param->dtype, {param, i});
  if (gate) op(Op::store, ir::kVoid, {index, value, gate}, {.i = align});
  else op(Op::store, ir::kVoid, {index, value}, {.i = align});
}

const Node* KernelMaker::loop(std::int64_t extent, ir::DType t) {
  const Node* range = c_.range(next_axis_++, ir::AxisType::reduce, extent, t);
  const std::size_t position = kernel_.code.size();
  loops_.push_back({range, position, {}});
  kernel_.code.push_back(range);
  depth_[range] = loops_.size();
  return range;
}

const Node* KernelMaker::acc(const Node* init) {
  const Node* a = op(Op::acc, init->dtype, {init, loops_.back().range}, {.i = next_acc_++});
  loops_.back().accs.push_back(a);
  return a;
}

std::vector<const Node*> KernelMaker::end(std::initializer_list<const Node*> next) {
  const Loop l = loops_.back();
  assert(next.size() == l.accs.size());
  std::vector<const Node*> src{l.range};
  for (std::size_t k = 0; k < l.accs.size(); ++k) {
    src.push_back(l.accs[k]);
    src.push_back(next.begin()[k]);
  }
  const Node* e = put(c_.make(Op::end, ir::kVoid, std::span<const Node* const>(src)));
  loops_.pop_back();
  std::vector<const Node*> out;
  for (const Node* a : l.accs) out.push_back(op(Op::result, a->dtype, {e, a}));
  return out;
}

Buffers buffers_for(const ir::Kernel& kernel) {
  Buffers b;
  for (const ir::Param& p : kernel.params) b.emplace_back(p.elements * p.dtype.scalar_bytes());
  return b;
}

Status run_on(Device& device, const ir::Kernel& kernel, Buffers& buffers) {
  const auto target = HCQ_TRY(compute::codegen::target_for(device.info()));
  const auto object = HCQ_TRY(compute::codegen::compile_uncached(kernel, target));
  const ProgramRef program = HCQ_TRY(device.load(object.bytes, object.name));
  std::vector<BufferRef> on_device;
  std::vector<std::uint64_t> args;
  for (auto& b : buffers) {
    on_device.push_back(HCQ_TRY(device.alloc(b.size(), MemoryKind::device)));
    HCQ_TRY(device.upload(*on_device.back(), 0, b));
    args.push_back(on_device.back()->address());
  }
  Queue* queue = HCQ_TRY(device.queue(QueueKind::compute));
  HCQ_TRY(queue->exec(*program, std::as_bytes(std::span(args)), object.groups, object.block));
  (void)HCQ_TRY(queue->submit());
  HCQ_TRY(device.synchronize());
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (kernel.params[i].written) HCQ_TRY(device.download(*on_device[i], 0, buffers[i]));
  return {};
}

}  // namespace hcq::test
