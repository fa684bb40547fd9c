// SPDX-License-Identifier: MIT
#include "drivers/pci/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "drivers/pci/lock.h"
#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kName = "0000:03:00.0";

class PciPreflight : public ::testing::Test {
 protected:
  void SetUp() override {
    tree_.file("proc/sys/vm/nr_hugepages", "64\n");
    tree_.file("proc/sys/kernel/numa_balancing", "0\n");
    tree_.file("proc/self/status", "VmLck:\t0 kB\nCapEff:\t000001ffffffffff\n");
    tree_.file("dev/vfio/vfio", "");
    fs::create_directories(tree_.root() / "sys/bus/pci/drivers/vfio-pci");
  }
  std::vector<Finding> run(Access access) {
    auto findings = preflight(tree_.host(), kName, {.access = access, .memory_bytes = 1u << 20}, memory_);
    EXPECT_TRUE(findings.ok());
    return findings.ok() ? *findings : std::vector<Finding>{};
  }
  Finding find(const std::string& what, Access access = Access::sysfs) {
    for (const Finding& f : run(access))
      if (f.what == what) return f;
    ADD_FAILURE() << "no check named " << what;
    return {};
  }
  void expect_blocks(const std::string& what, Access access, const std::string& seen, const std::string& fix) {
    const Finding f = find(what, access);
    EXPECT_EQ(f.severity, Severity::blocks) << what;
    EXPECT_THAT(f.seen, HasSubstr(seen));
    EXPECT_THAT(f.fix, HasSubstr(fix));
  }

  FakeTree tree_;
  FakeMemory memory_;
};

TEST_F(PciPreflight, AHealthyMachineHasNothingToSay) {
  tree_.add({.group = 14});
  for (const Access access : {Access::sysfs, Access::vfio})
    for (const Finding& f : run(access)) {
      EXPECT_EQ(f.severity, Severity::ok) << f.what << ": " << f.seen;
      EXPECT_EQ(f.fix, "") << f.what;
    }
  EXPECT_TRUE(tree_.writes.empty());
  EXPECT_TRUE(fs::is_empty(tree_.root() / "lock"));
}

TEST_F(PciPreflight, PowerAndBus) {
  tree_.add({.power = "D3cold"});
  tree_.config_all_ones(kName);
  expect_blocks("power", Access::sysfs, "D3cold", "d3cold_allowed");
  EXPECT_EQ(find("config").severity, Severity::info) << "a sleeping function is not read";
  tree_.file("sys/bus/pci/devices/0000:03:00.0/power_state", "D0\n");
  expect_blocks("config", Access::sysfs, "all ones", "power-cycle");
  tree_.file("sys/bus/pci/devices/0000:03:00.0/power_state", "D3hot\n");
  EXPECT_EQ(find("power").severity, Severity::info);
}

TEST_F(PciPreflight, Driver) {
  tree_.add({.driver = "amdgpu"});
  expect_blocks("driver", Access::sysfs, "amdgpu", "driver/unbind");
  tree_.bind(kName, "vfio-pci");
  EXPECT_EQ(find("driver", Access::vfio).severity, Severity::ok);
  expect_blocks("driver", Access::sysfs, "vfio-pci", "driver/unbind");
}

TEST_F(PciPreflight, LockHolder) {
  tree_.add({});
  const auto lock = DeviceLock::acquire(tree_.host(), kName);
  ASSERT_TRUE(lock.ok());
  struct stat st {};
  ASSERT_EQ(::stat(lock->path().c_str(), &st), 0);
  tree_.file("proc/4711/fd/.keep", "");
  fs::create_symlink(lock->path(), tree_.root() / "proc/4711/fd/5");
  tree_.file("proc/4711/fdinfo/5", "pos:\t0\nlock:\t1: FLOCK  ADVISORY  WRITE 4711 00:00:1 0 EOF\n");
  tree_.file("proc/4711/cmdline", std::string("train\0--fast\0", 13));
  expect_blocks("lock", Access::sysfs, "pid 4711 (train --fast", "end that process");
}

TEST_F(PciPreflight, FramebufferAndBootDisplay) {
  tree_.add({});
  tree_.file("proc/iomem", "  6000000000-60007fffff : BOOTFB\n");
  expect_blocks("framebuffer", Access::sysfs, "BOOTFB", "efifb:off");
  tree_.file("proc/iomem", "00000000-00000000 : BOOTFB\n");
  EXPECT_EQ(find("framebuffer").severity, Severity::info);
  tree_.file("sys/bus/pci/devices/0000:03:00.0/boot_vga", "1\n");
  EXPECT_EQ(find("boot-display").severity, Severity::warning);
}

TEST_F(PciPreflight, BarSizes) {
  FakeFunction f;
  f.bars[0].size = 256u << 20;
  tree_.add(f);
  EXPECT_EQ(find("bar").severity, Severity::warning);
  EXPECT_THAT(find("bar").fix, HasSubstr("Resizable BAR"));
  tree_.make_resizable(kName, 0, 0x7f00);  // up to 16 GiB
  EXPECT_EQ(find("bar").severity, Severity::info);
  EXPECT_THAT(find("bar").seen, HasSubstr("256 MiB of 16384 MiB"));
}

TEST_F(PciPreflight, NoBarAtAll) {
  FakeFunction f;
  f.bars.clear();
  tree_.add(f);
  expect_blocks("bar", Access::sysfs, "no BAR", "rescan");
}

TEST_F(PciPreflight, HostSettings) {
  tree_.add({.group = 14});
  tree_.file("proc/sys/vm/compact_unevictable_allowed", "1\n");
  expect_blocks("compaction", Access::sysfs, "move", "vm.compact_unevictable_allowed=0");
  tree_.file("proc/sys/kernel/numa_balancing", "1\n");
  EXPECT_EQ(find("numa-balancing").severity, Severity::warning);
  tree_.file("proc/sys/vm/nr_hugepages", "0\n");
  EXPECT_EQ(find("hugepages").severity, Severity::warning);
  tree_.file("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
  expect_blocks("lockdown", Access::sysfs, "lockdown", "Secure Boot");
  tree_.file("sys/kernel/iommu_groups/14/type", "DMA\n");
  expect_blocks("iommu", Access::sysfs, "translates", "iommu=pt");
}

TEST_F(PciPreflight, MemlockLimit) {
  tree_.add({.group = 14});
  memory_.limit = 65536;
  EXPECT_EQ(find("memlock", Access::vfio).severity, Severity::ok) << "CAP_IPC_LOCK knows no limit";
  tree_.file("proc/self/status", "CapEff:\t0000000000000000\n");
  expect_blocks("memlock", Access::vfio, "1048576 bytes wanted, 0 bytes locked already, limit 65536", "ulimit -l");
  expect_blocks("permissions", Access::sysfs, "CAP_SYS_ADMIN", "root");
  memory_.limit = 8u << 20;
  EXPECT_EQ(find("memlock", Access::vfio).severity, Severity::ok);
}

TEST_F(PciPreflight, Vfio) {
  tree_.add({.driver = "vfio-pci"});
  expect_blocks("iommu-group", Access::vfio, "no IOMMU group", "intel_iommu=on");
  tree_.file("sys/module/vfio/parameters/enable_unsafe_noiommu_mode", "Y\n");
  EXPECT_EQ(find("iommu-group", Access::vfio).severity, Severity::info);
  fs::remove(tree_.root() / "dev/vfio/vfio");
  expect_blocks("vfio-module", Access::vfio, "vfio/vfio is missing", "modprobe vfio");
  fs::remove_all(tree_.root() / "sys/bus/pci/drivers/vfio-pci");
  expect_blocks("vfio-module", Access::vfio, "not loaded", "modprobe vfio-pci disable_idle_d3=1");
}

TEST_F(PciPreflight, GroupOffender) {
  tree_.add({.driver = "vfio-pci", .group = 14});
  tree_.add({.bdf = "0000:03:00.1", .class_code = 0x040300, .driver = "snd_hda_intel", .group = 14});
  expect_blocks("iommu-group", Access::vfio, "0000:03:00.1 on snd_hda_intel", "unbind");
}

TEST_F(PciPreflight, UnknownFunction) {
  EXPECT_EQ(preflight(tree_.host(), "0000:99:00.0", {}, memory_).error().code, Errc::not_found);
}

}  // namespace
}  // namespace hcq::pci::test
