// SPDX-License-Identifier: MIT
// Everyday C, compiled for the GPU and for the host: the same source must give the same words. isa_corpus/corpus.c is
// the source, isa_corpus/*.ll what scripts/gen_isa_corpus made of it.
#include "isa_corpus/corpus.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/support/isa_machine.h"

namespace hcq::test {
namespace {

struct Case {
  const char* name;
  void (*host)(const unsigned* in, unsigned* out, unsigned t);
};
#define X(name) Case{#name, corpus_##name},
const Case kCases[] = {CORPUS_CASES(X)};
#undef X

class Corpus : public testing::TestWithParam<Case> {};

// Random words, and edge values of every width among them.
std::vector<std::uint32_t> inputs(std::uint32_t items) {
  const std::uint32_t edge[] = {0,          1,          ~0u,        0x7fffffff, 0x80000000, 0x3f800000, 0xbf800000,
                                0x7f800000, 0xff800000, 0x7fc00000, 1000,       0x00800000, 0x00000003, 0x3c003c00,
                                0x7c00fc00, 0x7e007e00, 0x40490fdb, 0x0000ffff, 0xffff0000, 33,         0x4effffff};
  std::mt19937 random{5};
  std::vector<std::uint32_t> in(std::size_t{items} * CORPUS_IN);
  for (auto& v : in) {
    v = random();
    if (random() % 4 == 0) v = edge[random() % std::size(edge)];
    else if (random() % 4 == 0) v >>= random() % 32;
  }
  return in;
}

TEST_P(Corpus, HostAndGpuAgree) {
  if (test::llvm_version() < 21) GTEST_SKIP() << "LLVM 19 cannot read the corpus (IR of LLVM 22)";
  const Case& c = GetParam();
  std::ifstream file(std::string(HCQ_CORPUS_DIR) + "/" + c.name + ".ll");
  ASSERT_TRUE(file) << "run scripts/gen_isa_corpus";
  std::stringstream ir;
  ir << file.rdbuf();
  constexpr std::uint32_t kItems = 128;
  const auto in = inputs(kItems);
  std::vector<std::uint32_t> want(std::size_t{kItems} * CORPUS_OUT, 0xcccccccc);
  for (std::uint32_t t = 0; t < kItems; ++t) c.host(&in[t * CORPUS_IN], &want[t * CORPUS_OUT], t);
  for (const unsigned level : {0u, 2u})
    for (const bool wave32 : {true, false}) {
      IsaMachine machine;
      const auto kernel = machine.compile(ir.str(), std::string("corpus_") + c.name, level, wave32);
      struct {
        std::uint64_t in, out;
      } const args{machine.upload(in), machine.upload(std::vector<std::uint32_t>(want.size(), 0xcccccccc))};
      const auto report = machine.launch(kernel, {kItems / 64, 1, 1}, {64, 1, 1}, &args, sizeof args);
      ASSERT_EQ(report.outcome, models::isa::Outcome::done)
          << "O" << level << (wave32 ? " wave32: " : " wave64: ") << report.text;
      const auto got = machine.download<std::uint32_t>(args.out, want.size());
      for (std::size_t k = 0; k < want.size(); ++k)
        ASSERT_EQ(got[k], want[k]) << "O" << level << (wave32 ? " wave32" : " wave64") << ", item " << k / CORPUS_OUT
                                   << ", word " << k % CORPUS_OUT << std::hex << ": " << got[k] << ", not " << want[k];
    }
}

INSTANTIATE_TEST_SUITE_P(, Corpus, testing::ValuesIn(kCases), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hcq::test
