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

namespace {
// Names that come from files may hold anything; a message stays one line and leaves the terminal alone.
std::string printable(const std::string& s) {
  std::string out;
  for (const char c : s) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 0x20 || u == 0x7f) out += fmt::format("\\x{:02x}", u);
    else out += c;
  }
  return out;
}
}  // namespace

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
  return printable(s);
}

}  // namespace hcq
