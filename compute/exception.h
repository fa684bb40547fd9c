// SPDX-License-Identifier: MIT
// compute/ is the only layer that throws: expressions of tensors have no room for a Result. The exception carries the
// same Error as everything below.
#pragma once

#include <stdexcept>

#include "base/error.h"

namespace hcq {

class Exception : public std::runtime_error {
 public:
  explicit Exception(Error e) : std::runtime_error(describe(e)), error_(std::make_shared<Error>(std::move(e))) {}
  const Error& error() const { return *error_; }

 private:
  std::shared_ptr<Error> error_;  // shared, so that copying an exception cannot throw
};

// The value, or its Error thrown.
template <class T>
T value_or_throw(Result<T> r) {
  if (!r.ok()) throw Exception(std::move(r).error());
  if constexpr (!std::is_void_v<T>) return std::move(r).value();
}

}  // namespace hcq
