// SPDX-License-Identifier: MIT
// WMMA in all its element types against a plain matrix product, and the dot products and byte sums beside it. The
// numbers are small integers, which are exact in every type.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/isa_machine.h"

namespace hcq::test {
namespace {

using models::isa::Outcome;
using U = std::uint32_t;

enum class Kind { f16, bf16, i8, i4 };
constexpr unsigned kTile = 16;

// The encoding of a small integer.
U encode(Kind kind, int v) {
  const float f = static_cast<float>(v);
  U bits;
  std::memcpy(&bits, &f, 4);
  if (kind == Kind::bf16) return bits >> 16;
  if (kind == Kind::i8) return static_cast<U>(v) & 0xff;
  if (kind == Kind::i4) return static_cast<U>(v) & 0xf;
  if (v == 0) return 0;
  return (bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff);
}
unsigned width(Kind kind) { return kind == Kind::i8 ? 8 : kind == Kind::i4 ? 4 : 16; }

class Wmma : public testing::TestWithParam<bool> {
 protected:
  using Matrix = int[kTile][kTile];
  unsigned lanes() const { return GetParam() ? 32 : 64; }
  unsigned registers() const { return kTile * kTile / lanes(); }

  // `c_of` encodes an element of C; returns D as dwords by row and column.
  std::vector<U> run(const std::string& mnemonic, Kind kind, const std::string& modifiers, U (*c_of)(int)) {
    const unsigned packed = kTile * width(kind) / 32;
    std::vector<U> in(lanes() * 32);
    for (unsigned lane = 0; lane < lanes(); ++lane) {
      for (unsigned k = 0; k < kTile; ++k) {
        const unsigned bit = k * width(kind);
        in[lane * 32 + bit / 32] |= encode(kind, a[lane % kTile][k]) << bit % 32;
        in[lane * 32 + 8 + bit / 32] |= encode(kind, b[k][lane % kTile]) << bit % 32;
      }
      for (unsigned r = 0; r < registers(); ++r)
        in[lane * 32 + 16 + r] = c_of(c[r * lanes() / kTile + lane / kTile][lane % kTile]);
    }
    const auto range = [](unsigned first, unsigned n) {
      return "v[" + std::to_string(first) + ":" + std::to_string(first + n - 1) + "]";
    };
    std::string text = "v_and_b32 v0, 0x3ff, v0\nv_lshlrev_b32 v1, 7, v0\n";
    for (unsigned n = 0; n < 6; ++n)
      text += "global_load_b128 " + range(16 + 4 * n, 4) + ", v1, s[0:1] offset:" + std::to_string(16 * n) + "\n";
    text += "s_waitcnt vmcnt(0)\n" + mnemonic + " " + range(48, registers()) + ", " + range(16, packed) + ", " +
            range(24, packed) + ", " + range(32, registers()) + " " + modifiers + "\nv_lshlrev_b32 v1, 5, v0\n";
    for (unsigned n = 0; n < registers(); ++n)
      text += "global_store_b32 v1, v" + std::to_string(48 + n) + ", s[2:3] offset:" + std::to_string(4 * n) + "\n";
    const auto kernel = machine.assemble(text + "s_endpgm\n", GetParam());
    auto d = machine.dispatch(kernel, {1, 1, 1}, {lanes(), 1, 1}, nullptr, 0);
    const auto from = machine.upload(in), to = machine.alloc(lanes() * 32);
    d.user_data = {static_cast<U>(from), static_cast<U>(from >> 32), static_cast<U>(to), static_cast<U>(to >> 32)};
    const auto report = machine.run(d);
    EXPECT_EQ(report.outcome, Outcome::done) << report.text;
    const auto out = machine.download<U>(to, lanes() * 8);
    std::vector<U> result(kTile * kTile);
    for (unsigned lane = 0; lane < lanes(); ++lane)
      for (unsigned r = 0; r < registers(); ++r)
        result[(r * lanes() / kTile + lane / kTile) * kTile + lane % kTile] = out[lane * 8 + r];
    return result;
  }
  void random_matrices(int low, int high) {
    std::mt19937 random{3};
    std::uniform_int_distribution<int> uniform(low, high);
    for (Matrix* m : {&a, &b, &c})
      for (auto& row : *m)
        for (int& v : row) v = uniform(random);
  }
  int product(unsigned row, unsigned column) const {
    int sum = c[row][column];
    for (unsigned k = 0; k < kTile; ++k) sum += a[row][k] * b[k][column];
    return sum;
  }
  template <class Of>
  void expect(const std::vector<U>& got, Of of, U mask = ~0u) {
    for (unsigned r = 0; r < kTile; ++r)
      for (unsigned col = 0; col < kTile; ++col)
        ASSERT_EQ(got[r * kTile + col] & mask, of(product(r, col))) << r << ", " << col;
  }
  static U as_f32(int v) {
    const float f = static_cast<float>(v);
    U u;
    std::memcpy(&u, &f, 4);
    return u;
  }
  static U as_f16(int v) { return encode(Kind::f16, v); }
  static U as_bf16(int v) { return encode(Kind::bf16, v); }
  static U as_i32(int v) { return static_cast<U>(v); }
  IsaMachine machine;
  Matrix a, b, c;
};

TEST_P(Wmma, F32OfF16) {
  random_matrices(-30, 30);
  expect(run("v_wmma_f32_16x16x16_f16", Kind::f16, "", as_f32), as_f32);
}
TEST_P(Wmma, F32OfBf16) {
  random_matrices(-30, 30);
  expect(run("v_wmma_f32_16x16x16_bf16", Kind::bf16, "", as_f32), as_f32);
}
TEST_P(Wmma, F16) {
  random_matrices(-8, 8);
  expect(run("v_wmma_f16_16x16x16_f16", Kind::f16, "", as_f16), as_f16, 0xffff);
}
TEST_P(Wmma, Bf16) {
  random_matrices(-3, 3);
  expect(run("v_wmma_bf16_16x16x16_bf16", Kind::bf16, "", as_bf16), as_bf16, 0xffff);
}
TEST_P(Wmma, I32OfSignedBytes) {
  random_matrices(-128, 127);
  expect(run("v_wmma_i32_16x16x16_iu8", Kind::i8, "neg_lo:[1,1,0]", as_i32), as_i32);
}
TEST_P(Wmma, I32OfUnsignedBytes) {
  random_matrices(0, 255);
  expect(run("v_wmma_i32_16x16x16_iu8", Kind::i8, "", as_i32), as_i32);
}
TEST_P(Wmma, I32OfSignedNibbles) {
  random_matrices(-8, 7);
  expect(run("v_wmma_i32_16x16x16_iu4", Kind::i4, "neg_lo:[1,1,0]", as_i32), as_i32);
}
TEST_P(Wmma, NegatedAddend) {
  random_matrices(-30, 30);
  const auto got = run("v_wmma_f32_16x16x16_f16", Kind::f16, "neg_lo:[0,0,1]", as_f32);
  for (auto& row : c)
    for (int& v : row) v = -v;
  expect(got, as_f32);
}

TEST_P(Wmma, NeedsAllLanes) {
  const auto kernel =
      machine.assemble("s_mov_b32 exec_lo, 0xffff\nv_wmma_f32_16x16x16_f16 v[48:" + std::to_string(47 + registers()) +
                           "], v[16:23], v[24:31], v[32:" + std::to_string(31 + registers()) + "]\ns_endpgm\n",
                       GetParam());
  const auto d = machine.dispatch(kernel, {1, 1, 1}, {lanes(), 1, 1}, nullptr, 0);
  EXPECT_EQ(machine.run(d).outcome, Outcome::illegal);
}

INSTANTIATE_TEST_SUITE_P(, Wmma, testing::Bool(), [](const auto& info) { return info.param ? "wave32" : "wave64"; });

}  // namespace
}  // namespace hcq::test
