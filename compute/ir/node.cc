// SPDX-License-Identifier: MIT
#include "compute/ir/node.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <unordered_set>

#include "fmt/format.h"

namespace hcq::compute::ir {
namespace {

// A 64-bit mixing step (multiply and fold), good enough for hash tables and cache keys.
std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdull;
  return h ^ (h >> 32);
}

struct Key {
  Op op;
  DType dtype;
  std::span<const Node* const> src;
  Arg arg;
  std::uint64_t hash;
};

std::uint64_t hash_of(Op op, DType dtype, std::span<const Node* const> src, const Arg& arg) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(op), static_cast<std::uint64_t>(dtype.scalar) << 8 | dtype.lanes);
  h = mix(mix(mix(h, static_cast<std::uint64_t>(arg.i)), static_cast<std::uint64_t>(arg.j)),
          static_cast<std::uint64_t>(arg.k));
  if (arg.list) {
    h = mix(h, arg.list->size() + 1);
    for (std::int64_t v : *arg.list) h = mix(h, static_cast<std::uint64_t>(v));
  }
  for (const Node* s : src) h = mix(h, s->hash);
  return h;
}

struct NodeHash {
  using is_transparent = void;
  std::size_t operator()(const Node* n) const { return n->hash; }
  std::size_t operator()(const Key& k) const { return k.hash; }
};

struct NodeEqual {
  using is_transparent = void;
  bool operator()(const Node* a, const Node* b) const { return a == b; }
  bool operator()(const Key& k, const Node* n) const {
    return k.hash == n->hash && k.op == n->op && k.dtype == n->dtype && k.arg == n->arg &&
           std::ranges::equal(k.src, n->src());
  }
  bool operator()(const Node* n, const Key& k) const { return (*this)(k, n); }
};

struct ListHash {
  std::size_t operator()(const IntList& l) const {
    std::uint64_t h = l.size();
    for (std::int64_t v : l) h = mix(h, static_cast<std::uint64_t>(v));
    return h;
  }
};

constexpr std::size_t kBlockBytes = 64 << 10;

}  // namespace

struct Context::Table {
  std::unordered_set<const Node*, NodeHash, NodeEqual> nodes;
  std::unordered_set<IntList, ListHash> lists;
};

Context::Context(Kind kind) : kind_(kind), table_(std::make_unique<Table>()) {}
Context::~Context() = default;

Node* Context::allocate(std::size_t src_count) {
  if (src_count < free_by_arity_.size() && !free_by_arity_[src_count].empty()) {
    Node* n = free_by_arity_[src_count].back();
    free_by_arity_[src_count].pop_back();
    return n;
  }
  const std::size_t bytes = sizeof(Node) + src_count * sizeof(const Node*);
  if (block_used_ + bytes > block_size_) {
    block_size_ = std::max(kBlockBytes, bytes);
    blocks_.push_back(std::make_unique<std::byte[]>(block_size_));
    block_used_ = 0;
  }
  auto* n = reinterpret_cast<Node*>(blocks_.back().get() + block_used_);
  block_used_ += bytes;
  return n;
}

const Node* Context::make(Op op, DType dtype, std::span<const Node* const> src, Arg arg) {
  if (arg.list) arg.list = list(*arg.list);  // lists of another context are taken over
  const Key key{op, dtype, src, arg, hash_of(op, dtype, src, arg)};
  if (auto it = table_->nodes.find(key); it != table_->nodes.end()) return *it;
  Node* n = allocate(src.size());
  auto* sources = reinterpret_cast<const Node**>(n + 1);
  std::ranges::copy(src, sources);
  std::uint32_t id = next_id_;
  if (free_ids_.empty()) {
    ++next_id_;
  } else {
    id = free_ids_.back();
    free_ids_.pop_back();
  }
  new (n) Node{op, dtype, id, 0, key.hash, arg, static_cast<std::uint32_t>(src.size()), sources};
  table_->nodes.insert(n);
  ++alive_;
  if (kind_ == Kind::counted)
    for (const Node* s : src) retain(s);
  return n;
}

const IntList* Context::list(IntList values) { return &*table_->lists.insert(std::move(values)).first; }

void Context::retain(const Node* n) { ++const_cast<Node*>(n)->refs; }

void Context::free_node(Node* n) {
  if (on_free) on_free(n);
  table_->nodes.erase(n);
  free_ids_.push_back(n->id);
  if (free_by_arity_.size() <= n->src_count) free_by_arity_.resize(n->src_count + 1);
  free_by_arity_[n->src_count].push_back(n);
  --alive_;
}

// Iterative: dropping the last handle of a long chain must not recurse along it.
void Context::release(const Node* node) {
  assert(kind_ == Kind::counted);
  std::vector<Node*> work{const_cast<Node*>(node)};
  while (!work.empty()) {
    Node* n = work.back();
    work.pop_back();
    assert(n->refs > 0);
    if (--n->refs != 0) continue;
    for (const Node* s : n->src()) work.push_back(const_cast<Node*>(s));
    free_node(n);
  }
}

const Node* Context::constant(DType t, Number v) {
  Arg arg;
  if (t.is_float()) {
    v.f = round_to(t.scalar, v.f);
    std::memcpy(&arg.i, &v.f, sizeof arg.i);
  } else {
    arg.i = wrap(t.scalar, v.i);
  }
  return make(Op::constant, t, {}, arg);
}

const Node* Context::constant(DType t, std::int64_t v) {
  return constant(t, t.is_float() ? convert(Scalar::i64, t.scalar, integer(v)) : integer(v));
}

const Node* Context::range(std::int64_t axis, AxisType type, std::int64_t extent, DType t) {
  return make(Op::range, t, {}, Arg{.i = axis, .j = static_cast<std::int64_t>(type), .k = extent});
}

const Node* Context::special(int dimension, bool local, std::int64_t extent) {
  return make(Op::special, kI32, {}, Arg{.i = dimension, .j = local, .k = extent});
}

const Node* Context::param(std::int64_t slot, DType element) { return make(Op::param, element, {}, Arg{.i = slot}); }

std::int64_t const_int(const Node* n) {
  assert(n->is_const() && !n->dtype.is_float());
  return n->arg.i;
}

double const_float(const Node* n) {
  assert(n->is_const() && n->dtype.is_float());
  double v;
  std::memcpy(&v, &n->arg.i, sizeof v);
  return v;
}

Number const_number(const Node* n) { return n->dtype.is_float() ? real(const_float(n)) : integer(const_int(n)); }

Number identity_element(Op op, Scalar s) {
  const ScalarInfo& f = info(s);
  const bool is_float = f.kind == ScalarClass::floating;
  const double inf = std::numeric_limits<double>::infinity();
  if (op == Op::add) return is_float ? real(0) : integer(0);
  if (op == Op::mul) return is_float ? real(1) : integer(1);
  assert(op == Op::max || op == Op::min);
  if (is_float) return real(op == Op::max ? -inf : inf);
  if (f.kind == ScalarClass::signed_int) {
    const std::int64_t lowest = std::numeric_limits<std::int64_t>::min() >> (64 - 8 * f.bytes);
    return integer(op == Op::max ? lowest : ~lowest);
  }
  return integer(op == Op::max ? 0 : wrap(s, -1));
}

std::vector<const Node*> topological(std::span<const Node* const> roots) {
  std::vector<const Node*> order;
  std::unordered_set<const Node*> seen;
  std::vector<std::pair<const Node*, std::size_t>> stack;
  for (const Node* root : roots) {
    if (!seen.insert(root).second) continue;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto& [n, next] = stack.back();
      if (next == n->src_count) {
        order.push_back(n);
        stack.pop_back();
      } else if (const Node* s = n->src(next++); seen.insert(s).second) {
        stack.emplace_back(s, 0);
      }
    }
  }
  return order;
}

namespace {

std::string arg_text(const Node* n) {
  switch (n->op) {
    case Op::constant:
      return n->dtype.is_float() ? fmt::format(" {}", const_float(n)) : fmt::format(" {}", n->arg.i);
    case Op::range:
      return fmt::format(" r{} {} {}", axis_id(n), name(axis_type(n)), extent(n));
    case Op::special:
      return fmt::format(" {}{} {}", n->arg.j ? "item" : "group", n->arg.i, n->arg.k);
    case Op::reduce:
      return fmt::format(" {}", info(reduce_op(n)).name);
    default:
      break;
  }
  return n->arg.i || n->arg.j || n->arg.k ? fmt::format(" #{}", n->arg.i) : "";
}

}  // namespace

std::string to_string(const Node* n) {
  std::string s = fmt::format("%{} {} = {}{}", n->id, name(n->dtype), info(n->op).name, arg_text(n));
  if (n->arg.list) s += fmt::format(" [{}]", fmt::join(*n->arg.list, ","));
  for (const Node* x : n->src()) s += fmt::format(" %{}", x->id);
  return s;
}

std::string dump(std::span<const Node* const> nodes) {
  std::string s;
  for (const Node* n : nodes) s += to_string(n) + "\n";
  return s;
}

}  // namespace hcq::compute::ir
