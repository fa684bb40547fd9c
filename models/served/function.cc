// SPDX-License-Identifier: MIT
// connect(): the function of a model in this process around a RemoteDevice, and one thing more: it knows when the other
// process is gone, and says device_lost instead of handing out all ones as if they were values.
#include <fmt/format.h>

#include "models/served/client.h"

namespace hcq::models::served {

namespace {

constexpr std::uint64_t kArenaBytes = 64ull << 30;  // address space; pages exist only where they are used

class ServedFunction final : public pci::Function {
 public:
  ServedFunction(std::shared_ptr<RemoteDevice> device, std::unique_ptr<pci::Function> inner)
      : device_(std::move(device)), inner_(std::move(inner)) {}

  const std::string& name() const override { return inner_->name(); }
  const pci::Identity& identity() const override { return inner_->identity(); }
  Result<std::uint32_t> config_read(std::uint16_t offset, unsigned size) override {
    return or_lost("config/read", inner_->config_read(offset, size));
  }
  Status config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override {
    return or_lost("config/write", inner_->config_write(offset, size, value));
  }
  std::uint64_t bar_size(unsigned index) const override { return inner_->bar_size(index); }
  Result<pci::Mmio> map_bar(unsigned index, pci::Caching caching) override {
    return or_lost("bar/map", inner_->map_bar(index, caching));
  }
  std::uint64_t bar_address(unsigned index) const override { return inner_->bar_address(index); }
  Result<std::uint64_t> resize_bar(unsigned index) override {
    if (!inner_->bar_size(index)) return std::uint64_t{0};
    return or_lost("bar/resize", inner_->resize_bar(index));
  }
  Result<std::unique_ptr<pci::DmaMemory>> alloc_dma(std::size_t bytes, pci::DmaOptions options) override {
    return or_lost("dma/alloc", inner_->alloc_dma(bytes, options));
  }
  Status reset() override { return or_lost("reset", inner_->reset()); }
  Result<pci::Irq*> irq() override { return or_lost("irq", inner_->irq()); }
  std::uint64_t peer_group() const override { return inner_->peer_group(); }

 private:
  template <class T>
  Result<T> or_lost(const char* operation, Result<T> r) const {
    if (!device_->lost()) return r;
    return Error{.code = Errc::device_lost,
                 .device = name(),
                 .operation = operation,
                 .detail = "the process that serves the model has ended",
                 .hint = "Start it again with hcq-model serve."};
  }

  std::shared_ptr<RemoteDevice> device_;
  std::unique_ptr<pci::Function> inner_;
};

}  // namespace

Result<std::unique_ptr<pci::Function>> connect(std::string name, const std::string& path,
                                               const ConnectOptions& options) {
  const auto named = [&](Error e) {
    e.device = name;
    return e;
  };
  auto device = RemoteDevice::connect(path, options.map_bars);
  if (!device.ok()) return named(std::move(device).error());
  auto arena = SharedArena::create(kArenaBytes);
  if (!arena.ok()) return named(std::move(arena).error());
  auto host = std::make_shared<HostMemory>(name, options.seed, std::move(*arena));
  if (Status s = (*device)->share(host); !s.ok()) return named(std::move(s).error());
  const Options attach_options{.seed = options.seed, .interrupts = options.interrupts, .extra = {}};
  auto inner = attach(name, *device, attach_options, host);
  if (!inner.ok()) return named(std::move(inner).error());
  return std::unique_ptr<pci::Function>(std::make_unique<ServedFunction>(std::move(*device), std::move(*inner)));
}

}  // namespace hcq::models::served
