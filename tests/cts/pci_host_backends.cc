// SPDX-License-Identifier: MIT
// The transports of this machine, on a fake tree and a kernel in memory.
#include "drivers/pci/sysfs.h"
#include "drivers/pci/vfio.h"
#include "tests/cts/pci_function.h"
#include "tests/support/pci_fake_tree.h"
#include "tests/support/pci_fake_vfio.h"

namespace hcq::pci::cts {
namespace {

using test::FakeFunction;
using test::FakeMemory;
using test::FakeTree;
using test::FakeVfio;

class SysfsDevice final : public CtsDevice {
 public:
  SysfsDevice() {
    tree_.add({});
    tree_.make_resizable("0000:03:00.0", 0, 0b111);
    auto f = SysfsFunction::open(tree_.host(), "0000:03:00.0", {}, memory_);
    EXPECT_TRUE(f.ok()) << describe(f.error());
    function_ = std::move(*f);
  }
  Function& function() override { return *function_; }
  unsigned scratch_bar() const override { return 0; }
  std::uint64_t scratch_offset() const override { return 0x100; }
  std::uint8_t capability() const override { return 0x05; }
  std::uint16_t extended_capability() const override { return 0x0015; }
  const std::byte* at_bus_address(std::uint64_t address) override { return memory_->at(address); }

 private:
  FakeTree tree_;
  std::shared_ptr<FakeMemory> memory_ = std::make_shared<FakeMemory>();
  std::unique_ptr<SysfsFunction> function_;
};

enum class Vfio { iommu, noiommu, unmappable };

class VfioDevice final : public CtsDevice {
 public:
  explicit VfioDevice(Vfio kind) : kind_(kind) {
    const FakeFunction description{.driver = "vfio-pci", .group = 14};
    tree_.add(description);
    vfio_->add_device(description, tree_.text(tree_.device(description.bdf) / "config"));
    if (kind == Vfio::noiommu) {
      tree_.file("dev/vfio/noiommu-14", "");
      vfio_->noiommu = true;
      vfio_->map_call_exists = false;
    }
    if (kind == Vfio::unmappable) vfio_->unmappable = {0, 2, 5};
    auto f = VfioFunction::open(tree_.host(), description.bdf, {}, vfio_, memory_);
    EXPECT_TRUE(f.ok()) << describe(f.error());
    function_ = std::move(*f);
  }
  Function& function() override { return *function_; }
  unsigned scratch_bar() const override { return 0; }
  std::uint64_t scratch_offset() const override { return 0x100; }
  std::uint8_t capability() const override { return 0x05; }
  std::uint16_t extended_capability() const override { return 0x0015; }
  bool raise_interrupt() override { return vfio_->raise_interrupt(); }
  const std::byte* at_bus_address(std::uint64_t address) override {
    return kind_ == Vfio::noiommu ? memory_->at(address) : vfio_->at(address);
  }

 private:
  Vfio kind_;
  FakeTree tree_;
  std::shared_ptr<FakeVfio> vfio_ = std::make_shared<FakeVfio>();
  std::shared_ptr<FakeMemory> memory_ = std::make_shared<FakeMemory>();
  std::unique_ptr<VfioFunction> function_;
};

INSTANTIATE_TEST_SUITE_P(
    Host, PciFunctionTest,
    ::testing::Values(PciBackend{"sysfs", [] { return std::make_unique<SysfsDevice>(); }},
                      PciBackend{"vfio_iommu", [] { return std::make_unique<VfioDevice>(Vfio::iommu); }},
                      PciBackend{"vfio_noiommu", [] { return std::make_unique<VfioDevice>(Vfio::noiommu); }},
                      PciBackend{"vfio_unmappable_bars",
                                 [] { return std::make_unique<VfioDevice>(Vfio::unmappable); }}),
    backend_name);

}  // namespace
}  // namespace hcq::pci::cts
