// SPDX-License-Identifier: MIT
// DwordWriter: appends dwords to a fixed span. Packet encoders write through it, into a ring or, in tests, an array.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hcq::am {

// Writing past the span's end is our bug: callers reserve the most a command can need.
class DwordWriter {
 public:
  DwordWriter() = default;
  explicit DwordWriter(std::span<std::uint32_t> out) : begin_(out.data()), at_(out.data()), end_(begin_ + out.size()) {}
  void put(std::uint32_t dword) {
    assert(at_ < end_);
    *at_++ = dword;
  }
  template <class... Dwords>
  void put(std::uint32_t first, Dwords... rest) {
    put(first);
    (put(static_cast<std::uint32_t>(rest)), ...);
  }
  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  std::uint32_t* begin_ = nullptr;
  std::uint32_t* at_ = nullptr;
  std::uint32_t* end_ = nullptr;
};

}  // namespace hcq::am
