// SPDX-License-Identifier: MIT
// A machine made of files: sysfs, procfs and device nodes in a temporary directory, with the kernel's part (what a
// write to an attribute does) played by FakeTree::host().write_attribute. And memory whose physical addresses the test
// decides.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "drivers/pci/dma.h"
#include "drivers/pci/host.h"

namespace hcq::pci::test {

namespace fs = std::filesystem;

// Flags as in `resource` of a real GPU: 64-bit prefetchable memory, and 32-bit memory.
inline constexpr std::uint64_t kMem64Pref = 0x14220c, kMem32 = 0x40200;

struct FakeBar {
  std::uint64_t start = 0, size = 0, flags = kMem32;
};

struct FakeFunction {
  std::string bdf = "0000:03:00.0";
  std::uint16_t vendor = 0x1002, device = 0x744c;
  std::uint32_t class_code = 0x030000;
  std::string driver{};
  std::optional<unsigned> group{};
  std::string power = "D0";
  std::map<unsigned, FakeBar> bars = {{0, {0x6000000000, 1u << 20, kMem64Pref}},
                                      {2, {0x6010000000, 64u << 10, kMem64Pref}},
                                      {5, {0xfcb00000, 16u << 10, kMem32}}};
};

class FakeTree {
 public:
  FakeTree() {
    // In memory where possible, as the real ones are: a tree is some forty files, and each test makes one.
    const fs::path parent = ::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : fs::temp_directory_path();
    std::string pattern = (parent / "hcq_pci_XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    for (const char* d : {"sys/bus/pci/devices", "sys/bus/pci/drivers", "sys/kernel/iommu_groups", "sys/module",
                          "proc/sys/vm", "proc/sys/kernel", "proc/self", "dev/vfio", "lock"})
      fs::create_directories(root_ / d);
    file("proc/sys/vm/compact_unevictable_allowed", "0\n");
    file("proc/iomem", "00001000-0009ffff : System RAM\n");
    file("sys/bus/pci/drivers_probe", "");
  }
  ~FakeTree() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  FakeTree(const FakeTree&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;

  Host host() {
    Host h;
    h.sysfs = (root_ / "sys").string();
    h.proc = (root_ / "proc").string();
    h.dev = (root_ / "dev").string();
    h.lock_directory = (root_ / "lock").string();
    h.write_attribute = [this](const std::string& p, std::string_view t) { return kernel_write(p, std::string(t)); };
    return h;
  }

  fs::path root() const { return root_; }
  fs::path device(const std::string& bdf) const { return root_ / "sys/bus/pci/devices" / bdf; }
  fs::path group(unsigned n) const { return root_ / "sys/kernel/iommu_groups" / std::to_string(n); }

  // Creates or replaces; `name` is relative to the root of the tree.
  void file(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::trunc) << text;
  }
  std::string text(const fs::path& path) const {
    std::ifstream in(path.is_absolute() ? path : root_ / path);
    std::stringstream s;
    s << in.rdbuf();
    return s.str();
  }

  void add(const FakeFunction& f) {
    const std::string d = "sys/bus/pci/devices/" + f.bdf + "/";
    file(d + "vendor", fmt::format("0x{:04x}\n", f.vendor));
    file(d + "device", fmt::format("0x{:04x}\n", f.device));
    file(d + "class", fmt::format("0x{:06x}\n", f.class_code));
    file(d + "subsystem_vendor", "0x1002\n");
    file(d + "subsystem_device", "0x0e3b\n");
    file(d + "revision", "0xc8\n");
    file(d + "enable", f.driver.empty() ? "0\n" : "1\n");
    file(d + "power_state", f.power + "\n");
    file(d + "driver_override", "(null)\n");
    file(d + "reset", "");
    file(d + "current_link_speed", "16.0 GT/s PCIe\n");
    file(d + "current_link_width", "8\n");
    file(d + "max_link_speed", "16.0 GT/s PCIe\n");
    file(d + "max_link_width", "16\n");
    for (const auto& [i, bar] : f.bars) bar_file(f.bdf, i, bar.size);
    write_resources(f.bdf, f.bars);
    bars_[f.bdf] = f.bars;
    write_config(f);
    if (!f.driver.empty()) bind(f.bdf, f.driver);
    if (f.group) {
      fs::create_directories(group(*f.group) / "devices");
      if (!fs::exists(group(*f.group) / "type")) std::ofstream(group(*f.group) / "type") << "identity\n";
      fs::create_directory_symlink(group(*f.group), device(f.bdf) / "iommu_group");
      fs::create_directory_symlink(device(f.bdf), group(*f.group) / "devices" / f.bdf);
    }
  }

  // What a removal looks like to a process with open files: the attributes are gone, the open ones end.
  void remove(const std::string& bdf) {
    if (fs::exists(device(bdf) / "config")) fs::resize_file(device(bdf) / "config", 0);
    fs::remove_all(device(bdf));
  }

  void bind(const std::string& bdf, const std::string& driver) {
    const fs::path d = root_ / "sys/bus/pci/drivers" / driver;
    fs::create_directories(d);
    for (const char* attribute : {"bind", "unbind"}) std::ofstream(d / attribute) << "";
    fs::remove(device(bdf) / "driver");
    fs::create_directory_symlink(d, device(bdf) / "driver");
  }
  std::string driver(const std::string& bdf) const { return link_name((device(bdf) / "driver").string()); }

  void poke_config(const std::string& bdf, std::uint16_t offset, const std::vector<std::uint8_t>& bytes) {
    std::fstream f(device(bdf) / "config", std::ios::in | std::ios::out | std::ios::binary);
    f.seekp(offset);
    f.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  void config_all_ones(const std::string& bdf) { poke_config(bdf, 0, std::vector<std::uint8_t>(4096, 0xff)); }
  void set_bar_file_size(const std::string& bdf, unsigned index, std::uint64_t size) { bar_file(bdf, index, size); }

  // Offers sizes for a BAR: bit n = 2^n MiB.
  void make_resizable(const std::string& bdf, unsigned index, std::uint64_t mask) {
    file(fmt::format("sys/bus/pci/devices/{}/resource{}_resize", bdf, index), fmt::format("{:016x}\n", mask));
  }

  // The next writes to attributes whose path ends in `suffix` fail with `error`; 0 takes it back.
  void fail_writes(const std::string& suffix, int error) { failures_[suffix] = error; }
  bool vfio_module = true;                                  // vfio-pci takes functions that ask for it
  std::map<std::string, std::string> natural_drivers;       // by address: who takes a function without an override
  bool unbind_works = true;                                 // a driver lets go when told to
  std::vector<std::pair<std::string, std::string>> writes;  // path below the root, text; in order

  // How often an attribute was written.
  int written(const std::string& suffix) const {
    int n = 0;
    for (const auto& w : writes) n += w.first.ends_with(suffix);
    return n;
  }

 private:
  void bar_file(const std::string& bdf, unsigned index, std::uint64_t size) {
    const fs::path p = device(bdf) / fmt::format("resource{}", index);
    if (!fs::exists(p)) std::ofstream(p) << "";
    fs::resize_file(p, size);
  }

  void write_resources(const std::string& bdf, const std::map<unsigned, FakeBar>& bars) {
    std::string lines;
    for (unsigned i = 0; i < 13; ++i) {
      const auto it = bars.find(i);
      const FakeBar b = it == bars.end() ? FakeBar{0, 0, 0} : it->second;
      lines += fmt::format("0x{:016x} 0x{:016x} 0x{:016x}\n", b.start, b.size ? b.start + b.size - 1 : 0, b.flags);
    }
    file("sys/bus/pci/devices/" + bdf + "/resource", lines);
  }

  // Standard header, capabilities 0x01 at 0x40, 0x05 at 0x50, 0x10 at 0x60; extended 0x0003 at 0x100, 0x0015 at 0x200.
  void write_config(const FakeFunction& f) {
    std::vector<std::uint8_t> c(4096, 0);
    const auto put = [&](std::size_t at, std::uint64_t v, unsigned n) {
      for (unsigned i = 0; i < n; ++i) c[at + i] = static_cast<std::uint8_t>(v >> (8 * i));
    };
    put(0x00, f.vendor, 2), put(0x02, f.device, 2), put(0x06, 0x0010, 2), put(0x08, 0xc8, 1);
    put(0x09, f.class_code, 3), put(0x2c, 0x1002, 2), put(0x2e, 0x0e3b, 2), put(0x34, 0x40, 1);
    put(0x40, 0x5001, 2), put(0x50, 0x6005, 2), put(0x60, 0x0010, 2);
    put(0x100, 0x20010003, 4), put(0x200, 0x00010015, 4);
    std::ofstream out(device(f.bdf) / "config", std::ios::binary);
    out.write(reinterpret_cast<const char*>(c.data()), static_cast<std::streamsize>(c.size()));
  }

  Status kernel_write(const std::string& path, std::string text) {
    const fs::path p = path;
    const std::string name = p.filename().string();
    writes.emplace_back(p.lexically_relative(root_).string(), text);
    for (const auto& [suffix, error] : failures_)
      if (error != 0 && path.ends_with(suffix)) return errno_error(error, "write", path);
    if (!fs::exists(p)) return errno_error(ENOENT, "write", path);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (name == "unbind") {
      if (unbind_works) fs::remove(device(text) / "driver");
    } else if (name == "bind") {
      bind(text, p.parent_path().filename().string());
    } else if (name == "drivers_probe") {
      const std::string wanted = this->text(device(text) / "driver_override");
      if (wanted == "vfio-pci\n" && vfio_module) bind(text, "vfio-pci");
      else if (wanted == "(null)\n" && natural_drivers.count(text)) bind(text, natural_drivers[text]);
    } else if (name == "driver_override") {
      std::ofstream(p) << (text.empty() ? "(null)" : text) << "\n";
    } else if (name == "enable") {
      const int count = std::stoi(this->text(p)) + (text == "1" ? 1 : -1);
      std::ofstream(p) << count << "\n";
    } else if (name.ends_with("_resize")) {
      resize(p.parent_path().filename().string(), static_cast<unsigned>(name[8] - '0'), std::stoul(text));
    } else {
      std::ofstream(p) << text << "\n";
    }
    return {};
  }

  void resize(const std::string& bdf, unsigned index, unsigned long log2_mib) {
    FakeBar& b = bars_[bdf][index];
    b.size = (1ull << 20) << log2_mib;
    b.start = 0x8000000000;
    bar_file(bdf, index, b.size);
    write_resources(bdf, bars_[bdf]);
  }

  fs::path root_;
  std::map<std::string, int> failures_;
  std::map<std::string, std::map<unsigned, FakeBar>> bars_;
};

// Memory with invented frame numbers: consecutive inside a hugepage, scattered otherwise.
class FakeMemory final : public MemoryKernel {
 public:
  Result<Mapping> map(std::size_t bytes, bool locked, bool huge) override {
    ++maps;
    if (huge && hugepages * (2u << 20) < bytes) return errno_error(ENOMEM, "alloc_dma", "hugepages");
    if (locked && locked_now + bytes > limit) return memlock_error("", bytes, *this);
    void* p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return errno_error(errno, "alloc_dma", "anonymous");
    if (huge) hugepages -= bytes / (2u << 20);
    if (locked) locked_now += bytes;
    const auto first = reinterpret_cast<std::uintptr_t>(p) / kDmaPage;
    for (std::size_t i = 0; i < bytes / kDmaPage; ++i) frames_[first + i] = huge ? next_ + i : next_ + (i ^ 1) * 3;
    next_ += bytes / kDmaPage * 4 + 8;
    return Mapping{p, bytes};
  }
  Status lock(std::byte*, std::size_t bytes) override {
    ++locks;
    if (locked_now + bytes > limit) return memlock_error("", bytes, *this);
    locked_now += bytes;
    return {};
  }
  Result<std::vector<std::uint64_t>> pagemap(const std::byte* data, std::size_t pages) override {
    std::vector<std::uint64_t> entries;
    for (std::size_t i = 0; i < pages; ++i) {
      const std::uint64_t frame = frames_.at(reinterpret_cast<std::uintptr_t>(data) / kDmaPage + i);
      entries.push_back((absent_page == i ? 0 : 1ull << 63) | (hide_frames ? 0 : frame));
    }
    return entries;
  }
  std::uint64_t memlock_limit() override { return limit; }
  std::uint64_t locked_bytes() override { return locked_now; }

  // The memory at a physical address that pagemap gave out last.
  std::byte* at(std::uint64_t physical) const {
    for (const auto& [page, frame] : frames_)
      if (frame == physical / kDmaPage) return reinterpret_cast<std::byte*>(page * kDmaPage + physical % kDmaPage);
    return nullptr;
  }

  std::uint64_t limit = ~0ull, locked_now = 0;
  std::size_t hugepages = 64;
  bool hide_frames = false;
  std::size_t absent_page = ~std::size_t{0};
  int maps = 0, locks = 0;

 private:
  std::map<std::uintptr_t, std::uint64_t> frames_;
  std::uint64_t next_ = 0x100000;
};

}  // namespace hcq::pci::test
