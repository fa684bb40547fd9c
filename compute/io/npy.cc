// SPDX-License-Identifier: MIT
#include "compute/io/npy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/file.h"
#include "fmt/format.h"

namespace hcq::compute::io {
namespace {

using ir::Scalar;

struct TypeName {
  const char* descr;
  Scalar scalar;
};
constexpr std::array<TypeName, 15> kTypes{{
    {"|b1", Scalar::boolean},
    {"|i1", Scalar::i8},
    {"|u1", Scalar::u8},
    {"<i2", Scalar::i16},
    {"<u2", Scalar::u16},
    {"<i4", Scalar::i32},
    {"<u4", Scalar::u32},
    {"<i8", Scalar::i64},
    {"<u8", Scalar::u64},
    {"<f2", Scalar::f16},
    {"<f4", Scalar::f32},
    {"<f8", Scalar::f64},
    {"?", Scalar::boolean},
    {"<i1", Scalar::i8},
    {"<u1", Scalar::u8},
}};

constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicBytes = 6, kAlignment = 64;
constexpr std::uint64_t kMaxHeader = 1 << 20;
constexpr std::size_t kMaxRank = 64;

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran;
  std::optional<Shape> shape;
};

// Reads the one dictionary that the header may be. Anything else is corrupt.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& subject) : s_(text), subject_(subject) {}

  Result<Header> run() {
    Header h;
    HCQ_TRY(expect('{'));
    while (!accept('}')) {
      const std::string key = HCQ_TRY(quoted());
      HCQ_TRY(expect(':'));
      if (key == "descr" && !h.descr) {
        h.descr = HCQ_TRY(quoted());
      } else if (key == "fortran_order" && !h.fortran) {
        h.fortran = HCQ_TRY(boolean());
      } else if (key == "shape" && !h.shape) {
        h.shape = HCQ_TRY(tuple());
      } else {
        return bad("key '" + key + "'");
      }
      if (!accept(',')) {
        HCQ_TRY(expect('}'));
        break;
      }
    }
    skip();
    if (at_ != s_.size()) return bad("text after the dictionary");
    if (!h.descr || !h.fortran || !h.shape) return bad("descr, fortran_order or shape is missing");
    return h;
  }

 private:
  Error bad(std::string what) const {
    return Error{
        .code = Errc::corrupt, .operation = "read npy", .subject = subject_, .detail = "header: " + std::move(what)};
  }
  void skip() {
    while (at_ < s_.size() && (s_[at_] == ' ' || s_[at_] == '\n' || s_[at_] == '\t')) ++at_;
  }
  bool accept(char c) {
    skip();
    if (at_ >= s_.size() || s_[at_] != c) return false;
    ++at_;
    return true;
  }
  Status expect(char c) { return accept(c) ? Status{} : Status(bad(fmt::format("expected '{}' at byte {}", c, at_))); }

  Result<std::string> quoted() {
    skip();
    const char quote = at_ < s_.size() ? s_[at_] : 0;
    if (quote != '\'' && quote != '"') return bad(fmt::format("expected a string at byte {}", at_));
    const std::size_t end = s_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return bad("string without end");
    std::string v(s_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return v;
  }

  Result<bool> boolean() {
    skip();
    for (const auto& [text, value] : {std::pair{"True", true}, std::pair{"False", false}})
      if (s_.substr(at_).starts_with(text)) {
        at_ += std::strlen(text);
        return value;
      }
    return bad("fortran_order is neither True nor False");
  }

  Result<Shape> tuple() {
    Shape shape;
    HCQ_TRY(expect('('));
    while (!accept(')')) {
      skip();
      std::int64_t d = 0;
      const auto [end, error] = std::from_chars(s_.data() + at_, s_.data() + s_.size(), d);
      if (error != std::errc() || d < 0) return bad(fmt::format("expected an extent at byte {}", at_));
      at_ = static_cast<std::size_t>(end - s_.data());
      shape.push_back(d);
      if (shape.size() > kMaxRank) return bad("too many axes");
      if (!accept(',')) {
        HCQ_TRY(expect(')'));
        break;
      }
    }
    return shape;
  }

  std::string_view s_;
  const std::string& subject_;
  std::size_t at_ = 0;
};

// Elements of a Fortran-ordered array in row-major order.
std::vector<std::byte> to_row_major(Bytes data, const Shape& shape, std::size_t size) {
  std::vector<std::byte> out(data.size());
  std::vector<std::int64_t> index(shape.size());
  std::vector<std::uint64_t> stride(shape.size(), 1);
  for (std::size_t i = 1; i < shape.size(); ++i) stride[i] = stride[i - 1] * static_cast<std::uint64_t>(shape[i - 1]);
  std::uint64_t from = 0;
  for (std::size_t to = 0; to < data.size(); to += size) {
    std::memcpy(out.data() + to, data.data() + from * size, size);
    for (std::size_t k = shape.size(); k-- > 0;) {
      from += stride[k];
      if (++index[k] < shape[k]) break;
      from -= stride[k] * static_cast<std::uint64_t>(shape[k]);
      index[k] = 0;
    }
  }
  return out;
}

}  // namespace

Result<Array> parse_npy(Bytes file, const std::string& subject) {
  const ByteReader in(file, subject);
  const auto bad = [&](std::string what) {
    return Error{.code = Errc::corrupt, .operation = "read npy", .subject = subject, .detail = std::move(what)};
  };
  const Bytes magic = HCQ_TRY(in.slice(0, kMagicBytes));
  if (std::memcmp(magic.data(), kMagic, kMagicBytes) != 0) return bad("no .npy magic at the start");
  const auto major = HCQ_TRY(in.get<std::uint8_t>(6));
  if (major < 1 || major > 3)
    return Error{.code = Errc::unsupported,
                 .operation = "read npy",
                 .subject = subject,
                 .actual = major,
                 .detail = "format version"};
  const std::uint64_t length = major == 1 ? HCQ_TRY(in.get<std::uint16_t>(8)) : HCQ_TRY(in.get<std::uint32_t>(8));
  const std::uint64_t start = major == 1 ? 10 : 12;
  if (length > kMaxHeader) return bad("header of more than 1 MiB");
  const Bytes text = HCQ_TRY(in.slice(start, length));
  const Header h = HCQ_TRY(HeaderParser({reinterpret_cast<const char*>(text.data()), text.size()}, subject).run());
  const auto type = std::ranges::find_if(kTypes, [&](const TypeName& t) { return *h.descr == t.descr; });
  if (type == kTypes.end())
    return Error{.code = Errc::unsupported,
                 .operation = "read npy",
                 .subject = subject,
                 .detail = "element type '" + *h.descr + "'"};
  Array a{.dtype = type->scalar, .shape = *h.shape, .data = {}};
  const std::uint64_t bytes = HCQ_TRY(dense_bytes(a.shape, a.dtype, subject));
  const Bytes data = HCQ_TRY(in.slice(start + length, file.size() - start - length));
  if (data.size() != bytes)
    return Error{.code = Errc::corrupt,
                 .operation = "read npy",
                 .subject = subject,
                 .expected = bytes,
                 .actual = data.size(),
                 .detail = "bytes of data for shape " + to_string(a.shape)};
  a.data = *h.fortran ? to_row_major(data, a.shape, a.dtype.bytes()) : std::vector<std::byte>(data.begin(), data.end());
  return a;
}

Result<Array> read_npy(const std::string& path) {
  const std::vector<std::byte> file = HCQ_TRY(read_file(path, 1ull << 40));
  return parse_npy(file, path);
}

Result<std::vector<std::byte>> format_npy(const Array& a) {
  const auto type = std::ranges::find(kTypes, a.dtype.scalar, &TypeName::scalar);
  if (type == kTypes.end() || a.dtype.lanes != 1)
    return Error{
        .code = Errc::unsupported, .operation = "write npy", .detail = "NumPy has no name for " + name(a.dtype)};
  if (HCQ_TRY(dense_bytes(a.shape, a.dtype, "array")) != a.data.size())
    return Error{.code = Errc::invalid_argument, .operation = "write npy", .detail = "data does not fill the shape"};
  std::string dims;
  for (std::int64_t d : a.shape) dims += fmt::format("{}, ", d);
  if (a.shape.size() > 1) dims.resize(dims.size() - 2);
  if (a.shape.size() == 1) dims.resize(dims.size() - 1);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type->descr, dims);
  const std::size_t start = 10;
  header.append(round_up(start + header.size() + 1, kAlignment) - start - header.size() - 1, ' ');
  header += '\n';
  std::vector<std::byte> out(start + header.size() + a.data.size());
  std::memcpy(out.data(), kMagic, kMagicBytes);
  out[6] = std::byte{1};
  out[8] = static_cast<std::byte>(header.size() & 0xff);
  out[9] = static_cast<std::byte>(header.size() >> 8);
  std::memcpy(out.data() + start, header.data(), header.size());
  std::ranges::copy(a.data, out.begin() + static_cast<std::ptrdiff_t>(start + header.size()));
  return out;
}

Status write_npy(const std::string& path, const Array& a) {
  const std::vector<std::byte> file = HCQ_TRY(format_npy(a));
  return replace_file(path, file);
}

}  // namespace hcq::compute::io
