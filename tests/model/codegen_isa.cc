// SPDX-License-Identifier: MIT
// Generated gfx1100 code, run by the ISA engine, against the definition of the IR.
#include <gtest/gtest.h>

#include "tests/support/isa_runner.h"
#include "tests/support/op_cases.h"
#include "tests/support/random_kernel.h"

namespace hcq {
namespace {

void run_all(const std::vector<test::OpBatch>& batches) {
  for (const test::OpBatch& batch : batches) {
    test::OpRun run(batch);
    const Status s = test::run_on_isa(run.kernel, run.buffers);
    if (!s.ok()) ADD_FAILURE() << run.kernel.name << ": " << describe(s.error());
    else EXPECT_EQ(run.check(), "");
  }
}

TEST(CodegenIsa, IntegersAndBooleans) { run_all(test::integer_batches()); }
TEST(CodegenIsa, Floats) { run_all(test::float_batches()); }
TEST(CodegenIsa, Casts) { run_all(test::cast_batches()); }

TEST(CodegenIsa, RandomKernels) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const test::RandomKernel random(seed);
    test::Buffers buffers = random.buffers;
    const Status s = test::run_on_isa(random.kernel, buffers);
    if (!s.ok()) ADD_FAILURE() << random.kernel.name << ": " << describe(s.error());
    else EXPECT_EQ(random.compare(buffers), "");
  }
}

}  // namespace
}  // namespace hcq
