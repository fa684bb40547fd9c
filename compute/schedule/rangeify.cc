// SPDX-License-Identifier: MIT
#include "compute/schedule/rangeify.h"

#include <cassert>
#include <map>

#include "compute/ir/simplify.h"
#include "fmt/format.h"

namespace hcq::compute::schedule {
namespace {

using ir::AxisType;
using ir::Node;
using ir::Op;

// Where a value is wanted: one index per axis, and the condition under which it is wanted at all.
struct Place {
  std::vector<const Node*> index;
  const Node* mask = nullptr;
  auto operator<=>(const Place&) const = default;
};

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

class Builder {
 public:
  Builder(const Plan& plan, const Node* value) : plan_(plan), root_(value) {
    out_.graph.context = std::make_shared<ir::Context>();
    context_ = out_.graph.context.get();
    simplify_.emplace(*context_);
    always_ = context_->constant(ir::kBool, std::int64_t{1});
  }

  Ranged build() {
    const Node* body = body_of(root_);
    Place place{.index = {}, .mask = always_};
    for (std::int64_t extent : plan_.shape.at(body)) place.index.push_back(axis(extent, AxisType::global));
    const Node* out = parameter(root_);
    out_.graph.params[0].written = true;
    const Node* address = address_of(out, plan_.shape.at(body), place);
    const Node* stored = context_->make(Op::store, ir::kVoid, {address, evaluate(body, place)}, {.i = 1});
    out_.graph.sink = context_->make(Op::sink, ir::kVoid, {stored});
    out_.graph.name = kernel_name(plan_.shape.at(body));
    return std::move(out_);
  }

 private:
  using Key = std::pair<const Node*, int>;
  struct Frame {
    const Node* node;
    int place;
    std::vector<int> source_places;  // filled on the first visit
    std::size_t next = 0;
  };

  // Reshapes right before the store do not change the order in memory: the axes of what they reshape serve better.
  const Node* body_of(const Node* n) const {
    while ((n->op == Op::reshape || n->op == Op::contiguous) && !in_memory(n->src(0)) &&
           elements(plan_.shape.at(n->src(0))) == elements(plan_.shape.at(n)))
      n = n->src(0);
    return n;
  }

  bool in_memory(const Node* n) const { return plan_.is_stored.contains(n) || plan_.leaves.contains(n); }

  const Node* axis(std::int64_t extent, AxisType type) {
    if (extent == 1) return simplify_->index(0);
    return context_->range(next_axis_++, type, extent);
  }

  const Node* parameter(const Node* n) {
    if (auto it = slots_.find(n); it != slots_.end()) return it->second;
    const auto slot = static_cast<std::int64_t>(out_.args.size());
    out_.args.push_back(n);
    out_.graph.params.push_back(
        {.dtype = n->dtype, .elements = static_cast<std::uint64_t>(elements(plan_.shape.at(n)))});
    return slots_[n] = context_->param(slot, n->dtype);
  }

  const Node* flatten(const Shape& shape, const std::vector<const Node*>& index) {
    const std::vector<std::int64_t> strides = row_major_strides(shape);
    const Node* flat = simplify_->index(0);
    for (std::size_t i = 0; i < shape.size(); ++i) flat = simplify_->add(flat, simplify_->mul(index[i], strides[i]));
    return flat;
  }

  const Node* address_of(const Node* param, const Shape& shape, const Place& place) {
    return context_->make(Op::index, param->dtype, {param, flatten(shape, place.index)});
  }

  const Node* zero(ir::DType t) { return context_->constant(t, std::int64_t{0}); }

  const Node* load(const Node* n, const Place& place) {
    if (place.mask == context_->constant(ir::kBool, std::int64_t{0})) return zero(n->dtype);
    const Node* address = address_of(parameter(n), plan_.shape.at(n), place);
    if (place.mask == always_) return context_->make(Op::load, n->dtype, {address}, {.i = 1});
    return context_->make(Op::load, n->dtype, {address, place.mask, zero(n->dtype)}, {.i = 1});
  }

  int intern(Place p) {
    const auto [it, fresh] = place_ids_.emplace(std::move(p), static_cast<int>(places_.size()));
    if (fresh) places_.push_back(&it->first);
    return it->second;
  }

  // Post-order over (node, place) with an explicit stack: chains may be long.
  const Node* evaluate(const Node* root, const Place& place) {
    std::vector<Frame> stack;
    push(stack, root, intern(place), root);
    while (!stack.empty()) {
      Frame& f = stack.back();
      if (f.next < f.source_places.size()) {
        const Node* s = f.node->src(f.next);
        const int p = f.source_places[f.next++];
        push(stack, s, p, root);  // invalidates f
      } else {
        done_[{f.node, f.place}] = combine(f);
        stack.pop_back();
      }
    }
    return done_.at({root, intern(place)});
  }

  void push(std::vector<Frame>& stack, const Node* n, int place, const Node* root) {
    if (done_.contains({n, place})) return;
    if (n != root && in_memory(n)) {
      done_[{n, place}] = load(n, *places_[at(place)]);
      return;
    }
    stack.push_back({.node = n, .place = place, .source_places = source_places(n, place)});
  }

  std::vector<int> source_places(const Node* n, int place) {
    if (ir::is_elementwise(n->op)) return std::vector<int>(n->src_count, place);
    if (n->src_count == 0) return {};
    return {intern(through(n, *places_[at(place)]))};
  }

  Place through(const Node* n, const Place& p) {
    const Shape& from = plan_.shape.at(n->src(0));
    Place s{.index = p.index, .mask = p.mask};
    switch (n->op) {
      case Op::reshape:
        s.index = unflatten(flatten(plan_.shape.at(n), p.index), from);
        break;
      case Op::permute:
        for (std::size_t i = 0; i < from.size(); ++i) s.index[at(n->list()[i])] = p.index[i];
        break;
      case Op::shrink:
        for (std::size_t i = 0; i < from.size(); ++i) s.index[i] = simplify_->add(p.index[i], n->list()[2 * i]);
        break;
      case Op::flip:
        for (std::int64_t a : n->list())
          s.index[at(a)] = simplify_->add(simplify_->mul(p.index[at(a)], -1), from[at(a)] - 1);
        break;
      case Op::pad:
        pad(n, from, s);
        break;
      case Op::reduce:
        reduce_ranges(n, from, s);
        break;
      default:
        assert(n->op == Op::expand);
    }
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] == 1) s.index[i] = simplify_->index(0);
    return s;
  }

  std::vector<const Node*> unflatten(const Node* flat, const Shape& shape) {
    const std::vector<std::int64_t> strides = row_major_strides(shape);
    std::vector<const Node*> index(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i) {
      index[i] = simplify_->floordiv(flat, strides[i]);
      if (i > 0) index[i] = simplify_->floormod(index[i], shape[i]);
    }
    return index;
  }

  void pad(const Node* n, const Shape& from, Place& s) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      s.index[i] = simplify_->add(s.index[i], -n->list()[2 * i]);
      s.mask = simplify_->both(s.mask, simplify_->at_least(s.index[i], 0));
      s.mask = simplify_->both(s.mask, simplify_->less(s.index[i], from[i]));
    }
  }

  void reduce_ranges(const Node* n, const Shape& from, Place& s) {
    std::vector<std::int64_t> extents;
    for (std::int64_t a : n->list()) extents.push_back(from[at(a)]);
    std::vector<const Node*>& ranges = reduce_axes_[extents];
    if (ranges.empty())
      for (std::int64_t e : extents) ranges.push_back(axis(e, AxisType::reduce));
    for (std::size_t i = 0; i < extents.size(); ++i) s.index[at(n->list()[i])] = ranges[i];
  }

  const Node* value_of(const Node* n, int place) const { return done_.at({n, place}); }

  const Node* combine(const Frame& f) {
    const Node* n = f.node;
    const Place& p = *places_[at(f.place)];
    if (n->op == Op::constant) return context_->make(Op::constant, n->dtype, {}, n->arg);
    if (n->op == Op::iota) return simplify_->make(Op::cast, n->dtype, {p.index[0]});
    const Node* first = value_of(n->src(0), f.source_places[0]);
    if (n->op == Op::contiguous) return first;
    // A load below is gated by this mask already and gives zero outside of it.
    if (n->op == Op::pad && first->op == Op::load && in_memory(n->src(0))) return first;
    if (n->op == Op::pad) return simplify_->make(Op::where, n->dtype, {own_mask(f), first, zero(n->dtype)});
    if (n->op == Op::reduce) return reduce(n, first);
    if (!ir::is_elementwise(n->op)) return first;
    const Node* src[3];
    for (std::size_t i = 0; i < n->src_count; ++i) src[i] = value_of(n->src(i), f.source_places[i]);
    return simplify_->make(n->op, n->dtype, {src, n->src_count}, n->arg);
  }

  // The mask that this pad adds; a load below it is gated by it and by every mask further out.
  const Node* own_mask(const Frame& f) {
    Place s{.index = places_[at(f.place)]->index, .mask = always_};
    pad(f.node, plan_.shape.at(f.node->src(0)), s);
    return s.mask;
  }

  const Node* reduce(const Node* n, const Node* value) {
    const Shape& from = plan_.shape.at(n->src(0));
    std::vector<std::int64_t> extents;
    std::vector<const Node*> src{value};
    for (std::int64_t a : n->list()) extents.push_back(from[at(a)]);
    for (const Node* r : reduce_axes_.at(extents))
      if (r->op == Op::range) src.push_back(r);
    if (elements(extents) == 0)
      return context_->constant(n->dtype, ir::identity_element(ir::reduce_op(n), n->dtype.scalar));
    if (src.size() == 1) return value;
    return simplify_->make(Op::reduce, n->dtype, src, {.i = n->arg.i});
  }

  std::string kernel_name(const Shape& shape) const {
    std::string dims;
    for (std::int64_t d : shape) dims += fmt::format("_{}", d);
    const bool reduces = !reduce_axes_.empty();
    return fmt::format("{}{}", reduces ? "r" : "e", dims);
  }

  const Plan& plan_;
  const Node* root_;
  Ranged out_;
  ir::Context* context_ = nullptr;
  std::optional<ir::Simplifier> simplify_;
  const Node* always_ = nullptr;
  std::int64_t next_axis_ = 0;
  std::map<const Node*, const Node*> slots_;
  std::map<std::vector<std::int64_t>, std::vector<const Node*>> reduce_axes_;
  std::map<Place, int> place_ids_;
  std::vector<const Place*> places_;
  std::map<Key, const Node*> done_;
};

}  // namespace

Ranged rangeify(const Plan& plan, const Node* value) { return Builder(plan, value).build(); }

}  // namespace hcq::compute::schedule
