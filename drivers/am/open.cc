// SPDX-License-Identifier: MIT
// open_gpu(): from a PCI function to a booted Gpu.
#include <fmt/format.h>

#include <cstdlib>

#include "base/log.h"
#include "drivers/am/discovery.h"
#include "drivers/am/gpu.h"
#include "drivers/am/psp.h"
#include "drivers/am/reset.h"

namespace hcq::am {

namespace {

constexpr unsigned kVramBar = 0, kDoorbellBar = 2, kRegisterBar = 5;
// Below these no supported chip works: the fixed registers lie under 0x16062 dwords, doorbell slots under 0x200.
constexpr std::uint64_t kMinVramBar = 64ull << 20, kMinDoorbellBar = 0x1000, kMinRegisterBar = 0x60000;

bool env_set(const char* name) {
  const char* v = std::getenv(name);
  return v && *v && std::string_view(v) != "0";
}

// Left alone at the end of VRAM: firmware data and the discovery table.
std::uint64_t default_top_reserve(Generation g) { return (g == Generation::gfx9 ? 384ull : 64ull) << 20; }

Status check_identity(pci::Function& f, bool any_chip) {
  const pci::Identity& id = f.identity();
  if (id.vendor == 0xffff || id.device == 0xffff)  // it left the bus while it was being identified
    return Error{.code = Errc::device_lost,
                 .device = f.name(),
                 .operation = "open",
                 .subject = fmt::format("device {:04x}:{:04x}", id.vendor, id.device),
                 .detail = "the config space answers all ones",
                 .hint = "check power and the PCIe link; power-cycle the device if it does not come back"};
  const KnownDevice* known = id.vendor == kVendorAmd ? find_device(id.device) : nullptr;
  if (known && known->supported) return {};
  if (id.vendor == kVendorAmd && any_chip) {
    log::warn("{}: {:04x}:{:04x} is not a supported device; continuing because HCQ_AM_ANY_CHIP is set", f.name(),
              id.vendor, id.device);
    return {};
  }
  std::string list;
  for (const KnownDevice& d : known_devices())
    if (d.supported)
      list += fmt::format("{}{:04x}:{:04x} ({})", list.empty() ? "" : ", ", kVendorAmd, d.device_id, d.chip);
  return Error{.code = Errc::unsupported,
               .device = f.name(),
               .operation = "open",
               .subject = fmt::format("device {:04x}:{:04x}", id.vendor, id.device),
               .detail = fmt::format("{}supported: {}", known ? fmt::format("{}; ", known->chip) : "", list),
               .hint = "set HCQ_AM_ANY_CHIP=1 to try another chip of the same generation"};
}

Status check_bar(pci::Function& f, unsigned index, std::uint64_t minimum) {
  const std::uint64_t size = f.bar_size(index);
  if (size >= minimum) return {};
  return Error{.code = Errc::unsupported,
               .device = f.name(),
               .operation = "open",
               .subject = fmt::format("BAR {}", index),
               .expected = minimum,
               .actual = size,
               .detail = size ? "smaller than this driver needs" : "not there"};
}

Status enable_memory_space(pci::Function& f) {
  const std::uint32_t command = HCQ_TRY(f.config_read(pci::kCommand, 2));
  if (command & pci::kCommandMemory) return {};
  return f.config_write(pci::kCommand, 2, command | pci::kCommandMemory);
}

}  // namespace

class Opener {
 public:
  // Mapped, nothing read from the device but its identity.
  static Result<std::unique_ptr<Gpu>> make(std::unique_ptr<pci::Function> function, OpenOptions& options) {
    options.force_reset |= env_set("HCQ_AM_RESET");
    options.any_chip |= env_set("HCQ_AM_ANY_CHIP");
    pci::Function& f = *function;
    HCQ_TRY(check_identity(f, options.any_chip));
    HCQ_TRY(enable_memory_space(f));
    const std::uint64_t resized = HCQ_TRY(f.resize_bar(kVramBar));
    log::trace(log::Area::boot, "{}: BAR 0 has {} MiB", f.name(), resized >> 20);
    HCQ_TRY(check_bar(f, kVramBar, kMinVramBar));
    HCQ_TRY(check_bar(f, kDoorbellBar, kMinDoorbellBar));
    HCQ_TRY(check_bar(f, kRegisterBar, kMinRegisterBar));
    const pci::Mmio bar0 = HCQ_TRY(f.map_bar(kVramBar, pci::Caching::write_combining));
    const pci::Mmio bar2 = HCQ_TRY(f.map_bar(kDoorbellBar, pci::Caching::uncached));
    const pci::Mmio bar5 = HCQ_TRY(f.map_bar(kRegisterBar, pci::Caching::uncached));
    std::unique_ptr<Gpu> gpu(new Gpu(std::move(function), bar0, bar2, bar5, options.observer));
    gpu->link_.set_time_scale(options.time_scale);
    return gpu;
  }

  static Result<std::unique_ptr<Gpu>> open(std::unique_ptr<pci::Function> function, OpenOptions options) {
    std::unique_ptr<Gpu> gpu = HCQ_TRY(make(std::move(function), options));
    if (Status s = Opener(*gpu, options).run(); !s.ok()) {
      Error e = std::move(s).error();
      if (e.device.empty()) e.device = gpu->name();
      return e;
    }
    return gpu;
  }

  static Status reset(std::vector<std::unique_ptr<pci::Function>> functions, OpenOptions options) {
    std::vector<std::unique_ptr<Gpu>> gpus;
    for (auto& f : functions) {
      gpus.push_back(HCQ_TRY(make(std::move(f), options)));
      const OperationScope scope(gpus.back()->link(), "discovery");
      HCQ_TRY(Opener(*gpus.back(), options).discover());
    }
    for (const auto& gpu : gpus) HCQ_TRY(full_reset(*gpu));
    for (const auto& gpu : gpus) HCQ_TRY(gpu->close());
    return {};
  }

 private:
  Opener(Gpu& gpu, const OpenOptions& options) : g_(gpu), o_(options) {}

  Status run() {
    {
      const OperationScope scope(g_.link(), "discovery");
      HCQ_TRY(discover());
    }
    // Files are read and checked before the device is changed.
    g_.firmware_ = HCQ_TRY(load_firmware_set(g_.chip_, firmware_chain(o_.firmware)));
    HCQ_TRY(prepare());
    Status s = start();
    if (s.ok() || !left_unusable(s.error())) return s;
    return start_again_cold(s.error());
  }

  // Whether what an earlier session left may be why this start failed: a warm start, or a bootloader that was left
  // between two components and objects to being given the first one.
  bool left_unusable(const Error& e) const {
    if (e.code == Errc::device_lost) return false;
    return g_.warm_ || (!reset_ && e.code == Errc::device_fault && e.subject == "MP0_SMN_C2PMSG_35");
  }

  // Once more, from the beginning.
  Status start_again_cold(const Error& why) {
    log::warn("{}; the device is reset for a cold start", describe(why));
    o_.force_reset = again_ = true;
    g_.forget_start();
    HCQ_TRY(prepare());
    return start();
  }

  Status discover() {
    const std::uint32_t iov = HCQ_TRY(g_.io_.read_fixed(regs::fixed::RCC_IOV_FUNC_IDENTIFIER));
    // All ones with config space alive: registers are not back from a reset yet, read_vram_size waits for them.
    if (iov != 0xffffffffu && (iov & regs::fixed::kIovIsVirtualFunction)) {
      Error e = g_.link().error(Errc::unsupported, "virtual function", "SR-IOV virtual functions are not supported");
      e.hint = "pass the physical function to this driver";
      return e;
    }
    const std::uint64_t vram = HCQ_TRY(read_vram_size(g_.io_));
    g_.vram_.set_size(vram);
    const Discovery d = HCQ_TRY(read_discovery(g_.link_, g_.io_, g_.vram_));
    g_.chip_ = HCQ_TRY(chip_info(d, g_.function().identity().device, vram));
    g_.io_.set_map(HCQ_TRY(regs::RegisterMap::build(d.blocks)));
    return {};
  }

  Status prepare() {
    const OperationScope scope(g_.link(), "prepare");
    const std::uint64_t reserve = o_.top_reserve ? o_.top_reserve : default_top_reserve(g_.chip_.generation);
    g_.layout_ = HCQ_TRY(make_boot_layout({.vram_bytes = g_.chip_.vram_bytes,
                                           .visible_bytes = g_.vram_.visible(),
                                           .top_reserve = reserve,
                                           .xcc_count = g_.chip_.xcc_count}));
    if (!g_.vram_.all_visible())
      log::info("{}: BAR 0 shows {} of {} MiB; enable Resizable BAR for faster uploads", g_.name(),
                g_.vram_.visible() >> 20, g_.vram_.size() >> 20);
    HCQ_TRY(choose_start());
    return locate();
  }

  Status locate() {
    g_.fb_ = HCQ_TRY(g_.gmc_->locate());
    return g_.nbio_->locate_hdp_flush();
  }

  // A warm start keeps the firmware that a previous session of this driver left running and idle.
  Status choose_start() {
    const bool alive = HCQ_TRY(in_use_by_somebody(g_));
    g_.warm_ = alive && !o_.force_reset && HCQ_TRY(left_clean());
    log::trace(log::Area::boot, "{}: {}", g_.name(),
               g_.warm_ ? "warm start"
               : alive  ? "running already, reset first"
                        : "cold start");
    // A bootloader that takes nothing was left in the middle of a component by a boot that failed there.
    reset_ = !g_.warm_ && (alive || again_ || !HCQ_TRY(g_.psp_->bootloader_ready()));
    return reset_ ? full_reset(g_) : Status();
  }

  // The scratch registers are only looked at when the secure OS runs: GC is behind its power gate before that.
  Result<bool> left_clean() {
    const std::uint32_t tag = HCQ_TRY(g_.io_.read<regs::SCRATCH_REG0>({.index = 7})).raw;
    const std::uint32_t dirty = HCQ_TRY(g_.io_.read<regs::SCRATCH_REG0>({.index = 6})).raw;
    if (tag != kBootAbi || dirty != 0) return false;
    return HCQ_TRY(g_.io_.read<regs::GCVM_L2_PROTECTION_FAULT_STATUS>()).raw == 0;
  }

  Status start() {
    HCQ_TRY(run_boot(g_, boot_steps(), g_.warm_, g_.observer_, g_.boot_times_));
    g_.booted_ = true;
    g_.link_.watch_for_reset([psp = g_.psp_.get()] { return psp->was_reset(); });
    return {};
  }

  Gpu& g_;
  OpenOptions o_;
  bool reset_ = false;  // this start began with a reset
  bool again_ = false;  // it is the second one
};

Result<std::unique_ptr<Gpu>> open_gpu(std::unique_ptr<pci::Function> function, OpenOptions options) {
  return Opener::open(std::move(function), std::move(options));
}

Status reset_gpus(std::vector<std::unique_ptr<pci::Function>> functions, OpenOptions options) {
  return Opener::reset(std::move(functions), std::move(options));
}

}  // namespace hcq::am
