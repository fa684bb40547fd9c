// SPDX-License-Identifier: MIT
#include "compute/ir/verify.h"

#include <unordered_set>

#include "compute/ir/simplify.h"
#include "fmt/format.h"

namespace hcq::compute::ir {
namespace {

// A violated rule as text, or nullptr.
using Complaint = const char*;

bool all_sources(const Node* n, std::size_t from, DType t) {
  for (std::size_t i = from; i < n->src_count; ++i)
    if (n->src(i)->dtype != t) return false;
  return true;
}

Complaint check_unary(const Node* n) {
  const DType from = n->src(0)->dtype;
  switch (n->op) {
    case Op::cast:
      return n->dtype.lanes == from.lanes ? nullptr : "cast changes the number of lanes";
    case Op::bitcast:
      return n->dtype.bytes() == from.bytes() ? nullptr : "bitcast changes the size";
    case Op::logic_not:
      return n->dtype.is_bool() && from == n->dtype ? nullptr : "not takes bool";
    case Op::neg:
      return from == n->dtype && !from.is_bool() ? nullptr : "neg takes a number of its own type";
    case Op::contiguous:
      return from == n->dtype ? nullptr : "type differs from the source";
    default:
      return from == n->dtype && from.is_float() ? nullptr : "takes a float of its own type";
  }
}

Complaint check_binary(const Node* n) {
  if (!all_sources(n, 0, n->dtype)) return "operand types differ from the result";
  const DType t = n->dtype;
  switch (n->op) {
    case Op::fdiv:
      return t.is_float() ? nullptr : "fdiv takes floats";
    case Op::cdiv:
    case Op::cmod:
    case Op::floordiv:
    case Op::floormod:
    case Op::shl:
    case Op::shr:
      return t.is_int() ? nullptr : "takes integers";
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
      return t.is_float() ? "takes integers or bool" : nullptr;
    case Op::max:
    case Op::min:
      return nullptr;
    default:
      return t.is_bool() ? "takes numbers" : nullptr;
  }
}

Complaint check_vector(const Node* n) {
  switch (n->op) {
    case Op::splat:
      return n->src(0)->dtype == n->dtype.element() ? nullptr : "splat of another type";
    case Op::stack:
      return n->src_count == n->dtype.lanes && all_sources(n, 0, n->dtype.element()) ? nullptr
                                                                                     : "one scalar a lane is wanted";
    default:
      return n->dtype == n->src(0)->dtype.element() && n->arg.i >= 0 && n->arg.i < n->src(0)->dtype.lanes
                 ? nullptr
                 : "no such lane";
  }
}

Complaint check_memory(const Node* n) {
  switch (n->op) {
    case Op::index: {
      if (n->src(0)->op != Op::param || n->src(0)->dtype != n->dtype) return "index needs a param of its type";
      const DType t = n->src(1)->dtype;
      return t == kI32 || t == kI64 ? nullptr : "the index is not i32 or i64";
    }
    case Op::load:
      if (n->src_count != 1 && n->src_count != 3) return "load takes {index} or {index, gate, alt}";
      if (n->src(0)->op != Op::index || n->src(0)->dtype != n->dtype.element()) return "load from no index of its type";
      if (n->src_count == 3 && (n->src(1)->dtype != kBool || n->src(2)->dtype != n->dtype)) return "bad gate or alt";
      return nullptr;
    default:
      if (n->src_count != 2 && n->src_count != 3) return "store takes {index, value} or {index, value, gate}";
      if (n->src(0)->op != Op::index || n->src(0)->dtype != n->src(1)->dtype.element()) return "store of another type";
      if (n->src_count == 3 && n->src(2)->dtype != kBool) return "bad gate";
      return n->dtype == kVoid ? nullptr : "store has a value";
  }
}

// Rules of one node that hold in every form.
Complaint check_node(const Node* n) {
  const OpInfo& f = info(n->op);
  if (f.arity >= 0 && n->src_count != static_cast<std::uint32_t>(f.arity)) return "wrong number of sources";
  switch (f.kind) {
    case OpClass::unary:
      return check_unary(n);
    case OpClass::binary:
      return check_binary(n);
    case OpClass::compare:
      if (!n->dtype.is_bool() || n->src(0)->dtype != n->src(1)->dtype) return "operand types differ";
      return n->dtype.lanes == n->src(0)->dtype.lanes ? nullptr : "lanes differ";
    case OpClass::ternary:
      if (!n->src(0)->dtype.is_bool() || n->src(0)->dtype.lanes != n->dtype.lanes) return "condition is not bool";
      return all_sources(n, 1, n->dtype) ? nullptr : "branch types differ";
    case OpClass::vector:
      return check_vector(n);
    case OpClass::memory:
      return check_memory(n);
    case OpClass::movement:
      return n->arg.list && n->src(0)->dtype == n->dtype ? nullptr : "no list or another type";
    case OpClass::reduce:
      if (n->src_count == 0 || n->src(0)->dtype != n->dtype) return "type differs from the source";
      switch (reduce_op(n)) {
        case Op::add:
        case Op::mul:
        case Op::max:
        case Op::min:
          return nullptr;
        default:
          return "no such reduction";
      }
    default:
      break;
  }
  if (n->op == Op::range || n->op == Op::special) return extent(n) >= 1 ? nullptr : "empty axis";
  return nullptr;
}

Error broken(const std::string& where, const Node* n, Complaint why) {
  return Error{.code = Errc::internal, .operation = "verify", .subject = where, .detail = to_string(n) + ": " + why};
}

Status check_access(const std::string& name, const std::vector<Param>& params, const Node* n) {
  if (n->op == Op::param) {
    const auto slot = static_cast<std::uint64_t>(n->arg.i);
    if (slot >= params.size()) return broken(name, n, "no such parameter");
    if (params[slot].dtype != n->dtype) return broken(name, n, "parameter of another type");
  }
  if (n->op == Op::load || n->op == Op::store) {
    const Param& p = params[static_cast<std::size_t>(n->src(0)->src(0)->arg.i)];
    if (p.written != (n->op == Op::store)) return broken(name, n, "loads what it writes, or stores to an input");
  }
  return {};
}

bool allowed_in_kernel(const Node* n) {
  switch (info(n->op).kind) {
    case OpClass::movement:
    case OpClass::reduce:
      return false;
    case OpClass::leaf:
      return n->op != Op::buffer;
    case OpClass::loop:
      return n->op != Op::sink;
    default:
      return n->op != Op::contiguous;
  }
}

class KernelVerifier {
 public:
  explicit KernelVerifier(const Kernel& k) : k_(k) {}

  Status run() {
    for (const Node* n : k_.code) HCQ_TRY(one(n));
    if (!open_.empty()) return broken(k_.name, open_.back(), "loop is not closed");
    return {};
  }

 private:
  Status one(const Node* n) {
    if (Complaint why = check_node(n)) return broken(k_.name, n, why);
    HCQ_TRY(check_access(k_.name, k_.params, n));
    if (!allowed_in_kernel(n)) return broken(k_.name, n, "op does not belong into a kernel");
    for (const Node* s : n->src())
      if (!visible_.contains(s)) return broken(k_.name, n, "uses something that is not listed before it or has ended");
    if (visible_.contains(n)) return broken(k_.name, n, "listed twice");
    if (n->op == Op::acc) HCQ_TRY(open_acc(n));
    if (n->op == Op::end) HCQ_TRY(close(n));
    last_was_head_ = n->op == Op::range || n->op == Op::acc;
    define(n);
    if (n->op == Op::range) open_.push_back(n), scopes_.emplace_back();
    return {};
  }

  Status open_acc(const Node* n) {
    if (open_.empty() || n->src(1) != open_.back() || !last_was_head_) return broken(k_.name, n, "not after its range");
    return n->src(0)->dtype == n->dtype ? Status{} : broken(k_.name, n, "initial value of another type");
  }

  Status close(const Node* n) {
    if (open_.empty() || n->src_count % 2 == 0 || n->src(0) != open_.back())
      return broken(k_.name, n, "does not close the innermost loop");
    for (std::size_t i = 1; i < n->src_count; i += 2)
      if (n->src(i)->op != Op::acc || n->src(i)->src(1) != n->src(0) || n->src(i + 1)->dtype != n->src(i)->dtype)
        return broken(k_.name, n, "bad acc and next pair");
    // Accs stay visible: `result` names them. Everything else of the loop goes.
    for (const Node* inside : scopes_.back())
      if (inside->op != Op::acc) visible_.erase(inside);
    visible_.erase(open_.back());
    open_.pop_back();
    scopes_.pop_back();
    return {};
  }

  void define(const Node* n) {
    visible_.insert(n);
    if (!scopes_.empty()) scopes_.back().push_back(n);
  }

  const Kernel& k_;
  std::unordered_set<const Node*> visible_;
  std::vector<const Node*> open_;
  std::vector<std::vector<const Node*>> scopes_;
  bool last_was_head_ = false;
};

}  // namespace

Status verify_tensor_graph(std::span<const Node* const> roots) {
  for (const Node* n : topological(roots)) {
    if (Complaint why = check_node(n)) return broken("tensor graph", n, why);
    const OpClass kind = info(n->op).kind;
    if (kind == OpClass::memory || kind == OpClass::loop || kind == OpClass::vector || n->dtype.lanes != 1)
      return broken("tensor graph", n, "op does not belong into a tensor graph");
  }
  return {};
}

Status verify_graph(const KernelGraph& k) {
  if (!k.sink || k.sink->op != Op::sink) return Error{.operation = "verify", .subject = k.name, .detail = "no sink"};
  const Node* roots[] = {k.sink};
  for (const Node* n : topological(roots)) {
    if (Complaint why = check_node(n)) return broken(k.name, n, why);
    HCQ_TRY(check_access(k.name, k.params, n));
    const OpClass kind = info(n->op).kind;
    if (kind == OpClass::movement || kind == OpClass::vector || n->op == Op::buffer || n->op == Op::iota ||
        n->op == Op::contiguous || (kind == OpClass::loop && n->op != Op::sink))
      return broken(k.name, n, "op does not belong into a kernel graph");
    if (n->op == Op::reduce)
      for (std::size_t i = 1; i < n->src_count; ++i)
        if (n->src(i)->op != Op::range) return broken(k.name, n, "reduces over something that is no range");
    if (n->op == Op::sink)
      for (const Node* s : n->src())
        if (s->op != Op::store) return broken(k.name, n, "sinks take stores");
  }
  return {};
}

Status verify_kernel(const Kernel& k) { return KernelVerifier(k).run(); }

std::vector<const Node*> unproven_accesses(const KernelGraph& k) {
  Simplifier s(*k.context);
  std::vector<const Node*> open;
  const Node* roots[] = {k.sink};
  for (const Node* n : topological(roots)) {
    if (n->op != Op::index) continue;
    const Interval i = s.interval(n->src(1));
    const auto slot = static_cast<std::size_t>(n->src(0)->arg.i);
    if (!i.known || i.lo < 0 || static_cast<std::uint64_t>(i.hi) >= k.params[slot].elements) open.push_back(n);
  }
  return open;
}

}  // namespace hcq::compute::ir
