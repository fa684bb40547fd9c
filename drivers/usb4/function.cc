// SPDX-License-Identifier: MIT
#include "drivers/usb4/function.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "drivers/pci/open_functions.h"
#include "drivers/usb4/bars.h"
#include "drivers/usb4/topology.h"

namespace hcq::usb4 {
namespace {

constexpr std::uint16_t kResizableBar = 0x0015;
constexpr unsigned kStreamFrom = 16;  // bytes; below, single requests need fewer transfers

// A BAR through the bridge's requests. An access that fails reads as all ones, as after a PCI master abort; the bridge
// keeps the reason when the device is lost.
class BarBackend final : public pci::MmioBackend {
 public:
  BarBackend(Bridge& bridge, Bdf function, std::uint64_t address)
      : bridge_(bridge), function_(function), address_(address) {}

  std::uint64_t read(std::uint64_t offset, unsigned size) override {
    if (size == 8) return read(offset, 4) | read(offset + 4, 4) << 32;
    const auto v = bridge_.memory_read(address_ + offset, size);
    return v.ok() ? *v : ~0ull;
  }
  void write(std::uint64_t offset, unsigned size, std::uint64_t value) override {
    if (size == 8) {
      write(offset, 4, lo32(value));
      return write(offset + 4, 4, hi32(value));
    }
    (void)bridge_.memory_write(address_ + offset, size, lo32(value));
  }
  void read_block(std::uint64_t offset, MutableBytes out) override {
    while (!out.empty()) {
      std::size_t n = 1;
      if (offset % 4 == 0 && out.size() >= kStreamFrom) {
        n = out.size() & ~std::size_t{3};
        if (!stream_read(offset, out.first(n))) std::memset(out.data(), 0xff, n);
      } else {
        n = offset % 4 == 0 && out.size() >= 4 ? 4 : 1;
        const auto v = static_cast<std::uint32_t>(read(offset, static_cast<unsigned>(n)));
        std::memcpy(out.data(), &v, n);
      }
      out = out.subspan(n);
      offset += n;
    }
  }
  void write_block(std::uint64_t offset, Bytes in) override {
    while (!in.empty()) {
      std::size_t n = 1;
      if (offset % 4 == 0 && in.size() >= kStreamFrom) {
        n = in.size() & ~std::size_t{3};
        (void)bridge_.stream_write(address_ + offset, in.first(n));
      } else {
        n = offset % 4 == 0 && in.size() >= 4 ? 4 : 1;
        std::uint32_t v = 0;
        std::memcpy(&v, in.data(), n);
        write(offset, static_cast<unsigned>(n), v);
      }
      in = in.subspan(n);
      offset += n;
    }
  }

 private:
  // A stream returns stale bytes where nothing answers: a single request proves that the device decodes its memory.
  bool stream_read(std::uint64_t offset, MutableBytes out) {
    if (!bridge_.stream_read(address_ + offset, out).ok()) return false;
    const auto command = bridge_.config_read(function_, pci::kCommand, 2);
    return command.ok() && *command != 0xffff && (*command & pci::kCommandMemory);
  }

  Bridge& bridge_;
  Bdf function_;
  std::uint64_t address_;
};

class UsbFunction final : public pci::Function {
 public:
  UsbFunction(std::unique_ptr<Bridge> bridge, const OpenOptions& options)
      : bridge_(std::move(bridge)), options_(options) {}
  ~UsbFunction() override {
    open_.reset();
    if (!started_ || bridge_->lost()) return;
    const auto command = bridge_->config_read(at_, pci::kCommand, 2);
    if (command.ok() && *command != 0xffff)
      (void)bridge_->config_write(at_, pci::kCommand, 2, *command & ~std::uint32_t{pci::kCommandBusMaster});
  }

  Status start() {
    HCQ_TRY(bring_up());
    HCQ_TRY(read_identity());
    started_ = true;
    open_.emplace(name(), pci::OpenFunction::Access{
                              .read_command = [this] { return bridge_->config_read(at_, pci::kCommand, 2); },
                              .write_command =
                                  [this](std::uint32_t v) { return bridge_->config_write(at_, pci::kCommand, 2, v); }});
    return {};
  }

  const std::string& name() const override { return bridge_->name(); }
  const pci::Identity& identity() const override { return identity_; }

  Result<std::uint32_t> config_read(std::uint16_t offset, unsigned size) override {
    HCQ_TRY(check_config(offset, size, "config/read"));
    return bridge_->config_read(at_, offset, size);
  }
  Status config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override {
    HCQ_TRY(check_config(offset, size, "config/write"));
    return bridge_->config_write(at_, offset, size, value);
  }
  std::uint64_t bar_size(unsigned index) const override { return index < 6 ? bars_[index].size : 0; }
  std::uint64_t bar_address(unsigned index) const override { return index < 6 ? bars_[index].address : 0; }

  Result<pci::Mmio> map_bar(unsigned index, pci::Caching /*caching*/) override {
    if (!bar_size(index))
      return Error{
          .code = Errc::not_found, .device = name(), .operation = "bar/map", .subject = fmt::format("BAR{}", index)};
    if (!views_[index]) views_[index] = std::make_unique<BarBackend>(*bridge_, at_, bars_[index].address);
    return pci::Mmio(views_[index].get(), bars_[index].size);
  }

  Result<std::uint64_t> resize_bar(unsigned index) override;

  Result<std::unique_ptr<pci::DmaMemory>> alloc_dma(std::size_t bytes, pci::DmaOptions /*options*/) override {
    if (bytes == 0) return Error{.code = Errc::invalid_argument, .device = name(), .operation = "dma/alloc"};
    return Error{.code = Errc::unsupported,
                 .device = name(),
                 .operation = "dma/alloc",
                 .actual = bytes,
                 .detail = "a device behind a USB bridge reaches no memory of this machine",
                 .hint = "Keep rings and signals in the device's own memory."};
  }

  // The only reset that a bridge offers for what is behind it: power off and on.
  Status reset() override {
    HCQ_TRY(bridge_->power(false));
    const Bars before = bars_;
    HCQ_TRY(bring_up());
    for (unsigned i = 0; i < 6; ++i)
      if (bars_[i].size != before[i].size || bars_[i].address != before[i].address) views_[i].reset();
    return {};
  }
  Result<pci::Irq*> irq() override { return nullptr; }
  std::uint64_t peer_group() const override { return reinterpret_cast<std::uintptr_t>(bridge_.get()); }

 private:
  Status bring_up();
  Status read_identity();
  Status place_bars(std::uint32_t command);
  Result<std::uint16_t> resizable_entry(unsigned bar);
  Status check_config(std::uint16_t offset, unsigned size, const char* operation) const {
    if ((size == 1 || size == 2 || size == 4) && offset % size == 0 && offset + size <= 4096) return {};
    return Error{.code = Errc::invalid_argument, .device = name(), .operation = operation, .address = offset};
  }

  std::unique_ptr<Bridge> bridge_;
  OpenOptions options_;
  Bdf at_;
  pci::Identity identity_;
  Bars bars_;
  std::array<std::unique_ptr<BarBackend>, 6> views_;
  bool started_ = false;
  std::optional<pci::OpenFunction> open_;
};

Status UsbFunction::bring_up() {
  HCQ_TRY(bridge_->bring_up_link(Deadline::in(options_.link_timeout)));
  at_ = HCQ_TRY(enumerate(*bridge_));
  return place_bars(pci::kCommandMemory);
}

// Decoding is off while BARs move.
Status UsbFunction::place_bars(std::uint32_t command) {
  HCQ_TRY(bridge_->config_write(at_, pci::kCommand, 2, 0));
  bars_ = HCQ_TRY(assign_bars(*bridge_, at_));
  return bridge_->config_write(at_, pci::kCommand, 2, command);
}

Status UsbFunction::read_identity() {
  const std::uint32_t id = HCQ_TRY(bridge_->config_read(at_, pci::kVendorId, 4));
  const std::uint32_t subsystem = HCQ_TRY(bridge_->config_read(at_, pci::kSubsystemVendor, 4));
  const std::uint32_t revision_class = HCQ_TRY(bridge_->config_read(at_, pci::kRevision, 4));
  identity_ = {.vendor = static_cast<std::uint16_t>(id),
               .device = static_cast<std::uint16_t>(id >> 16),
               .subsystem_vendor = static_cast<std::uint16_t>(subsystem),
               .subsystem_device = static_cast<std::uint16_t>(subsystem >> 16),
               .class_code = revision_class >> 8,
               .revision = static_cast<std::uint8_t>(revision_class)};
  return {};
}

// Offset of the capability's entry for this BAR, 0 for none (PCI Express Base 4.0, section 7.8.6).
Result<std::uint16_t> UsbFunction::resizable_entry(unsigned bar) {
  const std::uint16_t capability = HCQ_TRY(pci::find_extended_capability(*this, kResizableBar));
  if (!capability) return std::uint16_t{0};
  const unsigned entries = HCQ_TRY(config_read(static_cast<std::uint16_t>(capability + 8), 4)) >> 5 & 7;
  for (unsigned i = 0; i < entries; ++i) {
    const auto entry = static_cast<std::uint16_t>(capability + 4 + 8 * i);
    if ((HCQ_TRY(config_read(static_cast<std::uint16_t>(entry + 4), 4)) & 7) == bar) return entry;
  }
  return std::uint16_t{0};
}

Result<std::uint64_t> UsbFunction::resize_bar(unsigned index) {
  // A BAR that is not there has no size to change.
  if (!bar_size(index)) return std::uint64_t{0};
  const std::uint16_t entry = HCQ_TRY(resizable_entry(index));
  if (!entry) return bar_size(index);
  const std::uint32_t sizes = HCQ_TRY(config_read(entry, 4)) >> 4;
  const auto control_at = static_cast<std::uint16_t>(entry + 4);
  if (sizes == 0 || std::bit_floor(std::uint64_t{sizes}) <= bar_size(index) >> 20) return bar_size(index);
  const std::uint32_t command = HCQ_TRY(config_read(pci::kCommand, 2));
  HCQ_TRY(config_write(pci::kCommand, 2, 0));
  const std::uint32_t control = HCQ_TRY(config_read(control_at, 4));
  const auto largest = static_cast<std::uint32_t>(std::bit_width(sizes) - 1);
  HCQ_TRY(config_write(control_at, 4, (control & ~0x3f00u) | largest << 8));
  for (auto& v : views_) v.reset();
  HCQ_TRY(place_bars(command));
  return bar_size(index);
}

}  // namespace

Result<std::unique_ptr<pci::Function>> open(std::string name, std::unique_ptr<Transport> transport,
                                            const OpenOptions& options) {
  auto f = std::make_unique<UsbFunction>(HCQ_TRY(Bridge::open(std::move(name), std::move(transport))), options);
  HCQ_TRY(f->start());
  return std::unique_ptr<pci::Function>(std::move(f));
}

}  // namespace hcq::usb4
