// SPDX-License-Identifier: MIT
// hcq-smi rmmod, insmod through the program with a stand-in for modprobe; bind and unbind on a tree that plays the
// kernel's part.
#include "smi_rig.h"
#include "tools/smi/lib/kernel_driver.h"

namespace hcq::pci::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class SmiDriver : public SmiRig {
 protected:
  // Unloads by removing /sys/module entries of the tree, and writes down how it was called.
  std::string modprobe(int code = 0) {
    const std::string path = (tree_.root() / "modprobe").string(), root = tree_.root().string();
    tree_.file("modprobe", fmt::format("#!/bin/sh\necho \"$@\" >>{0}/calls\necho chatter\nif [ \"$1\" = -r ]; then "
                                       "shift; for m; do rm -rf {0}/sys/module/$m; done; fi\nexit {1}\n",
                                       root, code));
    fs::permissions(path, fs::perms::owner_all);
    return " --modprobe " + path;
  }
  void load(const char* module) { tree_.file(fmt::format("sys/module/{}/refcnt", module), "0\n"); }
  smi::Target gpu() { return *smi::find_one(tree_.host(), {.device = "03:00.0", .family = {}, .bus_prefix = {}}); }
  smi::DriverOptions options() {
    smi::DriverOptions o;
    o.say = [this](const std::string& line) { said_ += line + "\n"; };
    o.limit = std::chrono::milliseconds(50);
    return o;
  }
  std::string said_;
};

TEST_F(SmiDriver, ExpectOnlyLooks) {
  EXPECT_EQ(smi("amd rmmod --expect").code, 0);
  load("amdgpu"), load("nvidia_uvm"), load("nvidia");
  const Outcome amd = smi("amd rmmod --expect" + modprobe());
  EXPECT_EQ(amd.code, 1);
  EXPECT_EQ(amd.out, "amdgpu\n");
  const Outcome nv = smi("NV rmmod --expect --json");
  EXPECT_EQ(nv.code, 1);
  EXPECT_EQ(json::parse(nv.out), json::parse(R"({"loaded": ["nvidia_uvm", "nvidia"]})"));
  EXPECT_FALSE(fs::exists(tree_.root() / "calls"));
}

TEST_F(SmiDriver, RmmodUnloads) {
  EXPECT_EQ(smi("amd rmmod" + modprobe()).code, 0);  // nothing loaded
  EXPECT_FALSE(fs::exists(tree_.root() / "calls"));
  load("nvidia_drm"), load("nvidia_modeset"), load("nvidia");
  const Outcome r = smi("nv rmmod --json" + modprobe());
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(tree_.text("calls"), "-r nvidia_drm nvidia_modeset nvidia\n");
  EXPECT_EQ(json::parse(r.out)["done"], true);  // modprobe's chatter is not in the document
}

TEST_F(SmiDriver, RmmodRefusesWhileTheDeviceIsInUse) {
  add_machine();
  load("amdgpu");
  attribute("0000:03:00.0", "boot_vga", "1\n");
  const Outcome r = smi("amd rmmod" + modprobe());
  EXPECT_EQ(r.code, 4);
  EXPECT_THAT(r.err, HasSubstr("shows the console"));
  attribute("0000:03:00.0", "boot_vga", "0\n");
  fs::create_directories(tree_.device("0000:03:00.0") / "drm/renderD128");
  tree_.file("dev/dri/renderD128", "");
  fs::create_directories(tree_.root() / "proc/77/fd");
  fs::create_symlink(tree_.root() / "dev/dri/renderD128", tree_.root() / "proc/77/fd/3");
  tree_.file("proc/77/cmdline", "Xorg");
  const Outcome used = smi("amd rmmod" + modprobe());
  EXPECT_EQ(used.code, 4);
  EXPECT_THAT(used.err, HasSubstr("pid 77 (Xorg)"));
  EXPECT_EQ(smi("amd rmmod --force" + modprobe()).code, 0);
}

TEST_F(SmiDriver, RmmodPassesFailureOn) {
  load("amdgpu");
  const Outcome r = smi("amd rmmod --json" + modprobe(3));
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(json::parse(r.out)["error"]["message"].get<std::string>(), HasSubstr("ended with code 3"));
  EXPECT_EQ(smi("amd rmmod --modprobe /nowhere/modprobe").code, 0);  // unloaded by the one before
}

TEST_F(SmiDriver, InsmodLoadsAndRefusesWhileHcqDrivesADevice) {
  tree_.add({});
  EXPECT_EQ(smi("amd insmod" + modprobe()).code, 0);
  EXPECT_EQ(tree_.text("calls"), "-a amdgpu\n");
  hold_lock("0000:03:00.0", "hcq-run");
  const Outcome r = smi("amd insmod" + modprobe());
  EXPECT_EQ(r.code, 4);
  EXPECT_THAT(r.err, HasSubstr("pid 4711 (hcq-run)"));
}

TEST_F(SmiDriver, UnbindAndBind) {
  tree_.add({.driver = "amdgpu"});
  ASSERT_TRUE(smi::unbind_driver(tree_.host(), gpu(), options()).ok());
  EXPECT_EQ(tree_.driver("0000:03:00.0"), "");
  ASSERT_TRUE(smi::unbind_driver(tree_.host(), gpu(), options()).ok());  // again: nothing to do
  EXPECT_THAT(said_, HasSubstr("has no kernel driver"));
  fs::create_directories(tree_.root() / "sys/bus/pci/drivers/vfio-pci");
  ASSERT_TRUE(smi::bind_driver(tree_.host(), gpu(), "vfio-pci", options()).ok());
  EXPECT_EQ(tree_.driver("0000:03:00.0"), "vfio-pci");
  // Back to the kernel's own choice: the override is cleared by a newline.
  tree_.natural_drivers["0000:03:00.0"] = "amdgpu";
  ASSERT_TRUE(smi::bind_driver(tree_.host(), gpu(), "", options()).ok());
  EXPECT_EQ(tree_.driver("0000:03:00.0"), "amdgpu");
  EXPECT_EQ(tree_.text(tree_.device("0000:03:00.0") / "driver_override"), "(null)\n");
}

TEST_F(SmiDriver, UnbindRefusesAndFailsWithAReason) {
  tree_.add({.driver = "amdgpu"});
  hold_lock("0000:03:00.0", "hcq-run");
  const Status held = smi::unbind_driver(tree_.host(), gpu(), options());
  ASSERT_FALSE(held.ok());
  EXPECT_EQ(held.error().code, Errc::refused);
  EXPECT_EQ(smi::bind_driver(tree_.host(), gpu(), "vfio-pci", options()).error().code, Errc::refused);
  fs::remove_all(tree_.root() / "proc/4711");
  tree_.unbind_works = false;
  const Status stuck = smi::unbind_driver(tree_.host(), gpu(), options());
  ASSERT_FALSE(stuck.ok());
  EXPECT_EQ(stuck.error().code, Errc::timeout);
  EXPECT_EQ(smi::bind_driver(tree_.host(), gpu(), "no-such-driver", options()).error().code, Errc::not_found);
  EXPECT_EQ(smi::bind_driver(tree_.host(), gpu(), "../x", options()).error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace hcq::pci::test
