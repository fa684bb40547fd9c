// SPDX-License-Identifier: MIT
#include "compute/io/safetensors.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace hcq::compute::io {
namespace {

using ir::Scalar;
using nlohmann::json;

struct TypeName {
  const char* name;
  Scalar scalar;
};
constexpr std::array<TypeName, 13> kTypes{{{"BOOL", Scalar::boolean},
                                           {"U8", Scalar::u8},
                                           {"I8", Scalar::i8},
                                           {"I16", Scalar::i16},
                                           {"U16", Scalar::u16},
                                           {"F16", Scalar::f16},
                                           {"BF16", Scalar::bf16},
                                           {"I32", Scalar::i32},
                                           {"U32", Scalar::u32},
                                           {"F32", Scalar::f32},
                                           {"F64", Scalar::f64},
                                           {"I64", Scalar::i64},
                                           {"U64", Scalar::u64}}};

constexpr std::uint64_t kMaxHeader = 100'000'000;  // the format's own limit
constexpr const char* kMetadata = "__metadata__";

Error corrupt(const std::string& subject, std::string what) {
  return Error{.code = Errc::corrupt, .operation = "read safetensors", .subject = subject, .detail = std::move(what)};
}

// JSON without duplicate keys: of two tensors with one name, one would win silently. Depth is limited because values
// here are at most three levels deep.
Result<json> parse_header(std::string_view text, const std::string& subject) {
  std::vector<std::set<std::string>> keys;
  std::string problem;
  const auto callback = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > 8 && problem.empty()) problem = "header nested too deep";
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end && !keys.empty()) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.empty() && !keys.back().insert(value.get<std::string>()).second)
      problem = "name '" + value.get<std::string>() + "' is there twice";
    return depth <= 8;
  };
  json header = json::parse(text.begin(), text.end(), callback, false);
  if (!problem.empty()) return corrupt(subject, problem);
  if (header.is_discarded() || !header.is_object()) return corrupt(subject, "header is no JSON object");
  return header;
}

Result<std::uint64_t> whole_number(const json& v, const std::string& subject, const std::string& what) {
  if (!v.is_number_integer() || (!v.is_number_unsigned() && v.get<std::int64_t>() < 0) ||
      v.get<std::uint64_t>() > (1ull << 62))
    return corrupt(subject, what + " is no whole number in range");
  return v.get<std::uint64_t>();
}

Result<SafeTensors::Entry> parse_entry(const std::string& name, const json& v, std::uint64_t data_bytes,
                                       const std::string& subject) {
  const std::string what = "tensor '" + name + "'";
  if (!v.is_object() || v.size() != 3 || !v.contains("dtype") || !v["dtype"].is_string() || !v.contains("shape") ||
      !v["shape"].is_array() || !v.contains("data_offsets") || !v["data_offsets"].is_array() ||
      v["data_offsets"].size() != 2)
    return corrupt(subject, what + " needs dtype, shape and two data_offsets");
  SafeTensors::Entry e{.name = name, .dtype_name = v["dtype"].get<std::string>(), .dtype = {}, .shape = {}};
  for (const json& d : v["shape"])
    e.shape.push_back(static_cast<std::int64_t>(HCQ_TRY(whole_number(d, subject, what + ": an extent"))));
  e.begin = HCQ_TRY(whole_number(v["data_offsets"][0], subject, what + ": begin"));
  e.end = HCQ_TRY(whole_number(v["data_offsets"][1], subject, what + ": end"));
  if (e.begin > e.end || e.end > data_bytes)
    return corrupt(subject, fmt::format("{}: bytes [{}, {}) of {} bytes of data", what, e.begin, e.end, data_bytes));
  const auto type = std::ranges::find_if(kTypes, [&](const TypeName& t) { return e.dtype_name == t.name; });
  if (type == kTypes.end()) return e;
  e.dtype = type->scalar;
  const std::uint64_t bytes = HCQ_TRY(dense_bytes(e.shape, *e.dtype, subject));
  if (bytes != e.end - e.begin)
    return corrupt(subject, fmt::format("{}: {} bytes for {} {}, which takes {}", what, e.end - e.begin, e.dtype_name,
                                        to_string(e.shape), bytes));
  return e;
}

// Entries sorted by offset must follow each other to the end.
Status check_cover(const std::vector<SafeTensors::Entry>& entries, std::uint64_t data_bytes,
                   const std::string& subject) {
  std::uint64_t at = 0;
  for (const SafeTensors::Entry& e : entries) {
    if (e.begin < at) return corrupt(subject, "tensor '" + e.name + "' overlaps the one before it");
    if (e.begin > at)
      return corrupt(subject, fmt::format("{} bytes before tensor '{}' belong to none", e.begin - at, e.name));
    at = e.end;
  }
  if (at != data_bytes)
    return corrupt(subject, fmt::format("{} bytes at the end belong to no tensor", data_bytes - at));
  return {};
}

}  // namespace

Result<SafeTensors> SafeTensors::parse(Bytes file, const std::string& subject) {
  const ByteReader in(file, subject);
  const auto length = HCQ_TRY(in.get<std::uint64_t>(0));
  if (length > kMaxHeader)
    return corrupt(subject, fmt::format("header of {} bytes, the limit is {}", length, kMaxHeader));
  const Bytes text = HCQ_TRY(in.slice(8, length));
  const json header = HCQ_TRY(parse_header({reinterpret_cast<const char*>(text.data()), text.size()}, subject));
  SafeTensors f;
  f.subject_ = subject;
  f.data_ = file.subspan(8 + length);
  for (const auto& [name, value] : header.items()) {
    if (name != kMetadata) {
      f.entries_.push_back(HCQ_TRY(parse_entry(name, value, f.data_.size(), subject)));
      continue;
    }
    if (!value.is_object()) return corrupt(subject, "__metadata__ is no object");
    for (const auto& [key, text_value] : value.items()) {
      if (!text_value.is_string()) return corrupt(subject, "__metadata__ holds something that is no string");
      f.metadata_[key] = text_value.get<std::string>();
    }
  }
  std::ranges::sort(f.entries_, [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  HCQ_TRY(check_cover(f.entries_, f.data_.size(), subject));
  return f;
}

Result<SafeTensors> SafeTensors::open(const std::string& path) {
  const Fd fd = HCQ_TRY(open_regular(path));
  struct stat st{};
  if (fstat(fd.get(), &st) != 0) return errno_error(errno, "stat", path);
  if (st.st_size < 8) return corrupt(path, "less than 8 bytes");
  Mapping mapping = HCQ_TRY(map_file(fd, 0, static_cast<std::size_t>(st.st_size), false, path));
  // Not HCQ_TRY: GCC 12 under ThreadSanitizer takes the error branch's storage for freed and stops the build.
  auto parsed = parse(mapping.bytes(), path);
  if (!parsed.ok()) return std::move(parsed).error();
  SafeTensors f = std::move(parsed).value();
  f.mapping_ = std::move(mapping);
  return f;
}

const SafeTensors::Entry* SafeTensors::find(const std::string& name) const {
  for (const Entry& e : entries_)
    if (e.name == name) return &e;
  return nullptr;
}

Result<Bytes> SafeTensors::data(const std::string& name) const {
  if (const Entry* e = find(name)) return data_.subspan(e->begin, e->end - e->begin);
  std::string names;
  for (std::size_t i = 0; i < entries_.size() && i < 10; ++i) names += (i ? ", " : "") + entries_[i].name;
  if (entries_.size() > 10) names += fmt::format(" and {} more", entries_.size() - 10);
  return Error{.code = Errc::not_found,
               .operation = "read safetensors",
               .subject = subject_,
               .detail = "no tensor '" + name + "'",
               .hint = "the file holds " + names};
}

Result<Array> SafeTensors::read(const std::string& name) const {
  const Bytes bytes = HCQ_TRY(data(name));
  const Entry& e = *find(name);
  if (!e.dtype)
    return Error{.code = Errc::unsupported,
                 .operation = "read safetensors",
                 .subject = subject_,
                 .detail = "element type " + e.dtype_name + " of tensor '" + name + "'"};
  return Array{.dtype = *e.dtype, .shape = e.shape, .data = {bytes.begin(), bytes.end()}};
}

Result<std::vector<std::byte>> format_safetensors(const std::vector<Named>& tensors,
                                                  const std::map<std::string, std::string>& metadata) {
  const auto refuse = [](std::string what) {
    return Error{.code = Errc::invalid_argument, .operation = "write safetensors", .detail = std::move(what)};
  };
  json header = json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  std::uint64_t at = 0;
  for (const auto& [name, a] : tensors) {
    const auto type = std::ranges::find(kTypes, a.dtype.scalar, &TypeName::scalar);
    if (type == kTypes.end() || a.dtype.lanes != 1) return refuse("no name for element type " + ir::name(a.dtype));
    if (HCQ_TRY(dense_bytes(a.shape, a.dtype, name)) != a.data.size())
      return refuse("data does not fill the shape of '" + name + "'");
    if (name == kMetadata) return refuse("a tensor cannot be named '" + name + "'");
    if (header.contains(name)) return refuse("two tensors named '" + name + "'");
    header[name] = {{"dtype", type->name}, {"shape", a.shape}, {"data_offsets", {at, at + a.data.size()}}};
    at += a.data.size();
  }
  // Invalid UTF-8 in names would throw with the strict handler.
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  text.append(round_up(text.size(), std::size_t{8}) - text.size(), ' ');
  const std::uint64_t length = text.size();
  std::vector<std::byte> out(8 + text.size() + at);
  std::memcpy(out.data(), &length, 8);
  std::memcpy(out.data() + 8, text.data(), text.size());
  auto to = out.begin() + static_cast<std::ptrdiff_t>(8 + text.size());
  for (const Named& t : tensors) to = std::ranges::copy(t.array.data, to).out;
  return out;
}

Status write_safetensors(const std::string& path, const std::vector<Named>& tensors,
                         const std::map<std::string, std::string>& metadata) {
  const std::vector<std::byte> file = HCQ_TRY(format_safetensors(tensors, metadata));
  return replace_file(path, file);
}

}  // namespace hcq::compute::io
