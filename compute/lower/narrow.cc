// SPDX-License-Identifier: MIT
#include <bit>

#include "compute/lower/passes.h"

namespace hcq::compute::lower {
namespace {

using ir::Node;
using ir::Op;

class Narrower {
 public:
  explicit Narrower(ir::Simplifier& s) : s_(s), context_(s.context()) {}

  const Node* run(const Node* sink) {
    const Node* roots[] = {sink};
    const std::vector<const Node*> order = ir::topological(roots);
    now_.resize(context_.id_limit());
    for (const Node* n : order) {
      // Asked before anything is rewritten, so that the bounds are those of the i64 expression.
      fits_.push_back(n->dtype == ir::kI64 && fits_i32(s_.interval(n)));
    }
    std::size_t i = 0;
    for (const Node* n : order) now_[n->id] = rewrite(n, fits_[i++]);
    return now_[sink->id];
  }

 private:
  static bool fits_i32(ir::Interval i) { return i.known && i.lo >= -(1ll << 31) && i.hi < (1ll << 31); }

  const Node* now(const Node* n) const { return now_[n->id]; }
  const Node* wide(const Node* n) {
    const Node* x = now(n);
    return n->dtype == ir::kI64 && x->dtype == ir::kI32 ? context_.make(Op::cast, ir::kI64, {x}) : x;
  }
  bool narrowed(const Node* n) const { return n->dtype == ir::kI64 && now(n)->dtype == ir::kI32; }

  static bool arithmetic(Op op) {
    switch (op) {
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::neg:
      case Op::floordiv:
      case Op::floormod:
      case Op::cdiv:
      case Op::cmod:
      case Op::max:
      case Op::min:
        return true;
      default:
        return false;
    }
  }

  const Node* rewrite(const Node* n, bool fits) {
    if (n->op == Op::cast && n->dtype == ir::kI64 && now(n->src(0))->dtype == ir::kI32 && fits) return now(n->src(0));
    if (n->is_const() && fits) return context_.constant(ir::kI32, ir::const_int(n));
    if (n->op == Op::range && fits) return context_.range(ir::axis_id(n), ir::axis_type(n), ir::extent(n), ir::kI32);
    bool all = true;
    for (const Node* x : n->src()) all &= x->dtype != ir::kI64 || x->op == Op::param || narrowed(x);
    const bool keep = (fits && arithmetic(n->op)) || ir::info(n->op).kind == ir::OpClass::compare ||
                      n->op == Op::index || n->op == Op::cast || n->op == Op::reduce;
    // Ranges of a reduction may be narrow or not, each for itself; its value is no index.
    const bool as_is = (all && keep) || n->op == Op::reduce;
    std::vector<const Node*> src;
    for (const Node* x : n->src())
      src.push_back(as_is && (n->op != Op::reduce || x->op == Op::range) ? now(x) : wide(x));
    if (src.empty()) return n;
    const ir::DType t = as_is && fits && arithmetic(n->op) ? ir::kI32 : n->dtype;
    return divide(n, t, src);
  }

  const Node* divide(const Node* n, ir::DType t, std::vector<const Node*>& src) {
    const bool floors = (n->op == Op::floordiv || n->op == Op::floormod) && n->dtype == ir::kI64;
    if (!floors || !n->src(1)->is_const() || ir::const_int(n->src(1)) <= 0) return context_.make(n->op, t, src, n->arg);
    const std::int64_t d = ir::const_int(n->src(1));
    const bool is_div = n->op == Op::floordiv;
    if (std::has_single_bit(static_cast<std::uint64_t>(d))) {
      const int log = std::countr_zero(static_cast<std::uint64_t>(d));
      return context_.make(is_div ? Op::shr : Op::bit_and, t,
                           {src[0], context_.constant(t, is_div ? std::int64_t{log} : d - 1)});
    }
    const ir::Interval i = s_.interval(n->src(0));
    if (!i.known || i.lo < 0) return context_.make(n->op, t, src, n->arg);
    return context_.make(is_div ? Op::cdiv : Op::cmod, t, src, n->arg);
  }

  ir::Simplifier& s_;
  ir::Context& context_;
  std::vector<bool> fits_;
  std::vector<const Node*> now_;
};

}  // namespace

const Node* narrow(ir::Simplifier& s, const Node* sink) { return Narrower(s).run(sink); }

}  // namespace hcq::compute::lower
