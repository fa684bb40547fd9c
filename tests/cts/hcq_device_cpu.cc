// SPDX-License-Identifier: MIT
#include "drivers/cpu/device.h"
#include "tests/cts/hcq_device.h"

namespace hcq::cts {
namespace {

Result<std::unique_ptr<Device>> open_cpu(const OpenOptions& o, unsigned threads) {
  cpu::Options options;
  options.threads = threads;
  options.ring_slots = 256;  // small, so that the suite goes round it often
  if (o.timeline_limit != 0) options.timeline_limit = o.timeline_limit;
  return cpu::open(options);
}

DeviceCase cpu_case(const char* name, unsigned threads) {
  return {
      .name = name, .open = [threads](const OpenOptions& o) { return open_cpu(o, threads); }, .timeline_limit = true};
}

const bool registered = register_device(cpu_case("cpu", 0)) && register_device(cpu_case("cpu_one_thread", 1)) &&
                        register_device(cpu_case("cpu_four_threads", 4));

}  // namespace
}  // namespace hcq::cts
