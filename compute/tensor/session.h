// SPDX-License-Identifier: MIT
// The tensor graph of one thread: its nodes, and the storage of those that have a value.
#pragma once

#include <memory>
#include <unordered_map>

#include "compute/ir/node.h"
#include "compute/runtime/executor.h"

namespace hcq::compute {

class Session {
 public:
  static Session& current();  // this thread's
  Session();

  const std::shared_ptr<ir::Context>& context() const { return context_; }
  ir::NodeRef make(ir::Op op, ir::DType t, std::initializer_list<const ir::Node*> src, ir::Arg arg = {}) {
    return {context_, context_->make(op, t, src, arg)};
  }
  // A leaf that holds this value.
  ir::NodeRef buffer(StorageRef storage, const Shape& shape);

  StorageRef storage(const ir::Node* n) const;
  void set_storage(const ir::Node* n, StorageRef storage) { (*storage_)[n] = std::move(storage); }

 private:
  std::shared_ptr<ir::Context> context_;
  // Shared with the context's hook: handles may outlive the thread's session.
  std::shared_ptr<std::unordered_map<const ir::Node*, StorageRef>> storage_;
  std::int64_t next_buffer_ = 0;
};

}  // namespace hcq::compute
