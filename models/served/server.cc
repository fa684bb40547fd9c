// SPDX-License-Identifier: MIT
#include "models/served/server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/log.h"

namespace hcq::models::served {

namespace {
// A host greets as soon as it has connected; while one is awaited, nobody else is heard.
constexpr auto kGreetingLimit = std::chrono::seconds(2);
// How often a session that has ended by itself is looked for, so that the device is unplugged without a next host.
constexpr int kReapMs = 50;
}  // namespace

Result<std::unique_ptr<Server>> Server::start(const std::string& path, std::string name,
                                              std::shared_ptr<Device> device) {
  Fd listener = HCQ_TRY(listen_unix(path));
  Fd stop(eventfd(0, EFD_CLOEXEC));
  if (!stop.valid()) return errno_error(errno, "eventfd", path);
  std::unique_ptr<Server> s(new Server(path, std::move(name), std::move(device), std::move(listener), std::move(stop)));
  s->thread_ = std::thread([p = s.get()] { p->serve(); });
  return s;
}

Server::~Server() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto n = ::write(stop_.get(), &one, sizeof one);
  thread_.join();
  session_.reset();
  ::unlink(path_.c_str());
}

bool Server::attached() {
  const std::lock_guard lock(mutex_);
  return session_ && !session_->over();
}

void Server::serve() {
  for (;;) {
    std::array<pollfd, 2> p{pollfd{.fd = listener_.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = stop_.get(), .events = POLLIN, .revents = 0}};
    const int r = ::poll(p.data(), p.size(), session_ ? kReapMs : -1);
    if (r < 0 && errno != EINTR) return;
    if (p[1].revents) return;
    reap();
    if (r <= 0 || !p[0].revents) continue;
    Fd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.valid()) greet(std::move(socket));
  }
}

void Server::reap() {
  const std::lock_guard lock(mutex_);
  if (session_ && session_->over()) session_.reset();
}

void Server::greet(Fd socket) {
  auto channel = std::make_unique<Channel>(std::move(socket));
  const auto refuse = [&](const Error& e) {
    log::warn("{}: connection of pid {} closed: {}", name_, channel->peer_pid(), describe(e));
  };
  auto m = channel->receive(Deadline::in(kGreetingLimit));
  if (!m.ok()) return refuse(m.error());
  if (!*m) return;  // looked whether somebody listens
  const Message& hello = **m;
  if (const Status s = check_message(hello, Side::host); !s.ok() || hello.type() != Type::hello || hello.reply()) {
    (void)channel->send_error(hello.header, Fault::malformed, 0, "the first message is a well-formed HELLO");
    return refuse(s.ok() ? Error{.code = Errc::corrupt, .operation = "model protocol", .detail = "no greeting"}
                         : s.error());
  }
  if (hello.as<Hello>().version != kVersion) {
    (void)channel->send_error(hello.header, Fault::version, kVersion, "another version of the protocol");
    return refuse(Error{.code = Errc::unsupported,
                        .operation = "model protocol",
                        .expected = kVersion,
                        .actual = hello.as<Hello>().version,
                        .detail = "another version of the protocol"});
  }
  const std::lock_guard lock(mutex_);
  // A host that was killed has hung up before anybody can know that it is dead; its successor only waits for the end.
  if (session_ && session_->peer_gone()) session_.reset();
  if (session_) {
    const auto pid = static_cast<std::uint32_t>(session_->peer_pid());
    (void)channel->send_error(hello.header, Fault::busy, pid, session_->peer_name());
    return;
  }
  auto session = std::make_unique<Session>(device_, name_, std::move(channel));
  if (const Status s = session->start(hello); !s.ok())
    log::warn("{}: a host did not stay: {}", name_, describe(s.error()));
  else session_ = std::move(session);
}

}  // namespace hcq::models::served
