// SPDX-License-Identifier: MIT
#include "compute/ir/interpreter.h"

#include <algorithm>
#include <unordered_map>

#include "compute/ir/eval.h"
#include "fmt/format.h"

namespace hcq::compute::ir {
namespace {

constexpr std::uint32_t kNone = ~0u;

// One instruction: where its value and its sources' values lie in the register file.
struct Step {
  const Node* node;
  std::uint32_t value = kNone;    // first lane
  std::uint32_t first_src = 0;    // into Machine::src_values_
  std::uint32_t partner = kNone;  // range: step of its end; end: step of its range
};

class Machine {
 public:
  Machine(const Kernel& k, std::span<const ParamMemory> params) : k_(k), params_(params) { prepare(); }

  Status run_item(const std::uint32_t group[3], const std::uint32_t item[3]) {
    for (std::size_t i = 0; i < 3; ++i) group_[i] = group[i], item_[i] = item[i];
    for (std::size_t pc = 0; pc < steps_.size();) {
      const Step& s = steps_[pc];
      switch (s.node->op) {
        case Op::range:
          pc = enter(s, pc);
          break;
        case Op::end:
          pc = leave(s, pc);
          break;
        default:
          HCQ_TRY(execute(s));
          ++pc;
      }
    }
    return {};
  }

 private:
  void prepare() {
    std::unordered_map<const Node*, std::uint32_t> value;
    std::unordered_map<const Node*, std::uint32_t> range_step;
    std::uint32_t used = 0;
    for (const Node* n : k_.code) {
      Step s{.node = n};
      s.value = used;
      used += std::max<std::uint32_t>(1, n->dtype.lanes);
      s.first_src = static_cast<std::uint32_t>(src_values_.size());
      for (const Node* x : n->src()) src_values_.push_back(value.at(x));
      value[n] = s.value;
      const auto at = static_cast<std::uint32_t>(steps_.size());
      if (n->op == Op::range) range_step[n] = at;
      if (n->op == Op::end) {
        s.partner = range_step.at(n->src(0));
        steps_[s.partner].partner = at;
      }
      steps_.push_back(s);
    }
    values_.resize(used);
  }

  Number* src(const Step& s, std::size_t i) { return &values_[src_values_[s.first_src + i]]; }

  // Sets the loop to its first iteration; its accs start from their initial values.
  std::size_t enter(const Step& s, std::size_t pc) {
    values_[s.value] = integer(0);
    for (++pc; pc < steps_.size() && steps_[pc].node->op == Op::acc; ++pc) {
      const Step& a = steps_[pc];
      std::copy_n(src(a, 0), a.node->dtype.lanes, &values_[a.value]);
    }
    return pc;
  }

  // Hands over the next values (all read before any is written) and jumps back or on.
  std::size_t leave(const Step& s, std::size_t pc) {
    next_.clear();
    for (std::size_t i = 1; i < s.node->src_count; i += 2)
      next_.insert(next_.end(), src(s, i + 1), src(s, i + 1) + s.node->src(i)->dtype.lanes);
    auto from = next_.begin();
    for (std::size_t i = 1; i < s.node->src_count; i += 2)
      for (int l = 0; l < s.node->src(i)->dtype.lanes; ++l) src(s, i)[l] = *from++;
    const Step& r = steps_[s.partner];
    if (++values_[r.value].i >= extent(r.node)) return pc + 1;
    std::size_t body = s.partner + 1;
    while (steps_[body].node->op == Op::acc) ++body;
    return body;
  }

  Status execute(const Step& s) {
    const Node* n = s.node;
    Number* out = &values_[s.value];
    const int lanes = n->dtype.lanes;
    switch (n->op) {
      case Op::constant:
        std::fill_n(out, lanes, const_number(n));
        return {};
      case Op::param:
      case Op::acc:
        return {};
      case Op::special:
        *out = integer((n->arg.j ? item_ : group_)[n->arg.i]);
        return {};
      case Op::index:
        *out = *src(s, 1);
        return {};
      case Op::load:
        return load_step(s, out);
      case Op::store:
        return store_step(s);
      case Op::result:
        std::copy_n(src(s, 1), lanes, out);
        return {};
      case Op::splat:
        std::fill_n(out, lanes, *src(s, 0));
        return {};
      case Op::extract:
        *out = src(s, 0)[n->arg.i];
        return {};
      case Op::stack:
        for (int l = 0; l < lanes; ++l) out[l] = *src(s, static_cast<std::size_t>(l));
        return {};
      default:
        break;
    }
    const Scalar operand = n->src(n->src_count - 1)->dtype.scalar;
    for (int l = 0; l < lanes; ++l) {
      Number v[3];
      for (std::size_t i = 0; i < n->src_count; ++i) v[i] = src(s, i)[l];
      out[l] = evaluate(n->op, n->dtype.scalar, operand, {v, n->src_count});
    }
    return {};
  }

  Status in_bounds(const Step& s, std::int64_t i, int lanes) {
    const Node* index = s.node->src(0);
    const Param& p = k_.params[static_cast<std::size_t>(index->src(0)->arg.i)];
    if (i >= 0 && static_cast<std::uint64_t>(i) + static_cast<std::uint64_t>(lanes) <= p.elements) return {};
    return Error{.code = Errc::device_fault,
                 .device = "interpreter",
                 .operation = info(s.node->op).name,
                 .subject = k_.name,
                 .detail = fmt::format("element {} of parameter {} ({} x {}), group {},{},{}, item {},{},{}", i,
                                       index->src(0)->arg.i, p.elements, name(p.dtype), group_[0], group_[1], group_[2],
                                       item_[0], item_[1], item_[2])};
  }

  Status load_step(const Step& s, Number* out) {
    const Node* n = s.node;
    const int lanes = n->dtype.lanes;
    if (n->src_count == 3 && !src(s, 1)->i) {
      std::copy_n(src(s, 2), lanes, out);
      return {};
    }
    const std::int64_t i = src(s, 0)->i;
    HCQ_TRY(in_bounds(s, i, lanes));
    const ParamMemory& m = params_[static_cast<std::size_t>(n->src(0)->src(0)->arg.i)];
    const std::size_t size = n->dtype.scalar_bytes();
    for (int l = 0; l < lanes; ++l)
      out[l] = m.data ? load(n->dtype.scalar, m.data + static_cast<std::size_t>(i + l) * size)
                      : (n->dtype.is_float() ? real(0) : integer(0));
    return {};
  }

  Status store_step(const Step& s) {
    const Node* n = s.node;
    const DType t = n->src(1)->dtype;
    if (n->src_count == 3 && !src(s, 2)->i) return {};
    const std::int64_t i = src(s, 0)->i;
    HCQ_TRY(in_bounds(s, i, t.lanes));
    const ParamMemory& m = params_[static_cast<std::size_t>(n->src(0)->src(0)->arg.i)];
    if (!m.data) return {};
    for (int l = 0; l < t.lanes; ++l)
      store(t.scalar, m.data + static_cast<std::size_t>(i + l) * t.scalar_bytes(), src(s, 1)[l]);
    return {};
  }

  const Kernel& k_;
  std::span<const ParamMemory> params_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> src_values_;
  std::vector<Number> values_, next_;
  std::uint32_t group_[3] = {}, item_[3] = {};
};

}  // namespace

Status interpret(const Kernel& k, std::span<const ParamMemory> params, GroupRange range) {
  if (params.size() != k.params.size())
    return Error{.code = Errc::invalid_argument,
                 .operation = "interpret",
                 .subject = k.name,
                 .expected = k.params.size(),
                 .actual = params.size(),
                 .detail = "number of parameters"};
  for (std::size_t i = 0; i < params.size(); ++i)
    if (const std::uint64_t need = k.params[i].elements * k.params[i].dtype.bytes(); params[i].bytes < need)
      return Error{.code = Errc::invalid_argument,
                   .operation = "interpret",
                   .subject = k.name,
                   .expected = need,
                   .actual = params[i].bytes,
                   .detail = fmt::format("bytes of parameter {}", i)};
  Machine machine(k, params);
  const std::uint64_t nx = k.groups[0], ny = k.groups[1], total = nx * ny * k.groups[2];
  const std::uint64_t last = range.count > total - std::min(range.first, total) ? total : range.first + range.count;
  for (std::uint64_t g = range.first; g < last; ++g) {
    const std::uint32_t group[3] = {static_cast<std::uint32_t>(g % nx), static_cast<std::uint32_t>(g / nx % ny),
                                    static_cast<std::uint32_t>(g / nx / ny)};
    for (std::uint32_t z = 0; z < k.block[2]; ++z)
      for (std::uint32_t y = 0; y < k.block[1]; ++y)
        for (std::uint32_t x = 0; x < k.block[0]; ++x) {
          const std::uint32_t item[3] = {x, y, z};
          HCQ_TRY(machine.run_item(group, item));
        }
  }
  return {};
}

}  // namespace hcq::compute::ir
