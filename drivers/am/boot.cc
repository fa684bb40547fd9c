// SPDX-License-Identifier: MIT
#include "drivers/am/boot.h"

#include "base/log.h"
#include "drivers/am/gpu.h"

namespace hcq::am {

namespace {

void undo(Gpu& gpu, const BootStep& step, const BootObserver& observer) {
  if (!step.undo) return;
  const OperationScope scope(gpu.link(), step.name);
  log::trace(log::Area::boot, "undo {}", step.name);
  // Once the device is lost undo functions only let go of what is on our side; register access fails by itself.
  step.undo(gpu);
  if (observer.undone) observer.undone(step.name);
}

Status run_step(Gpu& gpu, const BootStep& step, const BootObserver& observer) {
  const OperationScope scope(gpu.link(), step.name);
  if (observer.before) HCQ_TRY(observer.before(step.name));
  return step.run(gpu);
}

}  // namespace

Status run_boot(Gpu& gpu, std::span<const BootStep> steps, bool warm, const BootObserver& observer,
                std::vector<DeviceInfo::BootStep>& times) {
  std::vector<const BootStep*> done;
  for (const BootStep& step : steps) {
    if (warm && step.when == When::cold) {
      log::trace(log::Area::boot, "{} skipped: warm", step.name);
      continue;
    }
    const auto begin = Clock::now();
    Status s = run_step(gpu, step, observer);
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    log::trace(log::Area::boot, "{} {:.2f} ms{}", step.name, ms, s.ok() ? "" : " failed");
    if (!s.ok()) {
      Error e = std::move(s).error();
      if (e.device.empty()) e.device = gpu.name();
      if (e.operation.empty()) e.operation = step.name;
      for (auto it = done.rbegin(); it != done.rend(); ++it) undo(gpu, **it, observer);
      return e;
    }
    done.push_back(&step);
    times.push_back({step.name, ms});
  }
  return {};
}

void undo_boot(Gpu& gpu, std::span<const BootStep> steps, const BootObserver& observer) {
  for (auto it = steps.rbegin(); it != steps.rend(); ++it) undo(gpu, *it, observer);
}

}  // namespace hcq::am
