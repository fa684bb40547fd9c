// SPDX-License-Identifier: MIT
#include "compute/lower/lower.h"

#include <set>
#include <unordered_map>

#include "compute/ir/verify.h"
#include "compute/lower/passes.h"

namespace hcq::compute::lower {
namespace {

using ir::Node;
using ir::Op;

const Node* copy_into(ir::Context& to, const Node* sink) {
  const Node* roots[] = {sink};
  std::unordered_map<const Node*, const Node*> now;
  std::vector<const Node*> src;
  for (const Node* n : ir::topological(roots)) {
    src.clear();
    for (const Node* x : n->src()) src.push_back(now.at(x));
    now[n] = to.make(n->op, n->dtype, src, n->arg);
  }
  return now.at(sink);
}

// Float operations of the launch: each counts once for every point of the axes it depends on; a reduction adds one per
// value it folds.
std::uint64_t count_flops(const Node* sink) {
  const Node* roots[] = {sink};
  std::unordered_map<const Node*, std::set<const Node*>> axes;
  std::uint64_t flops = 0;
  const auto points = [](const std::set<const Node*>& a) {
    std::uint64_t n = 1;
    for (const Node* r : a) n *= static_cast<std::uint64_t>(ir::extent(r));
    return n;
  };
  for (const Node* n : ir::topological(roots)) {
    std::set<const Node*>& mine = axes[n];
    if (n->op == Op::range) mine.insert(n);
    for (const Node* x : n->src()) mine.insert(axes[x].begin(), axes[x].end());
    const ir::OpClass kind = ir::info(n->op).kind;
    const bool math = kind == ir::OpClass::binary || (kind == ir::OpClass::unary && n->op != Op::cast);
    if (n->dtype.is_float() && (math || n->op == Op::reduce)) flops += points(mine);
    if (n->op == Op::reduce)
      for (const Node* x : n->src())
        if (x->op == Op::range) mine.erase(x);
  }
  return flops;
}

}  // namespace

Result<ir::Kernel> lower(const ir::KernelGraph& graph) {
  ir::Kernel kernel;
  kernel.context = std::make_shared<ir::Context>();
  kernel.name = graph.name;
  kernel.params = graph.params;
  const Node* sink = copy_into(*kernel.context, graph.sink);
  kernel.flops = count_flops(sink);
  ir::Simplifier s(*kernel.context);
  sink = assign_grid(s, sink, kernel);
  for (std::uint32_t n : kernel.groups)
    if (n == 0)
      return Error{.code = Errc::unsupported,
                   .operation = "lower",
                   .subject = graph.name,
                   .detail = "more than 2^31 workgroups",
                   .hint = "let the optimizer give each workgroup more than one element"};
  sink = expand(s, sink);
  sink = narrow(s, sink);
  kernel.code = HCQ_TRY(linearize(*kernel.context, sink));
  HCQ_TRY(ir::verify_kernel(kernel));
  return kernel;
}

}  // namespace hcq::compute::lower
