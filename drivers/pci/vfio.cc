// SPDX-License-Identifier: MIT
// The interface is described in the Linux kernel's linux/vfio.h and Documentation/driver-api/vfio.rst.
#include "drivers/pci/vfio.h"

#include <fmt/format.h>
#include <linux/vfio.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/log.h"

namespace hcq::pci {

namespace {

// Each container has its own I/O addresses, so each is a peer group of its own.
std::uint64_t next_peer_group() {
  static std::atomic<std::uint64_t> next{1ull << 32};
  return next.fetch_add(1);
}

Result<unsigned> iommu_group(const Host& host, const std::string& bdf) {
  const std::string text = link_name(host.device_directory(bdf) + "/iommu_group");
  unsigned group = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), group);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    return Error{.code = Errc::unsupported,
                 .device = bdf,
                 .operation = "open",
                 .subject = "iommu_group",
                 .detail = "the function has no IOMMU group: the IOMMU is off and the kernel has no no-IOMMU mode",
                 .hint = "switch the IOMMU on in the firmware setup (intel_iommu=on for Intel), or use ?via=sysfs"};
  return group;
}

}  // namespace

// Accesses through the device file instead of a mapping.
class VfioFunction::RegionMmio final : public MmioBackend {
 public:
  RegionMmio(VfioFunction& f, Region region) : f_(f), region_(region) {}
  std::uint64_t read(std::uint64_t offset, unsigned size) override {
    std::uint64_t v = 0;
    return f_.kernel_->read(f_.device_, &v, size, region_.offset + offset) == static_cast<long>(size) ? v : ~0ull;
  }
  void write(std::uint64_t offset, unsigned size, std::uint64_t value) override {
    if (f_.kernel_->write(f_.device_, &value, size, region_.offset + offset) != static_cast<long>(size))
      log::debug("{}: write at BAR offset {:#x} was dropped", f_.name(), offset);
  }
  void read_block(std::uint64_t offset, MutableBytes out) override {
    if (f_.kernel_->read(f_.device_, out.data(), out.size(), region_.offset + offset) != static_cast<long>(out.size()))
      std::memset(out.data(), 0xff, out.size());
  }
  void write_block(std::uint64_t offset, Bytes in) override {
    if (f_.kernel_->write(f_.device_, in.data(), in.size(), region_.offset + offset) != static_cast<long>(in.size()))
      log::debug("{}: write at BAR offset {:#x} was dropped", f_.name(), offset);
  }

 private:
  VfioFunction& f_;
  Region region_;
};

VfioFunction::VfioFunction(const Host& host, Claim claim, DriverBinding binding, std::shared_ptr<VfioKernel> kernel)
    : host_(host),
      info_(std::move(claim.info)),
      kernel_(std::move(kernel)),
      lock_(std::make_unique<DeviceLock>(std::move(claim.lock))),
      binding_(std::make_unique<DriverBinding>(std::move(binding))) {}

Result<std::unique_ptr<VfioFunction>> VfioFunction::open(const Host& host, const std::string& bdf, VfioOptions options,
                                                         std::shared_ptr<VfioKernel> kernel,
                                                         std::shared_ptr<MemoryKernel> memory) {
  if (!kernel) kernel = system_vfio();
  if (!memory) memory = system_memory(host);
  Claim claimed = HCQ_TRY(claim(host, bdf));
  // Before a driver is unbound in vain. The group of a function in no-IOMMU mode exists only once vfio-pci has it.
  if (claimed.info.iommu_group) HCQ_TRY(check_group(host, bdf, *claimed.info.iommu_group));
  DriverBinding binding = HCQ_TRY(DriverBinding::to_vfio(host, bdf, options.unbind_driver));
  auto f = std::unique_ptr<VfioFunction>(new VfioFunction(host, std::move(claimed), std::move(binding), kernel));
  const unsigned group = HCQ_TRY(iommu_group(host, bdf));
  f->container_ = HCQ_TRY(open_container(host, bdf, group, kernel));
  if (!f->container_->noiommu) f->peers_ = next_peer_group();
  f->pool_ = DmaPool::create(bdf, memory, std::make_unique<VfioMapper>(host, bdf, f->container_, memory, options.dma));
  HCQ_TRY(f->open_device());
  HCQ_TRY(f->enable_memory());
  f->announce();
  return f;
}

VfioFunction::~VfioFunction() {
  if (Status s = close(); !s) log::warn("{}", describe(s.error()));
}

Error VfioFunction::failed(int err, const char* operation, const std::string& subject) const {
  if (err == ENODEV) return device_gone(name(), operation, subject);
  return on_device(errno_error(err, operation, subject), name());
}

Result<VfioFunction::Region> VfioFunction::query_region(unsigned index) {
  vfio_region_info info{};
  info.argsz = sizeof info;
  info.index = index;
  if (const int r = kernel_->control(device_, VFIO_DEVICE_GET_REGION_INFO, &info); r < 0)
    return failed(-r, "vfio/region_info", fmt::format("region {}", index));
  constexpr std::uint32_t kAccess = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
  if ((info.flags & kAccess) != kAccess) return Region{};
  return Region{info.offset, info.size, (info.flags & VFIO_REGION_INFO_FLAG_MMAP) != 0};
}

Status VfioFunction::open_device() {
  std::string argument = name();
  const int fd = kernel_->control(container_->group, VFIO_GROUP_GET_DEVICE_FD, argument.data());
  if (fd < 0) return failed(-fd, "vfio/device", name());
  device_ = Fd{fd};
  vfio_device_info info{};
  info.argsz = sizeof info;
  if (const int r = kernel_->control(device_, VFIO_DEVICE_GET_INFO, &info); r < 0)
    return failed(-r, "vfio/device_info", name());
  if (!(info.flags & VFIO_DEVICE_FLAGS_PCI) || info.num_regions <= VFIO_PCI_CONFIG_REGION_INDEX)
    return Error{.code = Errc::unsupported,
                 .device = name(),
                 .operation = "vfio/device_info",
                 .detail = "VFIO does not show it as a PCI function"};
  can_reset_ = (info.flags & VFIO_DEVICE_FLAGS_RESET) != 0;
  for (unsigned i = 0; i < regions_.size(); ++i)
    if (info_.bars[i].is_memory()) regions_[i] = HCQ_TRY(query_region(VFIO_PCI_BAR0_REGION_INDEX + i));
  config_ = HCQ_TRY(query_region(VFIO_PCI_CONFIG_REGION_INDEX));
  return {};
}

// An access to a mapped BAR whose memory decoding is off raises SIGBUS.
Status VfioFunction::enable_memory() {
  const std::uint32_t vendor = HCQ_TRY(config_read(kVendorId, 2));
  if (vendor != info_.identity.vendor)
    return Error{.code = Errc::corrupt,
                 .device = name(),
                 .operation = "open",
                 .subject = "VENDOR_ID",
                 .expected = info_.identity.vendor,
                 .actual = vendor,
                 .detail = "config space and sysfs disagree"};
  const std::uint32_t command = HCQ_TRY(config_read(kCommand, 2));
  return config_write(kCommand, 2, command | kCommandMemory);
}

// For a process that ends without close().
void VfioFunction::announce() {
  const std::string& driver = binding_->previous_driver();
  open_.emplace(name(), OpenFunction::Access{
                            .read_command = [this] { return read_config_bytes(kCommand, 2); },
                            .write_command = [this](std::uint32_t v) { return write_config_bytes(kCommand, 2, v); },
                            .note = driver.empty() ? "" : "its kernel driver " + driver + " stays unbound"});
}

Status VfioFunction::close() {
  Status first;
  if (device_.valid() && !lost_ && config_.size)
    if (Status s = set_bus_master(*this, false); !s && s.error().code != Errc::device_lost) first = std::move(s);
  open_.reset();
  for (Mapping& m : mapped_) m.reset();
  irq_.reset();
  device_.reset();
  pool_.reset();
  container_.reset();
  if (binding_)
    if (Status s = binding_->restore(); !s && first) first = std::move(s);
  binding_.reset();
  lock_.reset();
  return first;
}

Result<std::uint32_t> VfioFunction::read_config_bytes(std::uint16_t offset, unsigned size) const {
  std::uint32_t value = 0;
  const long n = kernel_->read(device_, &value, size, config_.offset + offset);
  if (n < 0) return failed(static_cast<int>(-n), "config/read", "config");
  if (n != static_cast<long>(size))
    return Error{.code = Errc::io,
                 .device = name(),
                 .operation = "config/read",
                 .address = offset,
                 .detail = "config space ends before this offset"};
  return value;
}

// The kernel answers reads of the vendor id, the device id and part of COMMAND from a copy of its own, so they say
// nothing about the device (init_pci_cap_basic_perm() in drivers/vfio/pci/vfio_pci_config.c). Revision and class code
// come from the device, and no class code is all ones.
Status VfioFunction::check_present() {
  const std::uint32_t class_and_revision = HCQ_TRY(read_config_bytes(kRevision, 4));
  if (class_and_revision != 0xffffffff) return {};
  lost_ = true;
  Error e = device_gone(name(), "config/read", "CLASS_CODE");
  e.actual = class_and_revision;
  return e;
}

Result<std::uint32_t> VfioFunction::config_read(std::uint16_t offset, unsigned size) {
  HCQ_TRY(check_config_access(name(), offset, size));
  const std::uint32_t value = HCQ_TRY(read_config_bytes(offset, size));
  // Elsewhere all ones may be a legal value, but only of a device that is there.
  if (offset < kStatus || (size >= 2 && value == all_ones(size))) HCQ_TRY(check_present());
  return value;
}

Status VfioFunction::config_write(std::uint16_t offset, unsigned size, std::uint32_t value) {
  HCQ_TRY(check_config_access(name(), offset, size));
  return write_config_bytes(offset, size, value);
}

Status VfioFunction::write_config_bytes(std::uint16_t offset, unsigned size, std::uint32_t value) const {
  const long n = kernel_->write(device_, &value, size, config_.offset + offset);
  if (n != static_cast<long>(size)) return failed(n < 0 ? static_cast<int>(-n) : EIO, "config/write", "config");
  // A read of the same register returns only after the write has arrived.
  HCQ_TRY(read_config_bytes(offset, size));
  return {};
}

std::uint64_t VfioFunction::bar_size(unsigned index) const {
  return index < regions_.size() ? regions_[index].size : 0;
}

std::uint64_t VfioFunction::bar_address(unsigned index) const {
  return container_ && container_->noiommu && bar_size(index) ? info_.bars[index].start : 0;
}

Result<Mmio> VfioFunction::map_bar(unsigned index, Caching) {
  const std::uint64_t size = bar_size(index);
  if (size == 0)
    return Error{.code = Errc::not_found,
                 .device = name(),
                 .operation = "map_bar",
                 .subject = fmt::format("BAR {}", index),
                 .detail = "the function has no such memory BAR"};
  const Region& region = regions_[index];
  if (!region.mappable) {
    if (!unmapped_[index]) unmapped_[index] = std::make_unique<RegionMmio>(*this, region);
    return Mmio(unmapped_[index].get(), size);
  }
  if (!mapped_[index].data()) {
    auto m = kernel_->map(device_, region.offset, size);
    if (!m.ok()) return on_device(std::move(m).error(), name());
    mapped_[index] = std::move(*m);
  }
  return Mmio(reinterpret_cast<volatile std::byte*>(mapped_[index].data()), size);
}

Result<std::uint64_t> VfioFunction::resize_bar(unsigned index) {
  if (path_exists(fmt::format("{}/resource{}_resize", host_.device_directory(name()), index)) &&
      !std::exchange(said_resize_, true))
    log::info("{}: BAR {} keeps its size under VFIO; open it once with ?via=sysfs to resize it", name(), index);
  return bar_size(index);
}

Result<std::unique_ptr<DmaMemory>> VfioFunction::alloc_dma(std::size_t bytes, DmaOptions options) {
  return pool_->alloc(bytes, options);
}

Status VfioFunction::reset() {
  if (!can_reset_)
    return Error{.code = Errc::unsupported,
                 .device = name(),
                 .operation = "reset",
                 .detail = "the kernel knows no way to reset this function alone"};
  if (const int r = kernel_->control(device_, VFIO_DEVICE_RESET, nullptr); r < 0)
    return failed(-r, "reset", "VFIO_DEVICE_RESET");
  HCQ_TRY(config_read(kVendorId, 2));
  return {};
}

Result<unsigned> VfioFunction::pick_irq_index() {
  for (const unsigned index : {VFIO_PCI_MSIX_IRQ_INDEX, VFIO_PCI_MSI_IRQ_INDEX}) {
    vfio_irq_info info{};
    info.argsz = sizeof info;
    info.index = index;
    if (const int r = kernel_->control(device_, VFIO_DEVICE_GET_IRQ_INFO, &info); r < 0)
      return failed(-r, "vfio/irq_info", fmt::format("irq {}", index));
    if (info.count > 0 && (info.flags & VFIO_IRQ_INFO_EVENTFD)) return index;
  }
  return unsigned{VFIO_PCI_NUM_IRQS};
}

Result<Irq*> VfioFunction::irq() {
  if (irq_) return irq_.get();
  const unsigned index = HCQ_TRY(pick_irq_index());
  if (index == VFIO_PCI_NUM_IRQS) return nullptr;
  auto irq = HCQ_TRY(EventIrq::create());
  const std::int32_t fd = irq->fd();
  alignas(vfio_irq_set) std::array<std::byte, sizeof(vfio_irq_set) + sizeof fd> request{};
  vfio_irq_set head{};
  head.argsz = request.size();
  head.flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER;
  head.index = index;
  head.count = 1;
  std::memcpy(request.data(), &head, sizeof head);
  std::memcpy(request.data() + sizeof head, &fd, sizeof fd);
  if (const int r = kernel_->control(device_, VFIO_DEVICE_SET_IRQS, request.data()); r < 0)
    return failed(-r, "irq", "VFIO_DEVICE_SET_IRQS");
  irq_ = std::move(irq);
  return irq_.get();
}

}  // namespace hcq::pci
