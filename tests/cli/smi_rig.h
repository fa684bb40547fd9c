// SPDX-License-Identifier: MIT
// The hcq-smi program on a fake tree.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "drivers/pci/lock.h"
#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {

struct Outcome {
  int code = -1;
  std::string out, err;
};

class SmiRig : public ::testing::Test {
 protected:
  std::string trees(bool real_processes = false) const {
    const std::string root = tree_.root().string();
    return fmt::format(" --sysfs {0}/sys --proc {1} --dev {0}/dev --locks {0}/lock", root,
                       real_processes ? "/proc" : root + "/proc");
  }
  Outcome run(const std::string& command) {
    const std::string root = tree_.root().string();
    const int status = std::system(fmt::format("{{ {0}; }} >{1}/out 2>{1}/err </dev/null", command, root).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, tree_.text("out"), tree_.text("err")};
  }
  Outcome smi(const std::string& arguments, bool on_tree = true, bool real_processes = false) {
    return run(fmt::format("{} {}{}", HCQ_SMI_PROGRAM, arguments, on_tree ? trees(real_processes) : ""));
  }

  // An AMD GPU on its kernel driver with its audio function, an NVIDIA GPU on vfio-pci, a NIC, a bridge.
  void add_machine() {
    tree_.add({.driver = "amdgpu", .group = 14});
    tree_.add({.bdf = "0000:03:00.1", .device = 0xab30, .class_code = 0x040300, .driver = "snd_hda_intel"});
    tree_.add({.bdf = "0000:41:00.0",
               .vendor = 0x10de,
               .device = 0x2684,
               .class_code = 0x030000,
               .driver = "vfio-pci",
               .group = 3,
               .power = "D3hot",
               .bars = {{0, {0xf6000000, 16u << 20, kMem32}}, {1, {0x8000000000, 32ull << 30, kMem64Pref}}}});
    tree_.add({.bdf = "0000:81:00.0", .vendor = 0x15b3, .device = 0x1021, .class_code = 0x020700, .bars = {}});
    tree_.add({.bdf = "0000:00:01.0", .vendor = 0x1022, .device = 0x1483, .class_code = 0x060400, .bars = {}});
  }

  // A process holds the lock, as far as the tree's /proc shows.
  void hold_lock(const std::string& bdf, const std::string& command, int pid = 4711) {
    if (!fs::exists(lock_path(tree_.host(), bdf))) tree_.file("lock/hcq_" + bdf + ".lock", "");
    const std::string p = fmt::format("proc/{}/", pid);
    fs::create_directories(tree_.root() / p / "fd");
    fs::create_symlink(lock_path(tree_.host(), bdf), tree_.root() / p / "fd/5");
    tree_.file(p + "fdinfo/5", "pos:\t0\nlock:\t1: FLOCK  ADVISORY  WRITE 4711 00:00:1 0 EOF\n");
    tree_.file(p + "cmdline", command);
  }
  void attribute(const std::string& bdf, const std::string& name, const std::string& text) {
    tree_.file("sys/bus/pci/devices/" + bdf + "/" + name, text);
  }

  FakeTree tree_;
};

}  // namespace hcq::pci::test
