// SPDX-License-Identifier: MIT
// What can go wrong, said with facts. Everything a device, a file or a user can cause is returned as a Result; assert
// is only for our own bugs. Text is made in one place, describe().
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace hcq {

// The closed list of failure kinds. Tools map them to exit codes; callers may branch on them.
enum class Errc : std::uint8_t {
  invalid_argument,  // the caller asked for something that makes no sense
  not_found,         // no such device, file, symbol or tensor
  unsupported,       // known, and deliberately not handled (chip, format version, mode)
  unimplemented,     // to be written; never pretended
  permission,        // the operating system said no
  busy,              // somebody else holds it
  io,                // a system call failed
  no_memory,         // host or device memory, or a table of limited size, is full
  timeout,           // a bounded wait ended without the expected value
  device_lost,       // the device reads all ones: it has left the bus
  device_fault,      // the device reported an error (page fault, bad opcode, hang)
  corrupt,           // bytes from outside do not make sense
  refused,           // would be dangerous; needs an explicit flag
  internal,          // a bug of ours that was caught
};

const char* errc_name(Errc code);

// An error names the device and the operation, and carries numbers as numbers.
struct Error {
  Errc code = Errc::internal;
  std::string device{};                     // "0000:03:00.0", "model:navi31"; empty when no device is involved
  std::string operation{};                  // "psp/load_sos", "open", "parse"
  std::string subject{};                    // register, file, opcode, queue; what the operation was about
  std::optional<std::uint64_t> expected{};  // printed in hex
  std::optional<std::uint64_t> actual{};    // printed in hex
  std::optional<std::uint64_t> address{};   // faulting VA, file offset, bus address
  std::string detail{};                     // free text: what was wrong
  std::string hint{};                       // one imperative sentence for the user, or empty
};

// One line, for people: "DEVICE: OPERATION: KIND on SUBJECT, expected 0x1, got 0x0: DETAIL (HINT)".
std::string describe(const Error& e);

// A value or an Error. Holding no error costs nothing but the value; an Error is allocated only when there is one.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}
  Result(Error e) : v_(std::in_place_index<1>, std::make_unique<Error>(std::move(e))) {}
  bool ok() const { return v_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&v_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&v_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&v_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const& {
    assert(!ok());
    return **std::get_if<1>(&v_);
  }
  Error&& error() && {
    assert(!ok());
    return std::move(**std::get_if<1>(&v_));
  }

 private:
  std::variant<T, std::unique_ptr<Error>> v_;
};

// Result<void> is one pointer wide: null means success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error e) : e_(std::make_unique<Error>(std::move(e))) {}
  bool ok() const { return !e_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const& {
    assert(e_);
    return *e_;
  }
  Error&& error() && {
    assert(e_);
    return std::move(*e_);
  }

 private:
  std::unique_ptr<Error> e_;
};

using Status = Result<void>;

namespace detail {
inline void take(Status&&) {}
template <class T>
T take(Result<T>&& r) {
  return std::move(r).value();
}
}  // namespace detail

}  // namespace hcq

// Evaluates to the value, or returns the error to the caller: `auto v = HCQ_TRY(read());`, `HCQ_TRY(step());`.
#define HCQ_TRY(...)                                                    \
  __extension__({                                                       \
    auto hcq_try_result = (__VA_ARGS__);                                \
    if (!hcq_try_result.ok()) return std::move(hcq_try_result).error(); \
    ::hcq::detail::take(std::move(hcq_try_result));                     \
  })
