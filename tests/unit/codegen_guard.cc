// SPDX-License-Identifier: MIT
#include "compute/codegen/guard.h"

#include <gtest/gtest.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/ErrorHandling.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace hcq::compute::codegen {
namespace {

TEST(CodegenGuard, TurnsLlvmsFatalErrorsIntoText) {
  bool ran = false;
  EXPECT_EQ(guarded([&] { ran = true; }), std::nullopt);
  EXPECT_TRUE(ran);
  const auto text = guarded([] { llvm::report_fatal_error("cannot select: example"); });
  ASSERT_TRUE(text.has_value());
  EXPECT_NE(text->find("cannot select: example"), std::string::npos);
  EXPECT_EQ(guarded([] {}), std::nullopt);
}

TEST(CodegenGuard, ThreadsDoNotDisturbEachOther) {
  std::atomic<int> caught{0}, fine{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string mine = "thread " + std::to_string(t) + " round " + std::to_string(i);
        const auto text = guarded([&] {
          if (i % 2 == 0) llvm::report_fatal_error(llvm::StringRef(mine));
        });
        if (i % 2 == 0) caught += text && text->find(mine) != std::string::npos;
        else fine += !text;
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(caught, 100);
  EXPECT_EQ(fine, 100);
}

}  // namespace
}  // namespace hcq::compute::codegen
