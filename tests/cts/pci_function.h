// SPDX-License-Identifier: MIT
// What every pci::Function must do, whatever is behind it. A transport registers itself in a source file of its own:
//
//   INSTANTIATE_TEST_SUITE_P(Sysfs, PciFunctionTest, ::testing::Values(PciBackend{"fake_tree", make_it}),
//   backend_name);
//
// and is linked with pci_function.cc. A device that is not there (no hardware) is a null pointer: the tests skip.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "drivers/pci/function.h"

namespace hcq::pci::cts {

// An open function and what the test knows about the device behind it. Made afresh for each test.
class CtsDevice {
 public:
  virtual ~CtsDevice() = default;
  virtual Function& function() = 0;

  // 64 bytes of a BAR that behave as memory for accesses of 1 to 8 bytes.
  virtual unsigned scratch_bar() const = 0;
  virtual std::uint64_t scratch_offset() const { return 0; }

  // Capabilities that are there: one of the standard list, one extended; 0 for none.
  virtual std::uint8_t capability() const { return 0; }
  virtual std::uint16_t extended_capability() const { return 0; }

  // Makes the device interrupt; false when this device cannot be told to.
  virtual bool raise_interrupt() { return false; }

  // False: the transport has no memory that both sides reach, and alloc_dma() must say Errc::unsupported.
  virtual bool has_dma() const { return true; }
  // The memory that the device reaches at a bus address; nullptr when it reaches none there.
  virtual const std::byte* at_bus_address(std::uint64_t address) = 0;
};

struct PciBackend {
  std::string name;
  std::function<std::unique_ptr<CtsDevice>()> make;
};

inline std::string backend_name(const ::testing::TestParamInfo<PciBackend>& info) { return info.param.name; }
inline void PrintTo(const PciBackend& b, std::ostream* out) { *out << b.name; }

class PciFunctionTest : public ::testing::TestWithParam<PciBackend> {
 protected:
  void SetUp() override {
    device_ = GetParam().make();
    if (!device_) GTEST_SKIP() << GetParam().name << " is not here";
  }
  Function& f() { return device_->function(); }
  Mmio scratch();

  std::unique_ptr<CtsDevice> device_;
};

}  // namespace hcq::pci::cts
