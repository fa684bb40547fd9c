// SPDX-License-Identifier: MIT
#include "models/fabric/datagram_link.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

namespace hcq::models::fabric {

namespace {

Error bad_address(const std::string& text, std::string why) {
  return Error{.code = Errc::invalid_argument, .operation = "fabric/link", .subject = text, .detail = std::move(why)};
}

}  // namespace

Result<DatagramLink::Address> DatagramLink::unix_address(const std::string& path) {
  Address a;
  sockaddr_un u{};
  u.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof u.sun_path) return bad_address(path, "a socket path has 1 to 107 bytes");
  std::memcpy(u.sun_path, path.data(), path.size());
  std::memcpy(&a.storage, &u, sizeof u);
  a.size = sizeof u;
  return a;
}

Result<DatagramLink::Address> DatagramLink::udp_address(const std::string& text) {
  const auto colon = text.rfind(':');
  sockaddr_in in{};
  in.sin_family = AF_INET;
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  if (colon == std::string::npos || inet_pton(AF_INET, text.substr(0, colon).c_str(), &in.sin_addr) != 1 ||
      std::from_chars(text.data() + colon + 1, end, port).ptr != end || port == 0)
    return bad_address(text, "expected a numeric IPv4 address and a port, as in 127.0.0.1:5000");
  in.sin_port = htons(port);
  Address a;
  std::memcpy(&a.storage, &in, sizeof in);
  a.size = sizeof in;
  return a;
}

Result<std::unique_ptr<DatagramLink>> DatagramLink::open_unix(Fabric& fabric, const std::string& local,
                                                              const std::string& remote) {
  const Address to = HCQ_TRY(unix_address(remote));
  const Address from = HCQ_TRY(unix_address(local));
  ::unlink(local.c_str());
  return open(fabric, from, to, local);
}

Result<std::unique_ptr<DatagramLink>> DatagramLink::open_udp(Fabric& fabric, const std::string& local,
                                                             const std::string& remote) {
  const Address to = HCQ_TRY(udp_address(remote));
  return open(fabric, HCQ_TRY(udp_address(local)), to, {});
}

Result<std::unique_ptr<DatagramLink>> DatagramLink::open(Fabric& fabric, const Address& local, const Address& remote,
                                                         std::string unlink_path) {
  Fd socket(::socket(local.storage.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  Fd wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!socket.valid() || !wake.valid()) return errno_error(errno, "fabric/link", unlink_path);
  const int bytes = 4 << 20;  // the system's limit applies
  (void)::setsockopt(socket.get(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  (void)::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&local.storage), local.size) != 0)
    return errno_error(errno, "fabric/link", unlink_path);
  return std::unique_ptr<DatagramLink>(
      new DatagramLink(fabric, std::move(socket), std::move(wake), remote, std::move(unlink_path)));
}

DatagramLink::DatagramLink(Fabric& fabric, Fd socket, Fd wake, const Address& remote, std::string unlink_path)
    : fabric_(fabric),
      port_(fabric.attach("link")),
      socket_(std::move(socket)),
      wake_(std::move(wake)),
      remote_(remote),
      unlink_path_(std::move(unlink_path)) {
  port_.on_arrival([this] { (void)::eventfd_write(wake_.get(), 1); });
  thread_ = std::thread([this] { run(); });
}

DatagramLink::~DatagramLink() {
  stop_.store(true, std::memory_order_relaxed);
  (void)::eventfd_write(wake_.get(), 1);
  thread_.join();
  port_.on_arrival(nullptr);
  fabric_.detach(port_);
  if (!unlink_path_.empty()) ::unlink(unlink_path_.c_str());
}

void DatagramLink::run() {
  while (!stop_.load(std::memory_order_relaxed)) {
    pollfd fds[2] = {{socket_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    timespec wait{0, 200'000'000}, *limit = nullptr;
    if (const auto next = port_.next_arrival()) {
      const auto left = std::max(Time{0}, std::min(*next - steady_now(), Time{wait.tv_nsec}));
      wait.tv_nsec = left.count();
      limit = &wait;
    }
    (void)::ppoll(fds, 2, limit, nullptr);
    eventfd_t ignored;
    (void)::eventfd_read(wake_.get(), &ignored);
    receive_all();
    send_all();
  }
}

void DatagramLink::receive_all() {
  for (;;) {
    Frame frame = port_.buffer();
    std::byte waste[64];
    // With no frame left the datagram must still go, or poll would return for ever.
    const MutableBytes into = frame ? frame.room() : MutableBytes(waste);
    const ssize_t n = ::recv(socket_.get(), into.data(), into.size(), MSG_TRUNC);
    if (n < 0 && (errno == ECONNREFUSED || errno == EINTR)) continue;  // an earlier send's error
    if (n < 0) return;
    if (!frame || static_cast<std::size_t>(n) > into.size()) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      continue;
    }
    frame.resize(static_cast<std::size_t>(n));
    port_.send(std::move(frame), steady_now());
  }
}

void DatagramLink::send_all() {
  while (const Frame frame = port_.receive(steady_now())) send_one(frame.bytes());
}

void DatagramLink::send_one(Bytes frame) {
  // Connected, a full receiver can be waited for; and a peer that was replaced is found again.
  for (int attempt = 0; attempt < 20 && !stop_.load(std::memory_order_relaxed); ++attempt) {
    if (!connected_)
      connected_ = ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&remote_.storage), remote_.size) == 0;
    if (!connected_) break;
    if (::send(socket_.get(), frame.data(), frame.size(), MSG_NOSIGNAL) >= 0) return;
    if (errno == EAGAIN || errno == ENOBUFS) {
      pollfd full{socket_.get(), POLLOUT, 0};
      (void)::poll(&full, 1, 10);
    } else if (errno != EINTR) {
      connected_ = false;
    }
  }
  dropped_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace hcq::models::fabric
