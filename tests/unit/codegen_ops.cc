// SPDX-License-Identifier: MIT
// Every elementwise op on every type, on the CPU device, against its definition.
#include <gtest/gtest.h>

#include "drivers/cpu/device.h"
#include "tests/support/op_cases.h"

namespace hcq {
namespace {

void run_all(const std::vector<test::OpBatch>& batches) {
  auto device = cpu::open();
  ASSERT_TRUE(device.ok()) << describe(device.error());
  for (const test::OpBatch& batch : batches) {
    test::OpRun run(batch);
    const Status s = test::run_on(**device, run.kernel, run.buffers);
    ASSERT_TRUE(s.ok()) << describe(s.error());
    EXPECT_EQ(run.check(), "");
  }
}

TEST(CodegenOps, IntegersAndBooleans) { run_all(test::integer_batches()); }
TEST(CodegenOps, Floats) { run_all(test::float_batches()); }
TEST(CodegenOps, Casts) { run_all(test::cast_batches()); }

}  // namespace
}  // namespace hcq
