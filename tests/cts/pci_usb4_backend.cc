// SPDX-License-Identifier: MIT
// The transport through an ASM24 bridge: driver and bridge model in one process, a Navi31 model behind them.
#include "tests/cts/pci_function.h"
#include "tests/support/asm24_rig.h"

namespace hcq::pci::cts {
namespace {

class BridgedDevice final : public CtsDevice {
 public:
  BridgedDevice() {
    auto f = rig_.open();
    EXPECT_TRUE(f.ok()) << describe(f.error());
    function_ = std::move(*f);
  }
  ~BridgedDevice() override {
    function_.reset();
    EXPECT_TRUE(rig_.bridge->referee().violations().empty());
  }
  Function& function() override { return *function_; }
  unsigned scratch_bar() const override { return 0; }
  std::uint8_t capability() const override { return 0x10; }
  std::uint16_t extended_capability() const override { return 0x0001; }
  bool has_dma() const override { return false; }
  const std::byte* at_bus_address(std::uint64_t) override { return nullptr; }

 private:
  test::Asm24Rig rig_{{}, true};
  std::unique_ptr<Function> function_;
};

INSTANTIATE_TEST_SUITE_P(Usb4, PciFunctionTest,
                         ::testing::Values(PciBackend{"asm24", [] { return std::make_unique<BridgedDevice>(); }}),
                         backend_name);

}  // namespace
}  // namespace hcq::pci::cts
