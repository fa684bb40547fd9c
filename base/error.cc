// SPDX-License-Identifier: MIT
#include "base/error.h"

#include <fmt/format.h>

#include <iterator>

namespace hcq {

const char* errc_name(Errc code) {
  switch (code) {
    case Errc::invalid_argument:
      return "invalid argument";
    case Errc::not_found:
      return "not found";
    case Errc::unsupported:
      return "unsupported";
    case Errc::unimplemented:
      return "not implemented";
    case Errc::permission:
      return "permission denied";
    case Errc::busy:
      return "busy";
    case Errc::io:
      return "I/O error";
    case Errc::no_memory:
      return "out of memory";
    case Errc::timeout:
      return "timeout";
    case Errc::device_lost:
      return "device lost";
    case Errc::device_fault:
      return "device fault";
    case Errc::corrupt:
      return "corrupt data";
    case Errc::refused:
      return "refused";
    case Errc::internal:
      return "internal error";
  }
  return "unknown error";
}

std::string describe(const Error& e) {
  std::string s;
  auto out = std::back_inserter(s);
  if (!e.device.empty()) fmt::format_to(out, "{}: ", e.device);
  if (!e.operation.empty()) fmt::format_to(out, "{}: ", e.operation);
  s += errc_name(e.code);
  if (!e.subject.empty()) fmt::format_to(out, " on {}", e.subject);
  if (e.address) fmt::format_to(out, " at {:#x}", *e.address);
  if (e.expected) fmt::format_to(out, ", expected {:#x}", *e.expected);
  if (e.actual) fmt::format_to(out, ", got {:#x}", *e.actual);
  if (!e.detail.empty()) fmt::format_to(out, ": {}", e.detail);
  if (!e.hint.empty()) fmt::format_to(out, " ({})", e.hint);
  return s;
}

}  // namespace hcq
