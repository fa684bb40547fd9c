// SPDX-License-Identifier: MIT
#include "compute/tensor/tensor.h"

#include "compute/tensor/session.h"
#include "compute/tensor/support.h"

namespace hcq::compute {

using ir::Op;

Tensor::Tensor(ir::NodeRef node, Shape shape) : node_(std::move(node)), shape_(std::move(shape)) {
  if (!countable(shape_)) fail("tensor", "shape " + to_string(shape_) + " has too many elements");
}

Tensor Tensor::from_bytes(DType t, Shape shape, Bytes data) {
  for (std::int64_t d : shape)
    if (d < 0) fail("tensor/from_bytes", "negative extent in " + to_string(shape));
  if (!countable(shape)) fail("tensor/from_bytes", "shape " + to_string(shape) + " has too many elements");
  const auto n = static_cast<std::uint64_t>(compute::elements(shape));
  if (t.lanes != 1 || t.bytes() == 0) fail("tensor/from_bytes", "no element type");
  if (data.size() != n * t.bytes())
    throw Exception(Error{.code = Errc::invalid_argument,
                          .operation = "tensor/from_bytes",
                          .subject = name(t) + " " + to_string(shape),
                          .expected = n * t.bytes(),
                          .actual = data.size(),
                          .detail = "bytes of data"});
  auto storage = std::make_shared<Storage>();
  storage->dtype = t;
  storage->shape = shape;
  storage->host.assign(data.begin(), data.end());
  return {Session::current().buffer(std::move(storage), shape), shape};
}

Tensor Tensor::from(std::span<const float> v, Shape shape) {
  return from_bytes(ir::kF32, std::move(shape), std::as_bytes(v));
}

Tensor Tensor::from(std::span<const std::int32_t> v, Shape shape) {
  return from_bytes(ir::kI32, std::move(shape), std::as_bytes(v));
}

Tensor Tensor::full(Shape shape, double value, DType t) {
  Session& s = Session::current();
  const ir::Number n = t.is_float() ? ir::real(value) : ir::convert(ir::Scalar::f64, t.scalar, ir::real(value));
  return Tensor({s.context(), s.context()->constant(t, n)}, {}).expand(std::move(shape));
}

Tensor Tensor::arange(std::int64_t n, DType t) {
  if (n < 0) fail("tensor/arange", "negative length");
  return {Session::current().make(Op::iota, t, {}, {.k = n}), {n}};
}

Tensor Tensor::contiguous() const { return {Session::current().make(Op::contiguous, dtype(), {node()}), shape_}; }

void realize(std::span<const Tensor> tensors, Executor& executor) {
  Session& session = Session::current();
  std::vector<const ir::Node*> outputs;
  for (const Tensor& t : tensors)
    if (!session.storage(t.node())) outputs.push_back(t.node());
  if (outputs.empty()) return;
  const auto stored = [&](const ir::Node* n) -> const Shape* {
    const StorageRef s = session.storage(n);
    return s ? &s->shape : nullptr;
  };
  const schedule::Schedule schedule = value_or_throw(schedule::make_schedule(outputs, stored));
  std::vector<StorageRef> storage;
  for (const schedule::BufferPlan& b : schedule.buffers) {
    StorageRef s;
    if (b.input) s = session.storage(b.node);
    if (b.output) {
      s = std::make_shared<Storage>();
      s->dtype = b.dtype;
      s->shape = b.shape;
    }
    storage.push_back(std::move(s));
  }
  value_or_throw(executor.run(schedule, storage));
  for (std::size_t i = 0; i < storage.size(); ++i)
    if (schedule.buffers[i].output) session.set_storage(schedule.buffers[i].node, storage[i]);
}

Tensor Tensor::realize(Executor& executor) const {
  compute::realize({this, 1}, executor);
  if (node()->op == Op::buffer) return *this;
  Session& session = Session::current();
  return {session.buffer(session.storage(node()), shape_), shape_};
}

std::vector<std::byte> Tensor::bytes(Executor& executor) const {
  compute::realize({this, 1}, executor);
  const StorageRef s = Session::current().storage(node());
  value_or_throw(bring_to_host(*s));
  return s->host;
}

}  // namespace hcq::compute
