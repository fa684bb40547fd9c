// SPDX-License-Identifier: MIT
// Bytes from outside (files, firmware, device tables) are read through ByteReader: each access is bounds-checked and a
// failed one yields an Error with the offset. All multi-byte values are little endian, as on every device hcq drives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "base/error.h"

namespace hcq {

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

class ByteReader {
 public:
  // `subject` names the source in errors, for example the file path.
  ByteReader(Bytes data, std::string subject) : data_(data), subject_(std::move(subject)) {}

  std::size_t size() const { return data_.size(); }
  Bytes data() const { return data_; }
  const std::string& subject() const { return subject_; }

  // Copies a trivially copyable T out of [offset, offset + sizeof(T)).
  template <class T>
  Result<T> get(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (offset > data_.size() || sizeof(T) > data_.size() - offset) return out_of_bounds(offset, sizeof(T));
    T v;
    std::memcpy(&v, data_.data() + offset, sizeof(T));
    return v;
  }

  Result<Bytes> slice(std::uint64_t offset, std::uint64_t length) const {
    if (offset > data_.size() || length > data_.size() - offset) return out_of_bounds(offset, length);
    return data_.subspan(offset, length);
  }

 private:
  Error out_of_bounds(std::uint64_t offset, std::uint64_t length) const;
  Bytes data_;
  std::string subject_;
};

// 64-bit FNV-1a, for cache keys and for comparing blobs; not a cryptographic hash.
std::uint64_t fnv1a(Bytes data, std::uint64_t seed = 0xcbf29ce484222325ull);

inline std::uint32_t lo32(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
inline std::uint32_t hi32(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }
template <class T>
constexpr T round_up(T v, T to) {
  return (v + to - 1) / to * to;
}
constexpr bool is_pow2(std::uint64_t v) { return v != 0 && (v & (v - 1)) == 0; }

}  // namespace hcq
