// SPDX-License-Identifier: MIT
// hcq-smi doctor, beyond pci::preflight(): each finding appears when its cause is there, with its one line.
#include "smi_rig.h"
#include "tools/smi/lib/doctor.h"

namespace hcq::pci::test {
namespace {

using nlohmann::json;
using smi::Diagnosis;
using ::testing::HasSubstr;

class SmiDoctorChecks : public SmiRig {
 protected:
  void SetUp() override {
    tree_.file("proc/self/status", "CapEff:\t000001ffffffffff\n");
    tree_.file("proc/sys/vm/nr_hugepages", "64\n");
  }
  Finding find(const std::string& subject, const std::string& check, Via via = Via::automatic) {
    const smi::DoctorOptions options{.via = via, .memory_bytes = 64u << 20, .memory = memory_};
    const auto d = smi::examine(tree_.host(), {.device = {}, .family = {}, .bus_prefix = {}}, options);
    EXPECT_TRUE(d.ok());
    if (subject == "host")
      for (const Finding& f : d->host)
        if (f.what == check) return f;
    for (const Diagnosis& s : d->devices)
      for (const Finding& f : s.findings)
        if (s.bdf == subject && f.what == check) return f;
    ADD_FAILURE() << "no finding " << check << " of " << subject;
    return {};
  }
  Finding gpu(const std::string& check, Via via = Via::automatic) { return find("0000:03:00.0", check, via); }

  std::shared_ptr<FakeMemory> memory_ = std::make_shared<FakeMemory>();
};

TEST_F(SmiDoctorChecks, Host) {
  EXPECT_EQ(find("host", "rights").severity, Severity::ok);
  tree_.file("proc/self/status", "CapEff:\t0000000000000000\n");
  EXPECT_THAT(find("host", "rights").seen, HasSubstr("CAP_SYS_ADMIN"));
  tree_.file("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
  EXPECT_THAT(find("host", "lockdown").fix, HasSubstr("Secure Boot"));
  EXPECT_THAT(find("host", "iommu").fix, HasSubstr("intel_iommu=on"));
  tree_.file("proc/cmdline", "quiet amd_iommu=off\n");
  EXPECT_EQ(find("host", "iommu").fix, "remove amd_iommu=off from the kernel's command line");
  EXPECT_EQ(find("host", "vfio").fix, "modprobe vfio-pci disable_idle_d3=1");
  tree_.file("sys/module/vfio_pci/parameters/disable_idle_d3", "N\n");
  EXPECT_EQ(find("host", "vfio").severity, Severity::warning);
  tree_.file("sys/module/amdgpu/refcnt", "0\n");
  EXPECT_THAT(find("host", "gpu-modules").fix, HasSubstr("blacklist amdgpu"));
  tree_.file("proc/sys/vm/nr_hugepages", "0\n");
  EXPECT_EQ(find("host", "hugepages").fix, "sysctl -w vm.nr_hugepages=64");
}

TEST_F(SmiDoctorChecks, UsbBridge) {
  const auto usb = [&](const char* name, const char* text) {
    tree_.file(std::string("sys/bus/usb/devices/2-1/") + name, text);
  };
  usb("idVendor", "add1\n"), usb("idProduct", "0001\n"), usb("product", "custom v0.1\n"), usb("speed", "480\n");
  EXPECT_THAT(find("host", "usb-bridge").seen, HasSubstr("480 Mb/s only"));
  usb("speed", "10000\n");
  EXPECT_EQ(find("host", "usb-bridge").severity, Severity::ok);
  fs::create_directories(tree_.root() / "sys/bus/usb/drivers/usb-storage");
  fs::create_directories(tree_.root() / "sys/bus/usb/devices/2-1/2-1:1.0");
  fs::create_directory_symlink(tree_.root() / "sys/bus/usb/drivers/usb-storage",
                               tree_.root() / "sys/bus/usb/devices/2-1/2-1:1.0/driver");
  EXPECT_THAT(find("host", "usb-bridge").fix, HasSubstr("usb-storage/unbind"));
  usb("idVendor", "174c\n"), usb("idProduct", "2463\n");
  EXPECT_THAT(find("host", "usb-bridge").seen, HasSubstr("boot-loader mode"));
}

// Field case: "Unable to change power state from D3cold to D0".
TEST_F(SmiDoctorChecks, D3cold) {
  tree_.add({.power = "D3cold"});
  tree_.config_all_ones("0000:03:00.0");
  const Finding f = gpu("power");
  EXPECT_EQ(f.severity, Severity::blocks);
  EXPECT_THAT(f.fix, HasSubstr("disable_idle_d3=1"));
  EXPECT_THAT(f.fix, HasSubstr("d3cold_allowed"));
  EXPECT_EQ(gpu("config").severity, Severity::info);  // not read
  attribute("0000:03:00.0", "d3cold_allowed", "1\n");
  EXPECT_THAT(gpu("d3cold").fix, HasSubstr("echo 0 > "));
}

// Field case: "BAR 0: can't reserve [mem ...]".
TEST_F(SmiDoctorChecks, FramebufferInABar) {
  tree_.add({});
  tree_.file("proc/iomem", "6000000000-600fffffff : PCI Bus 0000:03\n  6000000000-60000fffff : BOOTFB\n");
  EXPECT_THAT(gpu("framebuffer").seen, HasSubstr("BOOTFB is inside BAR 0"));
}

// Field case: the audio function keeps its driver; a bridge in the group is no reason.
TEST_F(SmiDoctorChecks, IommuGroup) {
  tree_.add({.group = 14});
  tree_.add({.bdf = "0000:00:01.0", .vendor = 0x1022, .class_code = 0x060400, .driver = "pcieport", .group = 14});
  tree_.file("dev/vfio/vfio", "");
  fs::create_directories(tree_.root() / "sys/bus/pci/drivers/vfio-pci");
  EXPECT_EQ(gpu("iommu-group", Via::vfio).severity, Severity::ok);
  tree_.add({.bdf = "0000:03:00.1", .class_code = 0x040300, .driver = "snd_hda_intel", .group = 14});
  const Finding f = gpu("iommu-group", Via::vfio);
  EXPECT_EQ(f.severity, Severity::blocks);
  EXPECT_THAT(f.seen, HasSubstr("0000:03:00.1"));
  EXPECT_THAT(gpu("siblings").seen, HasSubstr("snd_hda_intel"));
}

// Field case: "cannot allocate memory" with a 64 KiB limit.
TEST_F(SmiDoctorChecks, LockedMemory) {
  tree_.add({});
  tree_.file("proc/self/status", "CapEff:\t0000000000000000\n");
  memory_->limit = 65536;
  const Finding f = gpu("memlock");
  EXPECT_EQ(f.severity, Severity::blocks);
  EXPECT_THAT(f.seen, HasSubstr("limit 65536 bytes"));
  EXPECT_THAT(f.fix, HasSubstr("ulimit -l"));
}

TEST_F(SmiDoctorChecks, LinkAcsErrorsFirmware) {
  // The function below a bridge, as sysfs lays it out.
  tree_.add({.bdf = "0000:00:01.0", .vendor = 0x1022, .class_code = 0x060400});
  tree_.add({});
  fs::rename(tree_.device("0000:03:00.0"), tree_.device("0000:00:01.0") / "0000:03:00.0");
  fs::create_directory_symlink(tree_.device("0000:00:01.0") / "0000:03:00.0", tree_.device("0000:03:00.0"));
  EXPECT_EQ(gpu("link").severity, Severity::warning);  // 8 of 16 lanes, and nobody on the path has only 8
  EXPECT_THAT(gpu("link").fix, HasSubstr("reseat"));
  attribute("0000:00:01.0", "max_link_width", "8\n");
  EXPECT_THAT(gpu("link").seen, HasSubstr("the slot at 0000:00:01.0 has 8 lanes"));
  EXPECT_EQ(gpu("acs").severity, Severity::ok);
  tree_.poke_config("0000:00:01.0", 0x200, {0x0d, 0x00, 0x01, 0x00, 0x00, 0x00, 0x04, 0x00});
  EXPECT_THAT(gpu("acs").seen, HasSubstr("0000:00:01.0 redirects"));
  EXPECT_EQ(gpu("pcie-errors").severity, Severity::ok);
  attribute("0000:03:00.0", "aer_dev_nonfatal", "Undefined 0\nTOTAL_ERR_NONFATAL 7\n");
  EXPECT_THAT(gpu("pcie-errors").seen, HasSubstr("7 non-fatal"));
}

TEST_F(SmiDoctorChecks, FirmwareFiles) {
  tree_.add({});
  // No directory of this machine may answer for the test.
  const Outcome r = run("HCQ_FIRMWARE_PATH=/nowhere " HCQ_SMI_PROGRAM " doctor --json" + trees());
  const json j = json::parse(r.out);
  for (const json& f : j["devices"][0]["findings"])
    if (f["check"] == "firmware" && f["severity"] == "warning") {
      EXPECT_THAT(f["seen"].get<std::string>(), HasSubstr("psp_13_0_0_sos.bin"));
      EXPECT_THAT(f["fix"].get<std::string>(), HasSubstr("HCQ_FIRMWARE_PATH"));
    }
}

}  // namespace
}  // namespace hcq::pci::test
