// SPDX-License-Identifier: MIT
#include "tests/support/random_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "compute/ir/interpreter.h"
#include "compute/ir/verify.h"

namespace hcq::test {

using namespace ir;

namespace {

constexpr Scalar kTypes[] = {Scalar::boolean, Scalar::i8,  Scalar::u8,  Scalar::i16, Scalar::u16, Scalar::i32,
                             Scalar::u32,     Scalar::i64, Scalar::u64, Scalar::f16, Scalar::f32, Scalar::f64};
constexpr std::int64_t kWhole = 7;  // floats are whole numbers of at most this size

class Generator {
 public:
  Generator(KernelMaker& k, unsigned seed) : k_(k), rng_(seed) {}

  void run() {
    const std::uint32_t block = pick({1, 4, 32, 48, 64}), groups = 1 + below(5);
    lanes_ = pick({1, 1, 2, 4});
    count_ = groups * block * lanes_;
    id_ = k_.launch(groups, block);
    at_ = k_.op(Op::mul, kI32, {id_, k_.constant(kI32, lanes_)});
    const unsigned inputs = 2 + below(3);
    for (unsigned i = 0; i < inputs; ++i) params_.push_back(k_.param(any_type(), count_, false));
    for (const Node* p : params_) values_.push_back(k_.load(p, at_, lanes_, lanes_));
    values_.push_back(any_constant(any_type()));
    grow(3 + below(8));
    if (below(2)) loop(2);
    grow(2 + below(4));
    const unsigned outputs = 1 + below(3);
    for (unsigned i = 0; i < outputs; ++i) {
      const Node* v =
          values_[values_.size() - 1 - below(static_cast<unsigned>(std::min<std::size_t>(values_.size(), 6)))];
      const Node* out = k_.param(v->dtype.element(), count_, true);
      const Node* gate = below(3) == 0 ? k_.op(Op::cmplt, kBool, {id_, k_.constant(kI32, below(count_ + 1))}) : nullptr;
      k_.store(out, at_, v, lanes_, gate);
    }
  }

 private:
  unsigned below(std::uint64_t n) { return static_cast<unsigned>(rng_() % n); }
  unsigned pick(std::initializer_list<unsigned> v) { return v.begin()[below(v.size())]; }
  Scalar any_type() { return kTypes[below(std::size(kTypes))]; }
  DType with_lanes(Scalar s) { return DType(s).vec(static_cast<int>(lanes_)); }

  const Node* any_constant(Scalar s) {
    if (DType(s).is_float()) return k_.constant(with_lanes(s), real(static_cast<double>(below(15)) - kWhole));
    return k_.constant(with_lanes(s), wrap(s, static_cast<std::int64_t>(rng_() >> below(60))));
  }

  // A value of this type: one that exists, or a cast of one, or a constant.
  const Node* value(Scalar s) {
    std::vector<const Node*> fits;
    for (const Node* v : values_)
      if (v->dtype.scalar == s) fits.push_back(v);
    if (!fits.empty() && below(4) != 0) return fits[below(fits.size())];
    if (below(3) == 0) return any_constant(s);
    return cast(values_[below(values_.size())], s);
  }

  // Into a float only through i8, so that it is a whole number; then cut to size.
  const Node* cast(const Node* v, Scalar to) {
    if (v->dtype.scalar == to) return v;
    if (!DType(to).is_float()) return k_.op(Op::cast, with_lanes(to), {v});
    if (v->dtype.is_float()) return k_.op(Op::cast, with_lanes(to), {v});
    if (v->dtype.scalar != Scalar::i8) v = k_.op(Op::cast, with_lanes(Scalar::i8), {v});
    return bounded(k_.op(Op::cast, with_lanes(to), {v}));
  }
  const Node* bounded(const Node* v) {
    const Node* top = k_.constant(v->dtype, real(static_cast<double>(kWhole)));
    const Node* bottom = k_.constant(v->dtype, real(static_cast<double>(-kWhole)));
    v = k_.op(Op::max, v->dtype, {k_.op(Op::min, v->dtype, {v, top}), bottom});
    // -0 and +0 may differ between implementations of max and min; a sum with +0 is +0.
    return k_.op(Op::add, v->dtype, {v, k_.constant(v->dtype, real(0))});
  }

  const Node* float_step(DType t, Scalar s) {
    constexpr Op ops[] = {Op::add, Op::sub, Op::mul, Op::max, Op::min};
    const Op op = ops[below(std::size(ops))];
    const Node *x = value(s), *y = value(s);
    if (op == Op::add && below(2)) x = k_.op(Op::mul, t, {x, value(s)});  // may be contracted, exact either way
    return bounded(k_.op(op, t, {x, y}));
  }

  const Node* int_step(DType t, Scalar s) {
    constexpr Op ops[] = {Op::add, Op::sub, Op::mul, Op::cdiv, Op::cmod,    Op::floordiv, Op::floormod,
                          Op::max, Op::min, Op::shl, Op::shr,  Op::bit_and, Op::bit_or,   Op::bit_xor};
    if (below(8) == 0) return k_.op(Op::neg, t, {value(s)});
    return k_.op(ops[below(std::size(ops))], t, {value(s), value(s)});
  }

  const Node* step() {
    const Scalar s = any_type();
    const DType t = with_lanes(s);
    const unsigned what = below(8);
    if (what == 0) {
      const Op op = DType(s).is_bool() ? pick_compare_equal() : static_cast<Op>(static_cast<int>(Op::cmplt) + below(3));
      return k_.op(op, with_lanes(Scalar::boolean), {value(s), value(s)});
    }
    if (what == 1) return k_.op(Op::where, t, {value(Scalar::boolean), value(s), value(s)});
    if (what == 2) return cast(values_[below(values_.size())], s);
    if (what == 3 && lanes_ == 1) return masked_load();
    if (DType(s).is_float()) return float_step(t, s);
    if (!DType(s).is_bool()) return int_step(t, s);
    constexpr Op ops[] = {Op::max, Op::min, Op::bit_and, Op::bit_or, Op::bit_xor};
    if (below(4) == 0) return k_.op(Op::logic_not, t, {value(s)});
    return k_.op(ops[below(std::size(ops))], t, {value(s), value(s)});
  }
  Op pick_compare_equal() { return below(2) ? Op::cmpeq : Op::cmpne; }

  // The element `shift` places away, or something else outside the buffer.
  const Node* masked_load() {
    const Node* p = params_[below(params_.size())];
    const std::int64_t shift = static_cast<std::int64_t>(below(9)) - 4;
    const Node* i = k_.op(Op::add, kI32, {id_, k_.constant(kI32, shift)});
    const Node* low = k_.op(Op::logic_not, kBool, {k_.op(Op::cmplt, kBool, {i, k_.constant(kI32, std::int64_t{0})})});
    const Node* high = k_.op(Op::cmplt, kBool, {i, k_.constant(kI32, count_)});
    return k_.gated_load(p, i, k_.op(Op::bit_and, kBool, {low, high}), any_constant(p->dtype.scalar));
  }

  void grow(unsigned steps) {
    for (unsigned i = 0; i < steps; ++i) values_.push_back(step());
  }

  // What is made inside a loop is not seen outside, except the results.
  void loop(unsigned depth) {
    const std::size_t outside = values_.size();
    std::vector<const Node*> inits{value(any_type()), value(any_type())};
    const Node* i = k_.loop(1 + below(6), below(2) ? kI32 : kI64);
    std::vector<const Node*> accs{k_.acc(inits[0]), k_.acc(inits[1])};
    values_.insert(values_.end(), accs.begin(), accs.end());
    if (lanes_ == 1) values_.push_back(i);
    grow(2 + below(4));
    if (depth > 1 && below(2)) loop(depth - 1);
    grow(1 + below(3));
    const Node* next0 = value(inits[0]->dtype.scalar);
    const Node* next1 = value(inits[1]->dtype.scalar);
    const auto results = k_.end({next0, next1});
    values_.resize(outside);
    values_.insert(values_.end(), results.begin(), results.end());
  }

  KernelMaker& k_;
  std::mt19937_64 rng_;
  unsigned lanes_ = 1;
  std::uint32_t count_ = 0;
  const Node *id_ = nullptr, *at_ = nullptr;
  std::vector<const Node*> params_, values_;
};

}  // namespace

RandomKernel::RandomKernel(unsigned seed) {
  KernelMaker k(fmt::format("random{}", seed));
  Generator(k, seed).run();
  kernel = k.kernel();
  buffers = buffers_for(kernel);
  std::mt19937_64 rng(seed + 1);
  for (std::size_t p = 0; p < kernel.params.size(); ++p) {
    const Scalar s = kernel.params[p].dtype.scalar;
    if (kernel.params[p].written) continue;
    for (std::uint64_t e = 0; e < kernel.params[p].elements; ++e) {
      const auto whole = static_cast<double>(rng() % 15) - kWhole;
      const Number v =
          DType(s).is_float() ? real(whole) : integer(wrap(s, static_cast<std::int64_t>(rng() >> (rng() % 64))));
      store(s, buffers[p].data() + e * info(s).bytes, v);
    }
  }
}

std::string RandomKernel::compare(const Buffers& got) const {
  if (const Status s = verify_kernel(kernel); !s) return describe(s.error());
  Buffers want = buffers;
  std::vector<ParamMemory> memory;
  for (auto& b : want) memory.push_back({b.data(), b.size()});
  if (const Status s = interpret(kernel, memory); !s) return describe(s.error());
  for (std::size_t p = 0; p < want.size(); ++p)
    for (std::size_t e = 0; e < kernel.params[p].elements; ++e) {
      const Scalar s = kernel.params[p].dtype.scalar;
      const std::size_t at = e * info(s).bytes;
      const Number w = load(s, want[p].data() + at), g = load(s, got[p].data() + at);
      if (w.i == g.i) continue;
      const auto text = [s](Number v) { return DType(s).is_float() ? fmt::format("{}", v.f) : fmt::format("{}", v.i); };
      return fmt::format("{}: parameter {} ({}) element {}: want {}, got {}\n{}", kernel.name, p, info(s).name, e,
                         text(w), text(g), dump(kernel.code));
    }
  return {};
}

}  // namespace hcq::test
