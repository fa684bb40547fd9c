// SPDX-License-Identifier: MIT
// Counts what the calling thread allocates with operator new, for tests of paths that must not. Linking this library
// replaces the global operator new of the test program.
#pragma once

#include <cstddef>

namespace hcq::test {

class AllocationCount {
 public:
  AllocationCount() : start_(count()) {}
  std::size_t so_far() const { return count() - start_; }

 private:
  static std::size_t count();
  std::size_t start_;
};

}  // namespace hcq::test
