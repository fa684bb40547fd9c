// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "am_rig.h"

namespace hcq::am {
namespace {

TEST(AmBoot, ColdBootThenReopen) {
  BootRig rig;
  {
    auto gpu = rig.open();
    ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
    EXPECT_FALSE((*gpu)->warm());
    EXPECT_TRUE(rig.bus_master());
    const Status s = (*gpu)->close();
    EXPECT_TRUE(s.ok()) << describe(s.error());
    EXPECT_FALSE(rig.bus_master());
  }
  auto gpu = rig.open();
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  EXPECT_TRUE((*gpu)->warm());
}

}  // namespace
}  // namespace hcq::am
