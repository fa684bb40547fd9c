// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>

#include "devices/devices.h"
#include "tools/cli/arguments.h"
#include "tools/cli/program.h"
#include "tools/cli/signals.h"
#include "tools/run/commands.h"

namespace {

constexpr const char* kFooter =
    "Devices (--device):\n"
    "  cpu                      the CPU (default)\n"
    "  model:navi31             a software Radeon RX 7900 XTX; options as in "
    "'model:navi31?vram=512M&bar0=256M&seed=7'\n"
    "  am:0                     first AMD GPU of this machine\n"
    "  pci:0000:03:00.0         that PCI function, by sysfs or VFIO (?via=sysfs, ?via=vfio)\n"
    "Files:\n"
    "  A.npy                    NumPy array file\n"
    "  W.safetensors:name       one tensor of a safetensors file; the name may be left out if there is only one\n"
    "Environment:\n"
    "  HCQ_FIRMWARE_PATH        folders with firmware files, asked before the system's\n"
    "  HCQ_TRACE=boot,psp,...   trace areas on stderr (all: every area); HCQ_LOG=error|warn|info|debug\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no such device or file, 4 refused for safety,\n"
    "  128 + the signal's number when interrupted (Ctrl-C: 130)\n";

int finish(const hcq::Status& s) {
  if (s.ok()) return hcq::cli::kOk;
  std::fflush(stdout);
  std::fprintf(stderr, "hcq-run: %s\n", hcq::describe(s.error()).c_str());
  return hcq::cli::exit_code(s.error());
}

void add_device(CLI::App* app, hcq::run::DeviceChoice& d) {
  app->add_option("--device,-d", d.address, "Device address")->capture_default_str();
  app->add_flag("--unbind", d.unbind, "Unbind the kernel driver that holds the device, and bind it again at the end");
}

void add_binary(CLI::App* app, hcq::run::BinaryOptions& o) {
  app->add_option("A", o.a, "First operand (file)")->required();
  app->add_option("B", o.b, "Second operand (file)")->required();
  app->add_option("--output,-o", o.output, "Where the result goes (.npy, .safetensors or .safetensors:name)");
  app->add_flag("--verify", o.verify, "Compare with a double-precision reference on the host; a mismatch is a failure");
  app->add_option("--repeat", o.repeat, "Run that often; the throughput is that of the runs after the first")
      ->check(CLI::Range(1u, 1000000u))
      ->capture_default_str();
  app->add_option("--timeout", o.timeout,
                  "Seconds after which a device that gets no further is taken for hung (default 10); a kernel gets one "
                  "more for each GFLOP it has")
      ->check(CLI::Range(0.001, 1e6));
  app->add_flag("--json", o.json, "The figures as one JSON document on stdout");
  add_device(app, o.device);
}

int dispatch(int argc, char** argv) {
  using namespace hcq::run;
  CLI::App app{"hcq-run runs compute jobs on any device that hcq can drive.", "hcq-run"};
  app.footer(kFooter);

  InfoOptions info_options;
  CLI::App* info_app = app.add_subcommand("info", "Open a device, and show chip, memory, firmware and boot log");
  info_app->add_flag("--json", info_options.json, "One JSON document on stdout");
  add_device(info_app, info_options.device);

  BinaryOptions matmul_options, add_options;
  CLI::App* matmul_app = app.add_subcommand("matmul", "Matrix product A x B (leading axes are batched and broadcast)");
  add_binary(matmul_app, matmul_options);
  CLI::App* add_app = app.add_subcommand("add", "Elementwise sum A + B (shapes broadcast)");
  add_binary(add_app, add_options);

  GenerateOptions generate_options;
  CLI::App* generate_app = app.add_subcommand("generate", "Write a file of normally distributed f32 values");
  generate_app->add_option("--shape", generate_options.shape, "Extents, as 256x256")->required();
  generate_app->add_option("--seed", generate_options.seed, "Equal seeds give equal files")->capture_default_str();
  generate_app->add_option("--output,-o", generate_options.output, "File to write")->required();

  for (CLI::App* sub : app.get_subcommands({})) sub->footer(kFooter);
  if (const auto code = hcq::cli::parse(app, argc, argv)) return *code;
  if (*info_app) return finish(info(info_options));
  std::unique_ptr<hcq::Device> device;
  if (*matmul_app) return finish(matmul(matmul_options, device));
  if (*add_app) return finish(add(add_options, device));
  return finish(generate(generate_options));
}

}  // namespace

int main(int argc, char** argv) {
  return hcq::cli::run_program("hcq-run", [&] {
    hcq::cli::stop_devices_on_signals("hcq-run");
    return dispatch(argc, argv);
  });
}
