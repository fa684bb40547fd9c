// SPDX-License-Identifier: MIT
#include "tools/model/serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "devices/create_model.h"
#include "models/core/trace.h"
#include "models/served/server.h"

namespace hcq::model {

namespace {

constexpr std::string_view kUnix = "unix:";

Error usage(std::string detail, std::string hint) {
  return Error{
      .code = Errc::invalid_argument, .operation = "serve", .detail = std::move(detail), .hint = std::move(hint)};
}

}  // namespace

Status serve(const ServeOptions& o) {
  if (!std::string_view(o.listen).starts_with(kUnix) || o.listen.size() == kUnix.size())
    return usage(fmt::format("\"{}\" is no place to listen at", o.listen), "write --listen unix:PATH");
  // Before any thread exists, so that all of them leave these signals to sigwait().
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const devices::Address address = HCQ_TRY(devices::parse_address("model:" + o.model));
  if (address.name.starts_with(kUnix)) return usage("a served model cannot be served again", "name a model");
  std::shared_ptr<models::Device> device = HCQ_TRY(devices::create_model(address, o.shared_vram));
  if (!o.record.empty())
    device = std::make_shared<models::RecordedDevice>(device, HCQ_TRY(models::TraceFile::create(o.record)));
  const unsigned listener = device->referee().add_listener([&](const models::Violation& v) {
    fmt::print(stderr, "hcq-model: {}: {}\n", address.name, models::describe(v));
  });
  {
    const auto server = HCQ_TRY(models::served::Server::start(o.listen.substr(kUnix.size()), address.name, device));
    fmt::print("ready {} pid {} {}\n", address.name, ::getpid(), o.listen);
    std::fflush(stdout);
    int signal = 0;
    while (sigwait(&signals, &signal) != 0) continue;
  }
  device->referee().remove_listener(listener);
  return {};
}

}  // namespace hcq::model
