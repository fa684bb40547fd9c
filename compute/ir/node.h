// SPDX-License-Identifier: MIT
// Immutable, hash-consed IR nodes. Within one Context two nodes with equal contents are the same pointer, so equality
// is pointer equality and maps may key on it.
//
// A Context belongs to one thread at a time. It comes in two kinds: an arena, which frees everything at once (kernel
// compilation), and a counted one, where handles (NodeRef) keep nodes alive (the tensor graph, which users hold).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/ir/dtype.h"
#include "compute/ir/op.h"

namespace hcq::compute::ir {

// An interned list of integers (shapes, axes); equal lists of one Context are the same pointer.
using IntList = std::vector<std::int64_t>;

// What distinguishes nodes of the same op, dtype and sources. The meaning of each field stands with the op.
struct Arg {
  std::int64_t i = 0, j = 0, k = 0;
  const IntList* list = nullptr;
  bool operator==(const Arg&) const = default;
};

struct Node {
  Op op;
  DType dtype;
  std::uint32_t id;    // dense in its Context; sources of a node always have smaller ids in an arena
  std::uint32_t refs;  // counted contexts: handles plus parents
  std::uint64_t hash;  // of the contents, the same in every process (sources by their hash, not by address)
  Arg arg;
  std::uint32_t src_count;
  const Node* const* src_data;

  std::span<const Node* const> src() const { return {src_data, src_count}; }
  const Node* src(std::size_t i) const { return src_data[i]; }
  const IntList& list() const { return *arg.list; }
  bool is_const() const { return op == Op::constant; }
};

// Readers of arg, so that no code outside this folder knows which field holds what.
std::int64_t const_int(const Node* n);  // constant of bool or integer type
double const_float(const Node* n);      // constant of float type
Number const_number(const Node* n);     // constant of any type
inline std::int64_t axis_id(const Node* range) { return range->arg.i; }
inline AxisType axis_type(const Node* range) { return static_cast<AxisType>(range->arg.j); }
inline std::int64_t extent(const Node* range_or_special) { return range_or_special->arg.k; }
inline Op reduce_op(const Node* reduce) { return static_cast<Op>(reduce->arg.i); }
Number identity_element(Op reduce_op, Scalar s);  // 0, 1, lowest (-inf), highest (+inf)

class Context {
 public:
  enum class Kind : std::uint8_t { arena, counted };
  explicit Context(Kind kind = Kind::arena);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // The node with these contents, made if there is none. No simplification, no checking (verify.h does that).
  const Node* make(Op op, DType dtype, std::span<const Node* const> src, Arg arg = {});
  const Node* make(Op op, DType dtype, std::initializer_list<const Node*> src, Arg arg = {}) {
    return make(op, dtype, std::span<const Node* const>(src.begin(), src.size()), arg);
  }
  const IntList* list(IntList values);

  const Node* constant(DType t, Number v);        // rounds or wraps v to t
  const Node* constant(DType t, std::int64_t v);  // for floats converted first
  const Node* range(std::int64_t axis, AxisType type, std::int64_t extent, DType t = kI64);
  const Node* special(int dimension, bool local, std::int64_t extent);
  const Node* param(std::int64_t slot, DType element);

  std::size_t size() const { return alive_; }          // nodes alive
  std::uint32_t id_limit() const { return next_id_; }  // ids are below this

  // Counted contexts only. `on_free` runs before a node dies (side tables drop their entry); it must not make nodes.
  void retain(const Node* n);
  void release(const Node* n);
  std::function<void(const Node*)> on_free;

 private:
  struct Table;
  Node* allocate(std::size_t src_count);
  void free_node(Node* n);

  Kind kind_;
  std::unique_ptr<Table> table_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t block_used_ = 0, block_size_ = 0;
  std::vector<std::vector<Node*>> free_by_arity_;
  std::vector<std::uint32_t> free_ids_;
  std::uint32_t next_id_ = 0;
  std::size_t alive_ = 0;
};

// Keeps a node of a counted Context, and the Context itself, alive.
class NodeRef {
 public:
  NodeRef() = default;
  NodeRef(std::shared_ptr<Context> c, const Node* n) : context_(std::move(c)), node_(n) {
    if (node_) context_->retain(node_);
  }
  NodeRef(const NodeRef& o) : NodeRef(o.context_, o.node_) {}
  NodeRef(NodeRef&& o) noexcept : context_(std::move(o.context_)), node_(std::exchange(o.node_, nullptr)) {}
  NodeRef& operator=(NodeRef o) noexcept {
    std::swap(context_, o.context_);
    std::swap(node_, o.node_);
    return *this;
  }
  ~NodeRef() {
    if (node_) context_->release(node_);
  }
  const Node* get() const { return node_; }
  const Node* operator->() const { return node_; }
  explicit operator bool() const { return node_ != nullptr; }
  const std::shared_ptr<Context>& context() const { return context_; }

 private:
  std::shared_ptr<Context> context_;
  const Node* node_ = nullptr;
};

// All nodes reachable from the roots, sources before users, each once; without recursion.
std::vector<const Node*> topological(std::span<const Node* const> roots);

// One node as text ("%7 f32 = add %3 %5"), and a whole graph or list, one node a line.
std::string to_string(const Node* n);
std::string dump(std::span<const Node* const> nodes);

}  // namespace hcq::compute::ir
