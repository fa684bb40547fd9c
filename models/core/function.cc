// SPDX-License-Identifier: MIT
// attach(): a pci::Function whose other side is a model in this process. It also plays the host's firmware: BARs get
// addresses and memory decoding is switched on, as on a machine that has booted; bus mastering is left off.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>

#include "drivers/pci/event_irq.h"
#include "drivers/pci/open_functions.h"
#include "models/core/host_memory.h"

namespace hcq::models {

namespace {

constexpr std::uint8_t kCapabilityMsi = 0x05;
constexpr std::uint16_t kMsiControl = 2, kMsiAddressLow = 4, kMsiEnable = 1u << 0, kMsi64 = 1u << 7;
constexpr std::uint32_t kBar64 = 1u << 2;

class BarBackend final : public pci::MmioBackend {
 public:
  BarBackend(Device& device, unsigned bar) : device_(device), bar_(bar) {}
  std::uint64_t read(std::uint64_t offset, unsigned size) override { return device_.read(bar_, offset, size); }
  void write(std::uint64_t offset, unsigned size, std::uint64_t value) override {
    device_.write(bar_, offset, size, value);
  }
  void read_block(std::uint64_t offset, MutableBytes out) override { device_.read_block(bar_, offset, out); }
  void write_block(std::uint64_t offset, Bytes in) override { device_.write_block(bar_, offset, in); }

 private:
  Device& device_;
  unsigned bar_;
};

// Which models are attached; the model's counterpart of a lock file.
class Attached {
 public:
  static bool take(Device* d) {
    const std::lock_guard lock(mutex());
    return set().insert(d).second;
  }
  static void release(Device* d) {
    const std::lock_guard lock(mutex());
    set().erase(d);
  }

 private:
  // Never destroyed: a device that its user keeps in a static object is closed after this file's statics would be gone.
  static std::mutex& mutex() {
    static auto& m = *new std::mutex;
    return m;
  }
  static std::set<Device*>& set() {
    static auto& s = *new std::set<Device*>;
    return s;
  }
};

class ModelFunction final : public pci::Function {
 public:
  ModelFunction(std::string name, std::shared_ptr<Device> device, const Options& options,
                std::shared_ptr<HostMemory> host)
      : name_(std::move(name)), device_(std::move(device)), options_(options), host_(std::move(host)) {}
  ~ModelFunction() override {
    open_.reset();
    // A host that closes a device stops it from writing to memory that is about to be somebody else's.
    write_command(read_command() & ~std::uint32_t{pci::kCommandBusMaster});
    device_->unplug();
    host_->set_irq(nullptr);
    Attached::release(device_.get());
  }

  Status start();

  const std::string& name() const override { return name_; }
  const pci::Identity& identity() const override { return identity_; }
  Result<std::uint32_t> config_read(std::uint16_t offset, unsigned size) override;
  Status config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override;
  std::uint64_t bar_size(unsigned index) const override { return index < 6 ? device_->bar_size(index) : 0; }
  Result<pci::Mmio> map_bar(unsigned index, pci::Caching caching) override;
  std::uint64_t bar_address(unsigned index) const override;
  Result<std::uint64_t> resize_bar(unsigned index) override;
  Result<std::unique_ptr<pci::DmaMemory>> alloc_dma(std::size_t bytes, pci::DmaOptions options) override {
    return host_->allocate(bytes, options);
  }
  Status reset() override;
  Result<pci::Irq*> irq() override;
  std::uint64_t peer_group() const override { return reinterpret_cast<std::uintptr_t>(device_.get()); }

 private:
  std::uint32_t read_command() { return device_->config_read(pci::kCommand, 2); }
  void write_command(std::uint32_t v) { (void)config_write(pci::kCommand, 2, v); }
  Status stop_dma(std::uint32_t command);
  void place_bars();

  std::string name_;
  std::shared_ptr<Device> device_;
  Options options_;
  std::shared_ptr<HostMemory> host_;
  pci::Identity identity_;
  std::array<std::unique_ptr<BarBackend>, 6> bars_;
  std::array<std::uint64_t, 6> addresses_{};
  std::unique_ptr<pci::EventIrq> irq_;
  std::optional<pci::OpenFunction> open_;
};

Status ModelFunction::start() {
  device_->plug(host_.get());
  identity_.vendor = static_cast<std::uint16_t>(device_->config_read(pci::kVendorId, 2));
  if (identity_.vendor == 0xffff)
    return Error{.code = Errc::device_lost,
                 .device = name_,
                 .operation = "open",
                 .subject = "VENDOR_ID",
                 .actual = 0xffff,
                 .detail = "the model does not answer on the bus"};
  identity_.device = static_cast<std::uint16_t>(device_->config_read(pci::kDeviceId, 2));
  identity_.subsystem_vendor = static_cast<std::uint16_t>(device_->config_read(pci::kSubsystemVendor, 2));
  identity_.subsystem_device = static_cast<std::uint16_t>(device_->config_read(pci::kSubsystemId, 2));
  const std::uint32_t revision_class = device_->config_read(pci::kRevision, 4);
  identity_.revision = static_cast<std::uint8_t>(revision_class);
  identity_.class_code = revision_class >> 8;
  place_bars();
  write_command((read_command() | pci::kCommandMemory) & ~std::uint32_t{pci::kCommandBusMaster});
  open_.emplace(name_,
                pci::OpenFunction::Access{.read_command = [this]() -> Result<std::uint32_t> { return read_command(); },
                                          .write_command = [this](std::uint32_t v) { return stop_dma(v); }});
  return {};
}

// The host ends in the middle of its work. An engine that still runs finds its way to memory closed, which is what is
// wanted here and no reason for a model in this process to stop the program with a message of its own.
Status ModelFunction::stop_dma(std::uint32_t command) {
  if (device_->referee().policy() == Policy::abort) device_->referee().set_policy(Policy::silicon);
  device_->config_write(pci::kCommand, 2, command);
  host_->set_bus_master(false);
  return {};
}

// Addresses are invented; what matters is that each BAR has one, aligned to its size. The device decodes nothing until
// they are written.
void ModelFunction::place_bars() {
  std::uint64_t next64 = 0x40'0000'0000, next32 = 0xe000'0000;
  for (unsigned i = 0; i < 6; ++i) {
    const std::uint64_t size = device_->bar_size(i);
    if (!size) continue;
    const auto at = static_cast<std::uint16_t>(pci::kBar0 + 4 * i);
    const bool wide = device_->config_read(at, 4) & kBar64;
    std::uint64_t& next = wide ? next64 : next32;
    addresses_[i] = round_up(next, size);
    next = addresses_[i] + size;
    device_->config_write(at, 4, lo32(addresses_[i]));
    if (wide) device_->config_write(static_cast<std::uint16_t>(at + 4), 4, hi32(addresses_[i]));
  }
}

Result<std::uint32_t> ModelFunction::config_read(std::uint16_t offset, unsigned size) {
  if ((size != 1 && size != 2 && size != 4) || offset % size || offset + size > 4096)
    return Error{.code = Errc::invalid_argument, .device = name_, .operation = "config/read", .address = offset};
  return device_->config_read(offset, size);
}

Status ModelFunction::config_write(std::uint16_t offset, unsigned size, std::uint32_t value) {
  if ((size != 1 && size != 2 && size != 4) || offset % size || offset + size > 4096)
    return Error{.code = Errc::invalid_argument, .device = name_, .operation = "config/write", .address = offset};
  if (offset == pci::kCommand) host_->set_bus_master(value & pci::kCommandBusMaster);
  device_->config_write(offset, size, value);
  return {};
}

Result<pci::Mmio> ModelFunction::map_bar(unsigned index, pci::Caching /*caching*/) {
  const std::uint64_t size = bar_size(index);
  if (!size)
    return Error{
        .code = Errc::not_found, .device = name_, .operation = "bar/map", .subject = fmt::format("BAR{}", index)};
  if (const SharedBar shared = device_->shared_bar(index); shared.data && shared.size >= size)
    return pci::Mmio(shared.data, size);
  if (!bars_[index]) bars_[index] = std::make_unique<BarBackend>(*device_, index);
  return pci::Mmio(bars_[index].get(), size);
}

std::uint64_t ModelFunction::bar_address(unsigned index) const { return index < 6 ? addresses_[index] : 0; }

Result<std::uint64_t> ModelFunction::resize_bar(unsigned index) {
  if (!bar_size(index))
    return Error{
        .code = Errc::not_found, .device = name_, .operation = "bar/resize", .subject = fmt::format("BAR{}", index)};
  const std::uint64_t sizes = device_->resizable_sizes(index);
  const std::uint64_t now = bar_size(index) >> 20;
  if (sizes && std::bit_floor(sizes) > now) {
    // As the kernel does: memory decoding is off while a BAR changes size and place.
    const std::uint32_t command = read_command();
    write_command(command & ~std::uint32_t{pci::kCommandMemory});
    device_->resize_bar(index, static_cast<unsigned>(std::bit_width(sizes) - 1));
    place_bars();
    write_command(command);
  }
  return bar_size(index);
}

Status ModelFunction::reset() {
  // As the kernel does for a function reset: config space is saved and restored around it.
  std::array<std::uint32_t, 64> saved{};
  for (unsigned i = 0; i < saved.size(); ++i) saved[i] = device_->config_read(static_cast<std::uint16_t>(4 * i), 4);
  device_->function_reset();
  host_->set_bus_master(false);
  for (unsigned i = saved.size(); i-- > 0;)
    if (i != 1) device_->config_write(static_cast<std::uint16_t>(4 * i), 4, saved[i]);
  write_command(saved[1] & 0xffff);
  return {};
}

Result<pci::Irq*> ModelFunction::irq() {
  if (irq_) return irq_.get();
  if (!options_.interrupts) return nullptr;
  const std::uint16_t msi = HCQ_TRY(pci::find_capability(*this, kCapabilityMsi));
  if (!msi) return nullptr;
  irq_ = HCQ_TRY(pci::EventIrq::create());
  host_->set_irq(irq_.get());
  const std::uint32_t control = device_->config_read(static_cast<std::uint16_t>(msi + kMsiControl), 2);
  device_->config_write(static_cast<std::uint16_t>(msi + kMsiAddressLow), 4, 0xfee0'0000);
  const unsigned data = control & kMsi64 ? 12 : 8;
  device_->config_write(static_cast<std::uint16_t>(msi + data), 2, 0x4021);
  device_->config_write(static_cast<std::uint16_t>(msi + kMsiControl), 2, control | kMsiEnable);
  return irq_.get();
}

}  // namespace

Result<std::unique_ptr<pci::Function>> attach(std::string name, std::shared_ptr<Device> device, const Options& options,
                                              std::shared_ptr<HostMemory> host) {
  if (!Attached::take(device.get()))
    return Error{.code = Errc::busy,
                 .device = std::move(name),
                 .operation = "open",
                 .detail = "the model is already attached in this process",
                 .hint = "Close the other user first."};
  auto f = std::make_unique<ModelFunction>(std::move(name), std::move(device), options, std::move(host));
  HCQ_TRY(f->start());
  return std::unique_ptr<pci::Function>(std::move(f));
}

Result<std::unique_ptr<pci::Function>> attach(std::string name, std::shared_ptr<Device> device,
                                              const Options& options) {
  auto host = std::make_shared<HostMemory>(name, options.seed);
  return attach(std::move(name), std::move(device), options, std::move(host));
}

}  // namespace hcq::models
