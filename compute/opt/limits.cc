// SPDX-License-Identifier: MIT
#include "compute/opt/limits.h"

#include <algorithm>

#include "compute/opt/split.h"
#include "fmt/format.h"

namespace hcq::compute::opt {
namespace {

Status within(const ir::KernelGraph& g, const DeviceLimits& l, const char* what, std::uint64_t want,
              std::uint64_t max) {
  if (want <= max) return {};
  return Error{.code = Errc::unsupported,
               .device = l.device,
               .operation = "optimize",
               .subject = g.name,
               .detail = fmt::format("{} {}, the limit is {}", want, what, max),
               .hint = "use smaller tiles"};
}

// 32-bit registers that accumulators (or, without a reduction, the values to store) of one work-item take.
std::uint64_t tile_registers(const ir::KernelGraph& g) {
  std::uint64_t copies = 1, words = 0, stored = 0;
  const ir::Node* roots[] = {g.sink};
  for (const ir::Node* n : ir::topological(roots)) {
    const std::uint64_t size = std::max<std::uint64_t>(1, n->dtype.bytes() / 4);
    if (n->op == ir::Op::range && ir::axis_type(n) == ir::AxisType::upcast)
      copies *= static_cast<std::uint64_t>(ir::extent(n));
    if (n->op == ir::Op::reduce) words += size;
    if (n->op == ir::Op::store) stored += std::max<std::uint64_t>(1, n->src(1)->dtype.bytes() / 4);
  }
  return copies * std::max(words, stored);
}

}  // namespace

DeviceLimits limits_of(const DeviceInfo& info) {
  DeviceLimits l{.device = info.address};
  l.is_cpu = info.family == "cpu";
  l.max_block = std::max(1u, info.max_block);
  l.wave_size = std::max(1u, info.wave_size);
  l.lds_bytes = info.lds_bytes;
  // A CPU has 16 vector registers of 8 floats; spilling a few is cheap, so two tiles' worth is let through.
  if (l.is_cpu) l.registers = 256;
  if (l.is_cpu) l.vector_bytes = 32;
  return l;
}

Status check_limits(const ir::KernelGraph& g, const DeviceLimits& limits) {
  std::uint64_t block = 1;
  for (const ir::Node* r : axes_of(g))
    if (ir::axis_type(r) == ir::AxisType::local) block *= static_cast<std::uint64_t>(ir::extent(r));
  HCQ_TRY(within(g, limits, "work-items in a workgroup", block, limits.max_block));
  return within(g, limits, "registers for the tile of a work-item", tile_registers(g), limits.registers);
}

}  // namespace hcq::compute::opt
