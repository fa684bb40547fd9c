// SPDX-License-Identifier: MIT
#include "drivers/cpu/device.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <thread>

#include "drivers/cpu/core.h"
#include "drivers/cpu/program.h"
#include "drivers/cpu/queue.h"
#include "drivers/cpu/signal.h"

namespace hcq::cpu {
namespace {

class CpuBuffer final : public Buffer {
 public:
  CpuBuffer(std::shared_ptr<Core> core, std::shared_ptr<Storage> storage, std::uint64_t size, MemoryKind kind)
      : core_(std::move(core)), storage_(std::move(storage)) {
    address_ = reinterpret_cast<std::uint64_t>(storage_->data());
    size_ = size;
    kind_ = kind;
    if (kind == MemoryKind::host) host_ = storage_->data();
  }
  ~CpuBuffer() override { core_->retire(std::move(storage_)); }
  const Core* core() const { return core_.get(); }

 private:
  std::shared_ptr<Core> core_;
  std::shared_ptr<Storage> storage_;
};

unsigned usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

std::string processor_title() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return host_processor();
}

DeviceInfo describe_host(unsigned threads) {
  struct sysinfo host {};
  sysinfo(&host);
  DeviceInfo i;
  i.address = "cpu";
  i.family = "cpu";
  i.arch = host_processor();
  i.chip = processor_title();
  i.memory_bytes = std::uint64_t{host.totalram} * host.mem_unit;
  i.compute_units = threads;
  i.wave_size = 1;
  i.max_block = abi::kMaxBlock;
  i.lds_bytes = abi::kMaxLocalBytes;
  i.timestamp_mhz = 1000;
  return i;
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const Options& options)
      : core_(std::make_shared<Core>(options)),
        info_(describe_host(options.threads)),
        compute_(core_, QueueKind::compute),
        copy_(core_, QueueKind::copy) {
    thread_ = std::thread([core = core_, helpers = options.threads - 1] {
      {
        Workers workers(helpers, core->spin);
        execute(*core, workers);
      }
      core->executor_done.store(true, std::memory_order_release);
      core->progress.notify();
    });
  }
  ~CpuDevice() override { (void)close(); }

  const DeviceInfo& info() const override { return info_; }

  Result<BufferRef> alloc(std::uint64_t bytes, MemoryKind kind) override {
    HCQ_TRY(core_->usable());
    core_->collect();
    auto storage = HCQ_TRY(Storage::create(bytes, core_->ranges));
    return BufferRef(std::make_shared<CpuBuffer>(core_, std::move(storage), bytes, kind));
  }

  Result<ProgramRef> load(Bytes code, std::string_view name) override {
    HCQ_TRY(core_->usable());
    core_->collect();
    if (!linker_) linker_ = HCQ_TRY(Linker::create());
    auto linked = HCQ_TRY(linker_->link(code, name));
    return ProgramRef(std::make_shared<CpuProgram>(core_, std::move(linked)));
  }

  Result<SignalRef> create_signal(std::uint64_t initial) override {
    HCQ_TRY(core_->usable());
    return SignalRef(std::make_shared<CpuSignal>(core_, initial));
  }

  Result<Queue*> queue(QueueKind kind) override {
    HCQ_TRY(core_->usable());
    return kind == QueueKind::compute ? &compute_ : &copy_;
  }

  std::uint64_t last_submitted() const override { return core_->last_submitted(); }
  Status wait(std::uint64_t point, Clock::duration timeout) override { return core_->wait(point, timeout); }

  // The host reaches this device's memory directly, so no staging: after everything submitted so far, plain copies.
  Status upload(Buffer& dst, std::uint64_t offset, Bytes data) override {
    HCQ_TRY(prepare(dst, offset, data.size(), "upload"));
    if (!data.empty()) std::memcpy(reinterpret_cast<void*>(dst.address() + offset), data.data(), data.size());
    return {};
  }

  Status download(const Buffer& src, std::uint64_t offset, MutableBytes out) override {
    HCQ_TRY(prepare(src, offset, out.size(), "download"));
    if (!out.empty()) std::memcpy(out.data(), reinterpret_cast<const void*>(src.address() + offset), out.size());
    return {};
  }

  Status close() override {
    if (!thread_.joinable()) return {};
    Status drained;
    if (!core_->faulted()) drained = core_->wait(core_->last_submitted(), core_->options.close_timeout);
    core_->closed.store(true, std::memory_order_release);
    core_->stop.store(true, std::memory_order_release);
    core_->submitted.notify();
    core_->progress.notify();
    const auto ended = [this] { return core_->executor_done.load(std::memory_order_acquire); };
    if (core_->progress.wait(core_->spin, core_->options.close_timeout, ended)) {
      thread_.join();
      core_->collect();
      return drained;
    }
    thread_.detach();  // a kernel that does not return; the thread owns what it needs
    return core_->timeout_error("close", "executing thread", 1, 0);
  }

 private:
  Status prepare(const Buffer& buffer, std::uint64_t offset, std::uint64_t size, const char* operation) {
    HCQ_TRY(core_->usable());
    const auto* own = dynamic_cast<const CpuBuffer*>(&buffer);
    if (!own || own->core() != core_.get() || offset > buffer.size() || size > buffer.size() - offset)
      return Error{.code = Errc::invalid_argument,
                   .device = "cpu",
                   .operation = operation,
                   .expected = buffer.size(),
                   .actual = offset + size,
                   .detail = "the range ends outside the buffer, or the buffer is another device's"};
    return core_->wait(core_->last_submitted(), std::chrono::seconds(30));
  }

  std::shared_ptr<Core> core_;
  DeviceInfo info_;
  CpuQueue compute_, copy_;
  std::shared_ptr<Linker> linker_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<Device>> open(const Options& options) {
  Options o = options;
  if (o.threads == 0) o.threads = usable_cores();
  if (!is_pow2(o.ring_slots) || o.ring_slots < 16 || o.threads > 1024 || o.timeline_limit == 0)
    return Error{.code = Errc::invalid_argument,
                 .device = "cpu",
                 .operation = "open",
                 .detail = "ring_slots must be a power of two of at least 16, threads at most 1024, the limit not 0"};
  return std::unique_ptr<Device>(std::make_unique<CpuDevice>(o));
}

}  // namespace hcq::cpu
