// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "base/deadline.h"
#include "base/file.h"
#include "base/log.h"
#include "hcq/metrics.h"

namespace hcq {

namespace {

using namespace std::chrono_literals;
// An answer is reused for this long, so that many viewers cost the device no more than one.
constexpr auto kFresh = 100ms;
constexpr auto kAnswerLimit = 1000ms;
constexpr std::size_t kMaxAnswer = 64 << 10;

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un a{};
  a.sun_family = AF_UNIX;
  if (path.size() >= sizeof a.sun_path)
    return Error{.code = Errc::invalid_argument, .operation = "status", .subject = path, .detail = "too long a path"};
  std::memcpy(a.sun_path, path.c_str(), path.size() + 1);
  return a;
}

Result<Fd> connect_to(const std::string& path) {
  const sockaddr_un a = HCQ_TRY(address_of(path));
  Fd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (!fd.valid()) return errno_error(errno, "status", path);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0) return fd;
  if (errno == ENOENT || errno == ECONNREFUSED)
    return Error{.code = Errc::not_found, .operation = "status", .subject = path, .detail = "nobody answers there"};
  return errno_error(errno, "status", path);
}

}  // namespace

struct StatusServer::State {
  std::string path;
  Read read;
  Fd listener, stop;
  std::thread thread;
  std::string answer;
  Clock::time_point answered{};

  void serve() {
    pollfd p[2] = {{listener.get(), POLLIN, 0}, {stop.get(), POLLIN, 0}};
    for (;;) {
      if (::poll(p, 2, -1) < 0 && errno != EINTR) return;
      if (p[1].revents) return;
      if (!p[0].revents) continue;
      const Fd client{::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
      if (client.valid()) reply(client);
    }
  }
  // Fits into an empty socket buffer; a viewer that does not read gets less and nobody waits for it.
  void reply(const Fd& client) {
    if (answer.empty() || Clock::now() - answered > kFresh) {
      auto m = read();
      if (!m.ok()) m = Metrics{.source = {}, .readings = {}, .throttling = {}, .notes = {describe(m.error())}};
      answer = serialize(*m);
      answered = Clock::now();
    }
    if (::send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return;
  }
};

StatusServer::StatusServer() : state_(std::make_unique<State>()) {}

Result<std::unique_ptr<StatusServer>> StatusServer::start(const std::string& path, Read read) {
  const sockaddr_un a = HCQ_TRY(address_of(path));
  std::unique_ptr<StatusServer> server(new StatusServer);
  State& s = *server->state_;
  s.read = std::move(read);
  s.listener.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  s.stop.reset(::eventfd(0, EFD_CLOEXEC));
  if (!s.listener.valid() || !s.stop.valid()) return errno_error(errno, "status", path);
  // The device's lock is held, so a socket that is there belongs to nobody who lives. Anything else stays.
  struct stat st{};
  if (::lstat(path.c_str(), &st) == 0 && S_ISSOCK(st.st_mode)) ::unlink(path.c_str());
  if (::bind(s.listener.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) != 0 ||
      ::chmod(path.c_str(), 0666) != 0 || ::listen(s.listener.get(), 8) != 0)
    return errno_error(errno, "status", path);
  s.path = path;
  s.thread = std::thread([&s] { s.serve(); });
  return server;
}

StatusServer::~StatusServer() {
  if (state_->thread.joinable()) {
    const std::uint64_t one = 1;
    if (::write(state_->stop.get(), &one, sizeof one) < 0) log::warn("status: cannot stop the server's thread");
    state_->thread.join();
  }
  if (!state_->path.empty()) ::unlink(state_->path.c_str());
}

Result<PublishedMetrics> ask_status(const std::string& path) {
  const Fd fd = HCQ_TRY(connect_to(path));
  PublishedMetrics result;
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0) result.pid = peer.pid;
  std::string text;
  const Deadline deadline = Deadline::in(kAnswerLimit);
  for (;;) {
    pollfd p{fd.get(), POLLIN, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.remaining()).count();
    const int r = ::poll(&p, 1, static_cast<int>(left));
    if (r < 0 && errno == EINTR) continue;
    if (r <= 0)
      return Error{
          .code = Errc::timeout, .operation = "status", .subject = path, .detail = "the owner does not answer"};
    char buffer[4096];
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0) return errno_error(errno, "status", path);
    if (n == 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > kMaxAnswer) break;
  }
  result.metrics = HCQ_TRY(parse_metrics(text));
  result.metrics.source = fmt::format("pid {}", result.pid);
  return result;
}

}  // namespace hcq
