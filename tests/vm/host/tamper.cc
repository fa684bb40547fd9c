// SPDX-License-Identifier: MIT
// Stands between the QEMU bridge and hcq-model serve, passes every message on, and puts a malformed one between two of
// them when told to. docs/model-protocol.md says what each side has to do with it: close the connection, in one line.
//
// Usage: vm_tamper LISTEN CONNECT ORDERS    two socket paths and a FIFO with one name of kMessages a line
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/file.h"

namespace {

using hcq::Fd;

struct Header {
  std::uint32_t length;
  std::uint16_t type, flags;
  std::uint32_t tag;
};
static_assert(sizeof(Header) == 12);
constexpr std::uint32_t kLargest = 65600;
constexpr std::uint16_t kReply = 1;

struct Malformed {
  const char* name;
  bool to_host;  // to the QEMU bridge; else to the model
  Header header;
  std::vector<std::uint32_t> payload;
  std::size_t cut = 0;  // send that many bytes only, and hang up
};

const std::array kMessages{
    Malformed{"host_length", true, {0xffffffff, 35, 0, 1}, {}},
    Malformed{"host_type", true, {0, 999, 0, 1}, {}},
    Malformed{"host_reply", true, {4, 2, kReply, 0xabcdef01}, {0}},
    Malformed{"host_vector", true, {8, 35, 0, 1}, {77, 0}},
    Malformed{"host_short", true, {4, 32, 0, 1}, {0}},
    Malformed{"host_cut", true, {64, 36, 0, 1}, {1, 2, 3}, 20},
    Malformed{"model_length", false, {0xffffffff, 4, 0, 1}, {}},
    Malformed{"model_type", false, {0, 999, 0, 1}, {}},
    Malformed{"model_size", false, {16, 4, 0, 1}, {0x0305, 0, 0, 0}},
    Malformed{"model_outside", false, {16, 4, 0, 1}, {0x0405, 0, 0xfffffff0, 0xff}},
    Malformed{"model_reply", false, {40, 32, kReply, 0xabcdef01}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    Malformed{"model_greeting", false, {64, 1, 0, 1}, {0x4d514348, 1}},
    Malformed{"model_region", false, {16, 10, 0, 1}, {7, 0, 4096, 0}},
    Malformed{"model_cut", false, {64, 7, 0, 1}, {1, 2, 3}, 20},
};

Fd unix_socket(const std::string& path, bool listening) {
  Fd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un a{};
  a.sun_family = AF_UNIX;
  if (path.size() >= sizeof a.sun_path) return Fd{};
  path.copy(a.sun_path, sizeof a.sun_path - 1);
  const auto* p = reinterpret_cast<const sockaddr*>(&a);
  const int r = listening ? ::bind(fd.get(), p, sizeof a) : ::connect(fd.get(), p, sizeof a);
  if (r != 0 || (listening && ::listen(fd.get(), 1) != 0)) return Fd{};
  return fd;
}

bool send_all(int fd, const void* data, std::size_t size) {
  const auto* p = static_cast<const char*>(data);
  while (size != 0) {
    const ssize_t n = ::send(fd, p, size, MSG_NOSIGNAL);
    if (n <= 0) return false;
    p += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

// One message, with its descriptors.
bool pass_on(int from, int to) {
  std::vector<char> bytes(sizeof(Header) + kLargest);
  alignas(cmsghdr) std::array<char, CMSG_SPACE(8 * sizeof(int))> control{};
  iovec part{bytes.data(), sizeof(Header)};
  msghdr m{};
  m.msg_iov = &part;
  m.msg_iovlen = 1;
  m.msg_control = control.data();
  m.msg_controllen = control.size();
  if (::recvmsg(from, &m, MSG_WAITALL | MSG_CMSG_CLOEXEC) != static_cast<ssize_t>(sizeof(Header))) return false;
  Header h;
  std::memcpy(&h, bytes.data(), sizeof h);
  if (h.length > kLargest) return false;
  if (h.length && ::recv(from, bytes.data() + sizeof h, h.length, MSG_WAITALL) != static_cast<ssize_t>(h.length))
    return false;
  if (m.msg_controllen == 0) m.msg_control = nullptr;
  const bool sent = ::sendmsg(to, &m, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof(Header));
  for (cmsghdr* c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
      ::close(fd);
    }
  }
  return sent && send_all(to, bytes.data() + sizeof h, h.length);
}

// False when the connection is to end on our side.
bool obey(const std::string& order, int host, int model) {
  for (const Malformed& m : kMessages) {
    if (order != m.name) continue;
    std::vector<char> bytes(sizeof m.header + (m.header.length <= kLargest ? m.header.length : 0));
    std::memcpy(bytes.data(), &m.header, sizeof m.header);
    for (std::size_t i = 0; i < m.payload.size() && sizeof m.header + 4 * i + 4 <= bytes.size(); ++i)
      std::memcpy(bytes.data() + sizeof m.header + 4 * i, &m.payload[i], 4);
    fmt::print("sending {}\n", order);
    std::fflush(stdout);
    return send_all(m.to_host ? host : model, bytes.data(), m.cut ? m.cut : bytes.size()) && m.cut == 0;
  }
  fmt::print("no message \"{}\"\n", order);
  std::fflush(stdout);
  return true;
}

void relay(int host, int model, int orders) {
  for (;;) {
    std::array<pollfd, 3> p{pollfd{host, POLLIN, 0}, pollfd{model, POLLIN, 0}, pollfd{orders, POLLIN, 0}};
    if (::poll(p.data(), p.size(), -1) < 0) return;
    if (p[0].revents && !pass_on(host, model)) return;
    if (p[1].revents && !pass_on(model, host)) return;
    if (!p[2].revents) continue;
    std::string order(64, '\0');
    const ssize_t n = ::read(orders, order.data(), order.size());
    if (n <= 0) return;
    order.resize(static_cast<std::size_t>(n));
    if (!obey(order.substr(0, order.find('\n')), host, model)) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: vm_tamper LISTEN CONNECT ORDERS\n");
    return 2;
  }
  // Opened for writing too, so that it does not end when a writer closes it.
  const Fd orders{::open(argv[3], O_RDWR | O_CLOEXEC)};
  const Fd listener = unix_socket(argv[1], true);
  if (!orders.valid() || !listener.valid()) {
    std::perror("vm_tamper");
    return 1;
  }
  for (;;) {
    const Fd host{::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)};
    const Fd model = unix_socket(argv[2], false);
    if (!host.valid() || !model.valid()) {
      std::perror("vm_tamper");
      return 1;
    }
    relay(host.get(), model.get(), orders.get());
  }
}
