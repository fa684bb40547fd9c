// SPDX-License-Identifier: MIT
#include "compute/tensor/session.h"

namespace hcq::compute {

Session& Session::current() {
  thread_local Session session;
  return session;
}

Session::Session()
    : context_(std::make_shared<ir::Context>(ir::Context::Kind::counted)),
      storage_(std::make_shared<std::unordered_map<const ir::Node*, StorageRef>>()) {
  context_->on_free = [storage = storage_](const ir::Node* n) { storage->erase(n); };
}

ir::NodeRef Session::buffer(StorageRef storage, const Shape& shape) {
  const ir::DType t = storage->dtype;
  ir::NodeRef n = make(ir::Op::buffer, t, {}, {.i = next_buffer_++, .list = context_->list(shape)});
  set_storage(n.get(), std::move(storage));
  return n;
}

StorageRef Session::storage(const ir::Node* n) const {
  const auto it = storage_->find(n);
  return it == storage_->end() ? nullptr : it->second;
}

}  // namespace hcq::compute
