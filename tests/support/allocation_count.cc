// SPDX-License-Identifier: MIT
#include "tests/support/allocation_count.h"

#include <cstdlib>
#include <new>

namespace hcq::test {
namespace {
thread_local std::size_t allocations = 0;
}  // namespace

std::size_t AllocationCount::count() { return allocations; }

void* counted_allocation(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n == 0 ? 1 : n)) return p;
  throw std::bad_alloc();
}

}  // namespace hcq::test

// The array and nothrow forms of the library call these.
void* operator new(std::size_t n) { return hcq::test::counted_allocation(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
