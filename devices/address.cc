// SPDX-License-Identifier: MIT
#include "devices/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace hcq::devices {
namespace {

constexpr std::array<std::string_view, 4> kFamilies{"am", "nv", "bnxt", "mlx5"};

Error bad(std::string_view text, std::string detail) {
  return Error{.code = Errc::invalid_argument,
               .operation = "parse device address",
               .subject = std::string(text),
               .detail = std::move(detail),
               .hint = "use cpu, am:0, pci:0000:03:00.0, model:navi31 or model:navi31?vram=512M"};
}

bool parse_number(std::string_view text, unsigned& out) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  return ec == std::errc{} && end == text.data() + text.size() && !text.empty();
}

// dddd:bb:dd.f in hexadecimal; the domain may be left out.
Result<std::string> normalise_bdf(std::string_view whole, std::string_view text) {
  std::string full = std::count(text.begin(), text.end(), ':') == 1 ? fmt::format("0000:{}", text) : std::string(text);
  std::transform(full.begin(), full.end(), full.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string_view shape = "hhhh:hh:hh.o";
  bool good = full.size() == shape.size();
  for (std::size_t i = 0; good && i < shape.size(); ++i) {
    const char c = full[i];
    if (shape[i] == 'h') good = std::isxdigit(static_cast<unsigned char>(c));
    else if (shape[i] == 'o') good = c >= '0' && c <= '7';
    else good = c == shape[i];
  }
  if (!good) return bad(whole, "a PCI address looks like 0000:03:00.0");
  return full;
}

Status parse_options(Address& a, std::string_view text) {
  while (!text.empty()) {
    const auto amp = text.find('&');
    const auto pair = text.substr(0, amp);
    const auto eq = pair.find('=');
    if (eq == 0 || eq == std::string_view::npos)
      return bad(a.text, fmt::format("option \"{}\" is not name=value", pair));
    a.options.emplace_back(pair.substr(0, eq), pair.substr(eq + 1));
    text = amp == std::string_view::npos ? std::string_view{} : text.substr(amp + 1);
  }
  return {};
}

}  // namespace

Result<Address> parse_address(std::string_view text) {
  Address a{.text = std::string(text)};
  const auto question = text.find('?');
  const auto body = text.substr(0, question);
  if (question != std::string_view::npos) HCQ_TRY(parse_options(a, text.substr(question + 1)));
  if (body == "cpu") return a;
  const auto colon = body.find(':');
  if (colon == std::string_view::npos || colon + 1 == body.size())
    return bad(text, body.empty() ? "no device is named" : "this is no device address");
  const auto head = body.substr(0, colon), rest = body.substr(colon + 1);
  a.name = head;
  if (std::find(kFamilies.begin(), kFamilies.end(), head) != kFamilies.end()) {
    a.scheme = Scheme::family;
  } else if (head == "usb") {
    a.scheme = Scheme::usb;
  } else if (head == "kfd" || head == "nvrm") {
    a.scheme = Scheme::kernel_driver;
  } else if (head == "pci") {
    a.scheme = Scheme::pci;
    a.name = HCQ_TRY(normalise_bdf(text, rest));
    return a;
  } else if (head == "model" || head == "remote") {
    a.scheme = head == "model" ? Scheme::model : Scheme::remote;
    a.name = rest;
    return a;
  } else {
    return bad(text, head == "cpu" ? std::string("there is one cpu device, and it has no number")
                                   : fmt::format("unknown kind \"{}\"", head));
  }
  if (!parse_number(rest, a.index)) return bad(text, fmt::format("\"{}\" is not a device number", rest));
  return a;
}

Result<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t v = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), v);
  const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  unsigned shift = 64;
  if (suffix.empty()) shift = 0;
  if (suffix == "K") shift = 10;
  if (suffix == "M") shift = 20;
  if (suffix == "G") shift = 30;
  if (ec != std::errc{} || shift == 64 || (v << shift) >> shift != v)
    return Error{.code = Errc::invalid_argument,
                 .operation = "parse size",
                 .subject = std::string(text),
                 .detail = "not a size",
                 .hint = "write a number of bytes, or one with K, M or G behind it"};
  return v << shift;
}

}  // namespace hcq::devices
