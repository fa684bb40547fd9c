// SPDX-License-Identifier: MIT
#include "tests/support/allocation_count.h"

#include <cstdlib>
#include <new>

namespace hcq::test {
namespace {
thread_local std::size_t allocations = 0;
}  // namespace

std::size_t AllocationCount::count() { return allocations; }

void* counted_or_null(std::size_t n) noexcept {
  ++allocations;
  return std::malloc(n == 0 ? 1 : n);
}

void* counted_allocation(std::size_t n) {
  if (void* p = counted_or_null(n)) return p;
  throw std::bad_alloc();
}

}  // namespace hcq::test

// Every form, so that none of them pairs one library's new with another's delete (the sanitizers bring their own).
void* operator new(std::size_t n) { return hcq::test::counted_allocation(n); }
void* operator new[](std::size_t n) { return hcq::test::counted_allocation(n); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return hcq::test::counted_or_null(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return hcq::test::counted_or_null(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
