// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdio>

#include "devices/devices.h"
#include "tools/cli/arguments.h"
#include "tools/cli/program.h"
#include "tools/model/diff.h"
#include "tools/model/serve.h"

namespace {

enum Exit { kOk = 0, kFailed = 1, kUsage = 2, kNotFound = 3 };

int exit_code(const hcq::Error& e) {
  if (e.code == hcq::Errc::invalid_argument) return kUsage;
  return e.code == hcq::Errc::not_found ? kNotFound : kFailed;
}

int fail(const hcq::Error& e) {
  std::fflush(stdout);
  std::fprintf(stderr, "hcq-model: %s\n", hcq::describe(e).c_str());
  return exit_code(e);
}

int dispatch(int argc, char** argv) {
  using namespace hcq::model;
  CLI::App app{"hcq-model keeps software devices for other processes, and compares traces of them.", "hcq-model"};
  app.footer("Exit codes: 0 done (diff: equal), 1 failed (diff: different), 2 wrong usage, 3 no such model or file\n");

  CLI::App* list_app = app.add_subcommand("list", "The models there are");

  ServeOptions serve_options;
  CLI::App* serve_app = app.add_subcommand("serve", "Keep a model at a socket until SIGTERM or SIGINT");
  serve_app->add_option("MODEL", serve_options.model, "Name and options, as in navi31?vram=512M&seed=7")->required();
  serve_app->add_option("--listen", serve_options.listen, "unix:PATH; attach with model:unix:PATH")->required();
  serve_app->add_option("--record", serve_options.record, "Write what crosses the bus to this file, as JSON lines");
  serve_app->add_flag("--shared-vram", serve_options.shared_vram,
                      "Let hosts map VRAM: fast, but writes are not held back and not checked");

  std::string a, b;
  unsigned limit = 20;
  CLI::App* diff_app = app.add_subcommand("diff", "Compare two traces");
  diff_app->add_option("A", a, "Trace file")->required();
  diff_app->add_option("B", b, "Trace file")->required();
  diff_app->add_option("--limit", limit, "Differences shown of each kind")->capture_default_str();

  std::string firmware_directory;
  CLI::App* firmware_app =
      app.add_subcommand("firmware", "Write firmware files in the vendor's formats that models accept");
  firmware_app->add_option("DIR", firmware_directory, "They go to DIR/amdgpu")->required();

  if (const auto code = hcq::cli::parse(app, argc, argv)) return *code;
  if (*list_app) {
    for (const auto& [name, about] : hcq::devices::models()) fmt::print("{:12} {}\n", name, about);
    return kOk;
  }
  if (*firmware_app) {
    const hcq::Status s = hcq::devices::write_model_firmware(firmware_directory);
    return s.ok() ? kOk : fail(s.error());
  }
  if (*serve_app) {
    const hcq::Status s = serve(serve_options);
    return s.ok() ? kOk : fail(s.error());
  }
  const auto same = diff(a, b, limit, stdout);
  if (!same.ok()) return fail(same.error());
  return *same ? kOk : kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  return hcq::cli::run_program("hcq-model", [&] { return dispatch(argc, argv); });
}
