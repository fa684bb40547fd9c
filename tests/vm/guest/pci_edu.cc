// SPDX-License-Identifier: MIT
// drivers/pci against a device that nobody here wrote: QEMU's "edu" (docs/specs/edu.txt in QEMU's source), inside a
// virtual machine, through the kernel's own VFIO or sysfs. Prints one verdict line a case for tests/vm/run.
//
// Usage: vm_pci_edu vfio|sysfs BDF
#include <fmt/format.h>
#include <linux/vfio.h>
#include <sys/ioctl.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "drivers/pci/sysfs.h"
#include "drivers/pci/vfio.h"
#include "drivers/pci/vfio_kernel.h"

namespace {

using namespace hcq;
using namespace std::chrono_literals;

// Registers of the edu device.
constexpr std::uint64_t kId = 0x00, kLiveness = 0x04, kFactorial = 0x08, kStatus = 0x20, kIrqStatus = 0x24,
                        kRaiseIrq = 0x60, kAckIrq = 0x64, kDmaSource = 0x80, kDmaDestination = 0x88, kDmaCount = 0x90,
                        kDmaCommand = 0x98;
constexpr std::uint32_t kDmaStart = 1, kDmaToHost = 2, kDmaInterrupt = 4, kDmaIrq = 0x100;
constexpr std::uint64_t kBuffer = 0x40000;  // the device's own 4 KiB
// QEMU 7.2 aborts on a transfer that ends exactly at the end of the buffer, so half of it is used.
constexpr std::uint32_t kBytes = 2048;
constexpr std::uint64_t kNeverMapped = 0xdead0000;
constexpr std::size_t kUnpooled = 4u << 20;  // the pool unmaps buffers of this size as soon as they are freed

void verdict(bool good, const std::string& name, const std::string& why = "") {
  if (good) fmt::print("vm: ok {}\n", name);
  else fmt::print("vm: not ok {}: {}\n", name, why);
  std::fflush(stdout);
}
void verdict(const Status& s, const std::string& name) { verdict(s.ok(), name, s.ok() ? "" : describe(s.error())); }

class Edu {
 public:
  Edu(pci::Function& f, pci::Mmio bar, std::string prefix) : f_(f), bar_(bar), prefix_(std::move(prefix)) {}

  void registers() {
    verdict(bar_.read32(kId) == 0x010000ed, prefix_ + ".bar_id", fmt::format("read {:#x}", bar_.read32(kId)));
    bar_.write32(kLiveness, 0x12345678);
    verdict(bar_.read32(kLiveness) == ~0x12345678u, prefix_ + ".bar_write");
    bar_.write32(kFactorial, 10);
    for (int i = 0; i < 1000000 && (bar_.read32(kStatus) & 1); ++i) {
    }
    verdict(bar_.read32(kFactorial) == 3628800, prefix_ + ".factorial");
    const auto vendor = f_.config_read(pci::kVendorId, 2);
    verdict(vendor.ok() && *vendor == 0x1234 && f_.identity().device == 0x11e8, prefix_ + ".config");
    const auto msi = pci::find_capability(f_, 0x05);
    verdict(msi.ok() && *msi != 0, prefix_ + ".msi_capability");
  }

  void interrupts() {
    auto irq = f_.irq();
    if (!irq.ok() || !*irq) return verdict(false, prefix_ + ".irq", irq.ok() ? "no interrupt" : describe(irq.error()));
    irq_ = *irq;
    // An MSI is a memory write by the device: without bus mastering none arrives.
    bar_.write32(kRaiseIrq, 0x1);
    auto none = irq_->wait(Deadline::in(50ms));
    verdict(none.ok() && !*none, prefix_ + ".irq_needs_bus_master");
    bar_.write32(kAckIrq, 0x1);
    verdict(pci::set_bus_master(f_, true), prefix_ + ".irq_bus_master");
    auto quiet = irq_->wait(Deadline::in(50ms));
    verdict(quiet.ok() && !*quiet, prefix_ + ".irq_quiet");
    bar_.write32(kRaiseIrq, 0x5);
    auto came = irq_->wait(Deadline::in(2s));
    verdict(came.ok() && *came && bar_.read32(kIrqStatus) == 0x5, prefix_ + ".irq_raised");
    bar_.write32(kAckIrq, 0x5);
    verdict(bar_.read32(kIrqStatus) == 0, prefix_ + ".irq_acknowledged");
  }

  void dma() {
    verdict(pci::set_bus_master(f_, true), prefix_ + ".bus_master");
    auto memory = f_.alloc_dma(8192, {});
    if (!memory.ok()) return verdict(false, prefix_ + ".alloc_dma", describe(memory.error()));
    auto* p = reinterpret_cast<std::uint8_t*>((*memory)->data());
    for (unsigned i = 0; i < kBytes; ++i) p[i] = static_cast<std::uint8_t>(i * 7 + 3);
    const auto from = (*memory)->pages()[0], to = (*memory)->pages()[1];
    verdict(transfer(from, kBuffer, 0) && transfer(kBuffer, to, kDmaToHost) && std::memcmp(p, p + 4096, kBytes) == 0,
            prefix_ + ".dma_both_ways");
    if (irq_) {
      bar_.write32(kAckIrq, ~0u);
      (void)irq_->wait(Deadline::in(10ms));
      transfer(from, kBuffer, kDmaInterrupt);
      auto came = irq_->wait(Deadline::in(2s));
      verdict(came.ok() && *came && bar_.read32(kIrqStatus) == kDmaIrq, prefix_ + ".dma_interrupt");
      bar_.write32(kAckIrq, ~0u);
    }
  }

  // Consecutive physical addresses beyond one page come from hugepages; the last bytes are where they should be.
  void contiguous() {
    constexpr std::size_t kSize = 3u << 19;
    auto memory = f_.alloc_dma(kSize, {.contiguous = true});
    if (!memory.ok()) return verdict(false, prefix_ + ".contiguous", describe(memory.error()));
    auto* p = reinterpret_cast<std::uint8_t*>((*memory)->data());
    const std::uint64_t first = (*memory)->pages()[0];
    bool consecutive = true;
    for (std::size_t i = 0; i < kSize / 4096; ++i) consecutive &= (*memory)->pages()[i] == first + i * 4096;
    verdict(consecutive, prefix_ + ".contiguous_pages");
    for (unsigned i = 0; i < kBytes; ++i) p[i] = static_cast<std::uint8_t>(i * 5 + 1);
    verdict(transfer(first, kBuffer, 0) && transfer(kBuffer, first + kSize - kBytes, kDmaToHost) &&
                std::memcmp(p, p + kSize - kBytes, kBytes) == 0,
            prefix_ + ".dma_across_hugepage");
  }

  // What the IOMMU blocks never arrives in either direction, and the kernel log names the address (the guest script
  // looks for both).
  void blocked_dma() {
    auto memory = f_.alloc_dma(4096, {});
    auto large = f_.alloc_dma(kUnpooled, {});
    if (!memory.ok() || !large.ok()) return verdict(false, prefix_ + ".blocked_dma", "no memory");
    auto* p = reinterpret_cast<std::uint8_t*>((*memory)->data());
    const auto good = (*memory)->pages()[0], freed = (*large)->pages()[0];
    const auto holds = [&](std::uint8_t value) {
      std::memset(p, 0, 4096);
      transfer(kBuffer, good, kDmaToHost);
      for (unsigned i = 0; i < kBytes; ++i)
        if (p[i] != value) return false;
      return true;
    };
    const auto load = [&](std::uint8_t value) {
      std::memset(p, value, 4096);
      transfer(good, kBuffer, 0);
    };
    load(0x5a);
    verdict(transfer(kBuffer, freed, kDmaToHost) && (*large)->data()[5] == std::byte{0x5a},
            prefix_ + ".dma_while_mapped");
    // QEMU hands the device zeros for what it could not read.
    transfer(kNeverMapped, kBuffer, 0);
    verdict(holds(0) || holds(0x5a), prefix_ + ".dma_from_unmapped_brings_nothing");
    large->reset();
    load(0xa5);
    transfer(kBuffer, freed, kDmaToHost);
    transfer(freed, kBuffer, 0);
    verdict(holds(0) || holds(0xa5), prefix_ + ".dma_after_unmap_brings_nothing");
    verdict(bar_.read32(kId) == 0x010000ed, prefix_ + ".alive_after_blocked_dma");
    fmt::print("blocked: never mapped {:#x}, unmapped again {:#x}\n", kNeverMapped, freed);
  }

  void reset() {
    bar_.write32(kLiveness, 0x1);
    verdict(f_.reset(), prefix_ + ".reset");
  }

 private:
  bool transfer(std::uint64_t source, std::uint64_t destination, std::uint32_t flags) {
    bar_.write64(kDmaSource, source);
    bar_.write64(kDmaDestination, destination);
    bar_.write64(kDmaCount, kBytes);
    bar_.write64(kDmaCommand, kDmaStart | flags);
    const auto deadline = Deadline::in(5s);
    while (bar_.read64(kDmaCommand) & kDmaStart)
      if (deadline.expired()) return false;
    return true;
  }
  pci::Function& f_;
  pci::Mmio bar_;
  std::string prefix_;
  pci::Irq* irq_ = nullptr;
};

// The system's VFIO, remembering the descriptors for a request that drivers/pci has no use for.
class Spy final : public pci::VfioKernel {
 public:
  Result<Fd> open(const std::string& path) override { return system_->open(path); }
  int control(const Fd& fd, unsigned long request, void* argument) override {
    const int r = system_->control(fd, request, argument);
    if (request == VFIO_GROUP_GET_DEVICE_FD) group = fd.get(), device = r;
    return r;
  }
  long read(const Fd& fd, void* data, std::size_t size, std::uint64_t offset) override {
    return system_->read(fd, data, size, offset);
  }
  long write(const Fd& fd, const void* data, std::size_t size, std::uint64_t offset) override {
    return system_->write(fd, data, size, offset);
  }
  Result<Mapping> map(const Fd& fd, std::uint64_t offset, std::size_t size) override {
    return system_->map(fd, offset, size);
  }
  int group = -1, device = -1;

 private:
  std::shared_ptr<pci::VfioKernel> system_ = pci::system_vfio();
};

// The reset of everything below the root port, which VFIO allows to whoever holds all of its groups.
void hot_reset(pci::Function& f, const Spy& spy) {
  alignas(vfio_pci_hot_reset) std::array<std::byte, sizeof(vfio_pci_hot_reset) + sizeof(std::int32_t)> request{};
  vfio_pci_hot_reset head{};
  head.argsz = request.size();
  head.count = 1;
  std::memcpy(request.data(), &head, sizeof head);
  std::memcpy(request.data() + sizeof head, &spy.group, sizeof spy.group);
  const int r = ::ioctl(spy.device, VFIO_DEVICE_PCI_HOT_RESET, request.data());
  verdict(r == 0, "vfio.hot_reset", fmt::format("errno {}", errno));
  const auto vendor = f.config_read(pci::kVendorId, 2);
  verdict(vendor.ok() && *vendor == 0x1234, "vfio.alive_after_hot_reset");
}

int run(pci::Function& f, const std::string& path) {
  auto bar = f.map_bar(0, pci::Caching::uncached);
  if (!bar.ok()) {
    verdict(false, path + ".map_bar", describe(bar.error()));
    return 1;
  }
  Edu edu(f, *bar, path);
  edu.registers();
  if (path == "vfio") edu.interrupts();
  edu.dma();
  if (path == "vfio") edu.blocked_dma();
  else edu.contiguous();
  edu.reset();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: vm_pci_edu vfio|sysfs BDF\n");
    return 2;
  }
  const std::string path = argv[1];
  if (path == "vfio") {
    const auto spy = std::make_shared<Spy>();
    auto f = pci::VfioFunction::open(pci::Host::system(), argv[2], {}, spy);
    verdict(f.ok(), "vfio.open", f.ok() ? "" : describe(f.error()));
    if (!f.ok() || run(**f, path) != 0) return 1;
    hot_reset(**f, *spy);
    return 0;
  }
  auto f = pci::SysfsFunction::open(pci::Host::system(), argv[2], {});
  verdict(f.ok(), "sysfs.open", f.ok() ? "" : describe(f.error()));
  return f.ok() ? run(**f, path) : 1;
}
