// SPDX-License-Identifier: MIT
#include "models/served/channel.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace hcq::models::served {

namespace {

constexpr std::size_t kMaxDescriptors = 8;  // in one call, and waiting for their message

Error stream_error(std::string detail, std::uint64_t actual) {
  return Error{.code = Errc::corrupt, .operation = "model protocol", .actual = actual, .detail = std::move(detail)};
}

Result<sockaddr_un> unix_address(const std::string& path) {
  sockaddr_un a{};
  a.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof a.sun_path)
    return Error{.code = Errc::invalid_argument,
                 .operation = "socket",
                 .subject = path,
                 .detail = fmt::format("a socket's path has 1 to {} characters", sizeof a.sun_path - 1)};
  std::memcpy(a.sun_path, path.data(), path.size());
  return a;
}

Result<Fd> unix_socket() {
  Fd s(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!s.valid()) return errno_error(errno, "socket", "AF_UNIX");
  return s;
}

}  // namespace

void MessageReader::feed(Bytes data, std::vector<Fd> fds) {
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = 0;
  }
  buffer_.insert(buffer_.end(), data.begin(), data.end());
  for (Fd& f : fds) fds_.push_back(std::move(f));
}

std::size_t descriptors_of(const Message& m) {
  if (m.type() == Type::region_add && !m.reply()) return 1;
  if (m.type() != Type::hello || !m.reply() || m.error() || m.payload.size() != sizeof(HelloReply)) return 0;
  const auto hello = m.as<HelloReply>();
  std::size_t n = 0;
  for (const HelloBar& b : hello.bars) n += b.flags & kBarShared;
  return n;
}

Result<std::optional<Message>> MessageReader::next() {
  if (fds_.size() > kMaxDescriptors) return stream_error("more descriptors than messages could need", fds_.size());
  const std::size_t have = buffer_.size() - begin_;
  Message m;
  if (have < sizeof(Header)) return std::optional<Message>();
  std::memcpy(&m.header, buffer_.data() + begin_, sizeof(Header));
  if (m.header.length > kMaxPayload) return stream_error("a message is longer than any can be", m.header.length);
  if (have < sizeof(Header) + m.header.length) return std::optional<Message>();
  const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(begin_ + sizeof(Header));
  m.payload.assign(from, from + m.header.length);
  begin_ += sizeof(Header) + m.header.length;
  if (begin_ > (1u << 20)) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
  for (std::size_t n = descriptors_of(m); n > 0 && !fds_.empty(); --n) {
    m.fds.push_back(std::move(fds_.front()));
    fds_.pop_front();
  }
  // Descriptors arrive with the first byte of their message, so none can be left when the stream is used up.
  if (begin_ == buffer_.size() && !fds_.empty())
    return stream_error("a descriptor that no message claims", fds_.size());
  return std::optional<Message>(std::move(m));
}

Status Channel::send(Type type, std::uint16_t flags, std::uint32_t tag, std::initializer_list<Bytes> parts,
                     std::span<const int> fds) {
  assert(parts.size() <= 3 && fds.size() <= kMaxDescriptors);
  Header h{.length = 0, .type = static_cast<std::uint16_t>(type), .flags = flags, .tag = tag};
  std::array<iovec, 4> iov{};
  std::size_t n = 0;
  iov[n++] = {&h, sizeof h};
  for (const Bytes p : parts) {
    if (p.empty()) continue;
    h.length += static_cast<std::uint32_t>(p.size());
    iov[n++] = {const_cast<std::byte*>(p.data()), p.size()};
  }
  assert(h.length <= kMaxPayload);
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> control{};
  msghdr msg{};
  msg.msg_iov = iov.data();
  msg.msg_iovlen = n;
  if (!fds.empty()) {
    msg.msg_control = control.data();
    msg.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* c = CMSG_FIRSTHDR(&msg);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(c), fds.data(), fds.size_bytes());
  }
  const std::lock_guard lock(send_mutex_);
  while (msg.msg_iovlen > 0) {
    const ssize_t sent = ::sendmsg(socket_.get(), &msg, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno_error(errno, "send", "model socket");
    msg.msg_control = nullptr;
    msg.msg_controllen = 0;
    auto left = static_cast<std::size_t>(sent);
    while (msg.msg_iovlen > 0 && left >= msg.msg_iov->iov_len) {
      left -= msg.msg_iov->iov_len;
      ++msg.msg_iov;
      --msg.msg_iovlen;
    }
    if (msg.msg_iovlen > 0) {
      msg.msg_iov->iov_base = static_cast<char*>(msg.msg_iov->iov_base) + left;
      msg.msg_iov->iov_len -= left;
    }
  }
  return {};
}

Status Channel::send_error(const Header& question, Fault code, std::uint32_t value, std::string_view text) {
  const ErrorReply e{.code = static_cast<std::uint32_t>(code), .value = value};
  return send(static_cast<Type>(question.type), kReply | kError, question.tag,
              {bytes_of(e), std::as_bytes(std::span(text.data(), std::min<std::size_t>(text.size(), kMaxText)))});
}

Result<bool> Channel::fill() {
  std::array<std::byte, 65536> data;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> control{};
  iovec iov{data.data(), data.size()};
  msghdr msg{};
  msg.msg_iov = &iov;
  msg.msg_iovlen = 1;
  msg.msg_control = control.data();
  msg.msg_controllen = control.size();
  ssize_t got;
  do got = ::recvmsg(socket_.get(), &msg, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got < 0 && errno == ECONNRESET) return false;
  if (got < 0) return errno_error(errno, "receive", "model socket");
  std::vector<Fd> fds;
  for (cmsghdr* c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof fd);
      fds.emplace_back(fd);
    }
  }
  if (msg.msg_flags & MSG_CTRUNC) return stream_error("more descriptors than a message can carry", fds.size());
  if (got == 0) return false;
  reader_.feed(Bytes(data.data(), static_cast<std::size_t>(got)), std::move(fds));
  return true;
}

Result<std::optional<Message>> Channel::receive() {
  for (;;) {
    auto m = HCQ_TRY(reader_.next());
    if (m) return m;
    if (!HCQ_TRY(fill())) return std::optional<Message>();
  }
}

Result<std::optional<Message>> Channel::receive(Deadline deadline) {
  for (;;) {
    auto m = HCQ_TRY(reader_.next());
    if (m) return m;
    pollfd p{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline.remaining()).count();
    const int r = ::poll(&p, 1, static_cast<int>(left));
    if (r < 0 && errno != EINTR) return errno_error(errno, "poll", "model socket");
    if (r == 0)
      return Error{.code = Errc::timeout, .operation = "model protocol", .detail = "the other side says nothing"};
    if (r > 0 && !HCQ_TRY(fill())) return std::optional<Message>();
  }
}

void Channel::close() { ::shutdown(socket_.get(), SHUT_RDWR); }

bool Channel::peer_gone() const {
  pollfd p{.fd = socket_.get(), .events = POLLRDHUP, .revents = 0};
  return ::poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

int Channel::peer_pid() const {
  ucred c{};
  socklen_t n = sizeof c;
  return ::getsockopt(socket_.get(), SOL_SOCKET, SO_PEERCRED, &c, &n) == 0 ? c.pid : 0;
}

Result<Fd> connect_unix(const std::string& path) {
  const sockaddr_un a = HCQ_TRY(unix_address(path));
  Fd s = HCQ_TRY(unix_socket());
  if (::connect(s.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0) return s;
  const int reason = errno;
  Error e = errno_error(reason, "connect", path);
  if (reason == ECONNREFUSED) e.code = Errc::not_found;
  if (e.code == Errc::not_found) e.hint = "Start one with: hcq-model serve NAME --listen unix:" + path;
  return e;
}

Result<Fd> listen_unix(const std::string& path) {
  const sockaddr_un a = HCQ_TRY(unix_address(path));
  Fd s = HCQ_TRY(unix_socket());
  const auto bind = [&] { return ::bind(s.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0; };
  if (!bind()) {
    if (errno != EADDRINUSE) return errno_error(errno, "bind", path);
    struct stat st {};
    if (::stat(path.c_str(), &st) == 0 && !S_ISSOCK(st.st_mode)) return errno_error(EEXIST, "bind", path);
    if (connect_unix(path).ok())
      return Error{.code = Errc::busy, .operation = "listen", .subject = path, .detail = "another server listens here"};
    ::unlink(path.c_str());
    if (!bind()) return errno_error(errno, "bind", path);
  }
  if (::listen(s.get(), 8) != 0) return errno_error(errno, "listen", path);
  return s;
}

}  // namespace hcq::models::served
