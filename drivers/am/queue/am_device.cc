// SPDX-License-Identifier: MIT
#include "drivers/am/queue/am_device.h"

#include <fmt/core.h>

#include <cstring>

#include "base/log.h"
#include "drivers/am/code_object.h"
#include "drivers/am/queue/buffer.h"
#include "drivers/am/queue/signal.h"
#include "drivers/am/smu.h"

namespace hcq::am {

namespace {
constexpr double kTimestampMhz = 100;  // of the GPU clock counter on all supported chips
}  // namespace

Result<std::unique_ptr<Device>> open(std::unique_ptr<pci::Function> function, DeviceOptions options) {
  auto gpu = HCQ_TRY(open_gpu(std::move(function), options.boot));
  return AmDevice::make(std::move(gpu), options);
}

Result<std::unique_ptr<Device>> AmDevice::make(std::unique_ptr<Gpu> gpu, const DeviceOptions& options) {
  auto core = HCQ_TRY(Core::make(std::move(gpu), options));
  std::unique_ptr<AmDevice> device(new AmDevice(std::move(core)));
  HCQ_TRY(device->start());
  return std::unique_ptr<Device>(std::move(device));
}

AmDevice::~AmDevice() {
  // Whoever used the device has been told why it stopped.
  const bool told = core_->closed() || core_->failed();
  if (const Status s = close(); !s && !told) log::warn("{}", describe(s.error()));
}

Status AmDevice::start() {
  core_->gpu().fill_info(info_);
  if (!core_->options().address.empty()) info_.address = core_->options().address;
  info_.timestamp_mhz = kTimestampMhz;
  info_.wave_size = 32;  // what kernels for gfx11 and gfx12 are compiled for unless they say otherwise
  compute_ = HCQ_TRY(ComputeQueue::make(core_));
  core_->attach(QueueKind::compute, compute_.get());
  copy_ = HCQ_TRY(CopyQueue::make(core_));
  core_->attach(QueueKind::copy, copy_.get());
  staging_ = HCQ_TRY(Staging::make(*this));
  publish_status();
  return {};
}

// A convenience of others: without it the device works as well.
void AmDevice::publish_status() {
  const std::string& path = core_->options().status_path;
  if (path.empty()) return;
  Gpu& gpu = core_->gpu();
  auto server = StatusServer::start(path, [&gpu]() -> Result<Metrics> {
    HCQ_TRY(gpu.link().alive());
    return gpu.smu().metrics();
  });
  if (server.ok()) status_ = std::move(*server);
  else log::info("{}: no metrics for other processes: {}", core_->name(), describe(server.error()));
}

Result<BufferRef> AmDevice::alloc(std::uint64_t bytes, MemoryKind kind) {
  HCQ_TRY(core_->usable());
  if (bytes == 0) return core_->error(Errc::invalid_argument, "alloc", "size", "a buffer has at least one byte");
  auto memory = HCQ_TRY(core_->allocate(bytes, kind));
  return BufferRef(std::make_shared<AmBuffer>(core_, std::move(memory), bytes, kind));
}

Result<ProgramRef> AmDevice::load(Bytes code, std::string_view name) {
  HCQ_TRY(core_->usable());
  const auto named = [&](Error e) {
    e.device = core_->name();
    return e;
  };
  const ChipInfo& chip = core_->gpu().chip();
  auto object = load_code_object(code, chip.arch);
  if (!object) return named(std::move(object).error());
  const auto kernel = object->find(name);
  if (!kernel) return named(kernel.error());
  if (Status s = check_kernel(**kernel,
                              {.lds_bytes = chip.gfx.lds_bytes, .kernarg_bytes = core_->options().kernarg_bytes / 4});
      !s)
    return named(std::move(s).error());
  auto loaded = std::make_shared<AmProgram::Code>();
  loaded->name = (*kernel)->name;
  loaded->memory = HCQ_TRY(core_->allocate(object->image.size(), MemoryKind::device));
  if ((*kernel)->private_bytes != 0) loaded->scratch = HCQ_TRY(scratch_.get(*core_, (*kernel)->private_bytes));
  if (Status s = object->place(loaded->memory->address()); !s) return named(std::move(s).error());
  HCQ_TRY(upload_to(loaded->memory->address(), object->image));
  return ProgramRef(std::make_shared<AmProgram>(core_, **kernel, std::move(loaded)));
}

Result<SignalRef> AmDevice::create_signal(std::uint64_t initial) {
  HCQ_TRY(core_->usable());
  core_->collect();
  const auto slot = HCQ_TRY(core_->signals().take(initial));
  return SignalRef(std::make_shared<AmSignal>(core_, slot));
}

Result<Queue*> AmDevice::queue(QueueKind kind) {
  HCQ_TRY(core_->usable());
  if (kind == QueueKind::compute) return static_cast<Queue*>(compute_.get());
  return static_cast<Queue*>(copy_.get());
}

Status AmDevice::check_range(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes,
                             const char* operation) const {
  HCQ_TRY(core_->usable());
  const auto* own = dynamic_cast<const AmBuffer*>(&buffer);
  if (!own || own->core() != core_.get())
    return core_->error(Errc::invalid_argument, operation, "buffer", "the buffer belongs to another device");
  if (offset > buffer.size() || bytes > buffer.size() - offset) {
    Error e = core_->error(Errc::invalid_argument, operation, "buffer", "the range ends behind the buffer");
    e.expected = buffer.size();
    e.actual = offset + bytes;
    return e;
  }
  return {};
}

template <class Copy>
Status AmDevice::staged(Copy&& copy) {
  const auto recorded = copy_->set_aside();
  const Status copied = copy();
  HCQ_TRY(copy_->put_back(recorded));
  return copied.ok() ? Status() : Status(copied.error());
}

Status AmDevice::upload_to(std::uint64_t address, Bytes data) {
  return staged([&] { return staging_->upload(*this, *copy_, address, data, core_->options().copy_timeout); });
}

Status AmDevice::upload(Buffer& dst, std::uint64_t offset, Bytes data) {
  HCQ_TRY(check_range(dst, offset, data.size(), "upload"));
  if (data.empty()) return {};
  if (dst.kind() == MemoryKind::device) return upload_to(dst.address() + offset, data);
  HCQ_TRY(wait(last_submitted(), core_->options().copy_timeout));
  std::memcpy(dst.host() + offset, data.data(), data.size());
  return {};
}

Status AmDevice::download(const Buffer& src, std::uint64_t offset, MutableBytes out) {
  HCQ_TRY(check_range(src, offset, out.size(), "download"));
  if (out.empty()) return {};
  if (src.kind() == MemoryKind::device)
    return staged(
        [&] { return staging_->download(*this, *copy_, src.address() + offset, out, core_->options().copy_timeout); });
  HCQ_TRY(wait(last_submitted(), core_->options().copy_timeout));
  std::memcpy(out.data(), src.host() + offset, out.size());
  return {};
}

Status AmDevice::close() {
  if (core_->closed()) return {};
  status_.reset();
  // What was submitted is finished if the device still works; a fault or a hang ends it below, where the boot steps'
  // undo takes the queues down.
  Status drained = core_->drain(core_->options().close_timeout);
  core_->attach(QueueKind::compute, nullptr);
  core_->attach(QueueKind::copy, nullptr);
  staging_.reset();
  scratch_.clear();
  // The queues stay, because users hold pointers to them; from here on they refuse everything.
  Status closed = core_->close();
  return drained.ok() ? std::move(closed) : std::move(drained);
}

}  // namespace hcq::am
