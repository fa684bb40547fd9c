// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <random>

#include "compute/io/npy.h"
#include "compute/io/safetensors.h"

namespace hcq::compute::io {
namespace {

std::vector<std::byte> bytes_of(std::string_view s) {
  std::vector<std::byte> v(s.size());
  std::memcpy(v.data(), s.data(), s.size());
  return v;
}

Array random_array(std::mt19937& rng, ir::DType t, Shape shape) {
  Array a{.dtype = t, .shape = std::move(shape), .data = {}};
  a.data.resize(static_cast<std::size_t>(elements(a.shape)) * t.bytes());
  for (std::byte& b : a.data) b = static_cast<std::byte>(rng());
  return a;
}

std::string npy_text(std::string header, std::string_view data, int major = 1) {
  std::string s("\x93NUMPY");
  s += static_cast<char>(major);
  s += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) s += static_cast<char>(header.size() >> (8 * i));
  return s + header + std::string(data);
}

const std::vector<ir::DType> kNpyTypes = {ir::kBool, ir::kI8,  ir::kU8,  ir::kI16, ir::kU16, ir::kI32,
                                          ir::kU32,  ir::kI64, ir::kU64, ir::kF16, ir::kF32, ir::kF64};

TEST(Npy, RoundTrip) {
  std::mt19937 rng(1);
  for (ir::DType t : kNpyTypes)
    for (const Shape& s : {Shape{}, Shape{5}, Shape{2, 3}, Shape{0, 4}, Shape{1, 2, 3, 4}}) {
      const Array a = random_array(rng, t, s);
      const auto file = format_npy(a);
      ASSERT_TRUE(file.ok());
      EXPECT_EQ((file->size() - a.data.size()) % 64, 0u);
      const auto b = parse_npy(*file, "test");
      ASSERT_TRUE(b.ok()) << describe(b.error());
      EXPECT_EQ(b->dtype, a.dtype);
      EXPECT_EQ(b->shape, a.shape);
      EXPECT_EQ(b->data, a.data);
    }
  EXPECT_EQ(format_npy(random_array(rng, ir::kBF16, {2})).error().code, Errc::unsupported);
}

TEST(Npy, WritesWhatNumpyWrites) {
  const auto file = format_npy({.dtype = ir::kF32, .shape = {2, 3}, .data = std::vector<std::byte>(24)});
  const std::string text(reinterpret_cast<const char*>(file->data()) + 10, 54);
  EXPECT_EQ(text, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, ");
}

TEST(Npy, FortranOrderAndVersions) {
  const std::string h = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
  for (int major : {1, 2, 3}) {
    const auto a = parse_npy(bytes_of(npy_text(h, "\1\4\2\5\3\6", major)), "test");
    ASSERT_TRUE(a.ok()) << describe(a.error());
    EXPECT_EQ(a->data, bytes_of("\1\2\3\4\5\6"));
  }
  EXPECT_EQ(parse_npy(bytes_of(npy_text(h, "\1\4\2\5\3\6", 4)), "test").error().code, Errc::unsupported);
}

TEST(Npy, RefusesWhatIsWrong) {
  const auto code = [](const std::string& s) {
    const auto a = parse_npy(bytes_of(s), "test");
    return a.ok() ? std::string("ok") : errc_name(a.error().code);
  };
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}";
  EXPECT_EQ(code(npy_text(good, "abcd")), "ok");
  EXPECT_EQ(code(npy_text(good, "abc")), errc_name(Errc::corrupt));
  EXPECT_EQ(code(npy_text(good, "abcde")), errc_name(Errc::corrupt));
  EXPECT_EQ(code(npy_text("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", "abcd")),
            errc_name(Errc::unsupported));
  EXPECT_EQ(code(npy_text("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "abcd")),
            errc_name(Errc::unsupported));
  for (const char* h : {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
                        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
                        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
                        "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}",
                        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296)}",
                        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}"})
    EXPECT_EQ(code(npy_text(h, "abcd")), errc_name(Errc::corrupt)) << h;
  EXPECT_EQ(code("\x93NUMPX\1"), errc_name(Errc::corrupt));
}

// Every prefix of a valid file is an error, never a crash.
template <class Parse>
void every_prefix(const std::vector<std::byte>& file, Parse&& parse) {
  for (std::size_t n = 0; n < file.size(); ++n) {
    const std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_FALSE(parse(cut)) << n;
  }
}

// Seeded mutations: bytes changed, removed, inserted, blocks repeated. Returns how many still parse.
template <class Parse>
int mutate(const std::vector<std::byte>& file, unsigned rounds, Parse&& parse) {
  int accepted = 0;
  std::mt19937 rng(7);
  for (unsigned i = 0; i < rounds; ++i) {
    std::vector<std::byte> f = file;
    for (int k = 1 + static_cast<int>(rng() % 4); k > 0 && !f.empty(); --k) {
      const std::size_t at = rng() % f.size();
      const auto pos = f.begin() + static_cast<std::ptrdiff_t>(at);
      static constexpr char kTokens[] = "{}[]()',:\"0129-TF<>|eE\\";
      switch (rng() % 5) {
        case 0:
          f[at] = static_cast<std::byte>(rng());
          break;
        case 1:
          f[at] = static_cast<std::byte>(kTokens[rng() % (sizeof kTokens - 1)]);
          break;
        case 2:
          f.erase(pos, pos + static_cast<std::ptrdiff_t>(std::min<std::size_t>(1 + rng() % 8, f.size() - at)));
          break;
        case 3:
          f.insert(pos, static_cast<std::byte>(kTokens[rng() % (sizeof kTokens - 1)]));
          break;
        default:
          f[at] = f[at] ^ static_cast<std::byte>(1u << (rng() % 8));
      }
    }
    accepted += parse(f);
  }
  return accepted;
}

TEST(Npy, PrefixesAndMutations) {
  std::mt19937 rng(2);
  const auto file = *format_npy(random_array(rng, ir::kF32, {3, 4}));
  const auto parse = [](const std::vector<std::byte>& f) {
    const auto a = parse_npy(f, "test");
    EXPECT_TRUE(!a.ok() || a->data.size() == static_cast<std::size_t>(elements(a->shape)) * a->dtype.bytes());
    return a.ok();
  };
  every_prefix(file, parse);
  const int accepted = mutate(file, 20000, parse);
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 19000);
}

std::vector<std::byte> safetensors_text(std::string header, std::size_t data) {
  const std::uint64_t n = header.size();
  std::vector<std::byte> f(8 + header.size() + data);
  std::memcpy(f.data(), &n, 8);
  std::memcpy(f.data() + 8, header.data(), header.size());
  return f;
}

TEST(SafeTensors, RoundTripThroughAFile) {
  std::mt19937 rng(3);
  std::vector<Named> tensors;
  std::vector<ir::DType> types = kNpyTypes;
  types.push_back(ir::kBF16);
  for (ir::DType t : types) tensors.push_back({"layer." + name(t), random_array(rng, t, {3, 5})});
  tensors.push_back({"scalar", random_array(rng, ir::kF32, {})});
  tensors.push_back({"empty", random_array(rng, ir::kF32, {0, 7})});
  const std::string path =
      (std::filesystem::temp_directory_path() / ("hcq_io_" + std::to_string(getpid()) + ".safetensors")).string();
  ASSERT_TRUE(write_safetensors(path, tensors, {{"format", "pt"}}).ok());
  const auto f = SafeTensors::open(path);
  ASSERT_TRUE(f.ok()) << describe(f.error());
  EXPECT_EQ(f->entries().size(), tensors.size());
  EXPECT_EQ(f->metadata().at("format"), "pt");
  for (const Named& t : tensors) {
    const auto a = f->read(t.name);
    ASSERT_TRUE(a.ok()) << describe(a.error());
    EXPECT_EQ(a->dtype, t.array.dtype);
    EXPECT_EQ(a->shape, t.array.shape);
    EXPECT_EQ(a->data, t.array.data);
  }
  const auto missing = f->read("nothing");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Errc::not_found);
  EXPECT_NE(missing.error().hint.find("layer.bool"), std::string::npos);
  std::filesystem::remove(path);
  EXPECT_EQ(SafeTensors::open(path).error().code, Errc::not_found);
}

TEST(SafeTensors, RefusesWhatIsWrong) {
  const auto why = [](const std::string& header, std::size_t data) {
    const auto file = safetensors_text(header, data);
    const auto f = SafeTensors::parse(file, "test");
    if (f.ok()) return std::string("ok");
    EXPECT_EQ(f.error().code, Errc::corrupt);
    return f.error().detail;
  };
  const auto has = [&](const std::string& header, std::size_t data, const char* text) {
    const std::string got = why(header, data);
    EXPECT_NE(got.find(text), std::string::npos) << header << ": " << got;
  };
  has(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8, "ok");
  has(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 7, "of 7 bytes");
  has(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 9, "at the end");
  has(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8, "takes 12");
  has(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8, "[8, 0)");
  has(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8, "an extent");
  has(R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", 8, "an extent");
  has(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615]}})", 8, "end");
  has(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})", 8, "shape");
  has(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})", 8,
      "overlaps");
  has(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})", 8, "belong to none");
  has(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4,
      "twice");
  has(R"({"a":{"dtype":"U8","shape":[4]}})", 4, "needs dtype");
  has(R"([1])", 0, "no JSON object");
  has(R"({"a":)", 0, "no JSON object");
  has(R"({"__metadata__":{"x":1}})", 0, "no string");
  has("{\"a\":" + std::string(100000, '['), 0, "nested");
  std::vector<std::byte> huge(16);
  const std::uint64_t n = 100'000'001;
  std::memcpy(huge.data(), &n, 8);
  EXPECT_NE(SafeTensors::parse(huge, "test").error().detail.find("the limit is"), std::string::npos);
}

TEST(SafeTensors, UnknownTypesAreListedButNotRead) {
  const auto file = safetensors_text(R"({"a":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]}})", 4);
  const auto f = SafeTensors::parse(file, "test");
  ASSERT_TRUE(f.ok());
  EXPECT_EQ(f->entries()[0].dtype_name, "F8_E4M3");
  EXPECT_EQ(f->read("a").error().code, Errc::unsupported);
}

TEST(SafeTensors, PrefixesAndMutations) {
  std::mt19937 rng(4);
  const auto file =
      *format_safetensors({{"w", random_array(rng, ir::kF32, {3, 4})}, {"b", random_array(rng, ir::kF16, {4})}});
  const auto parse = [](const std::vector<std::byte>& f) {
    const auto s = SafeTensors::parse(f, "test");
    if (!s.ok()) return false;
    for (const auto& e : s->entries()) EXPECT_EQ(s->read(e.name).ok(), e.dtype.has_value());
    return true;
  };
  every_prefix(file, parse);
  const int accepted = mutate(file, 20000, parse);
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 19000);
}

}  // namespace
}  // namespace hcq::compute::io
