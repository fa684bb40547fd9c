// SPDX-License-Identifier: MIT
// One connection: bytes and descriptors of a Unix stream socket to messages and back. It knows the framing and nothing
// of what the messages mean.
#pragma once

#include <atomic>
#include <deque>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "base/deadline.h"
#include "models/served/protocol.h"

namespace hcq::models::served {

// Cuts a stream of bytes into messages. Not thread-safe.
class MessageReader {
 public:
  // Bytes as they came, and the descriptors that came with them.
  void feed(Bytes data, std::vector<Fd> fds = {});
  // The next whole message, nothing when more bytes are needed. Errc::corrupt when the stream cannot be right (length,
  // descriptors that nobody claims); then there is nothing more to be had from it.
  Result<std::optional<Message>> next();

 private:
  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0;
  std::deque<Fd> fds_;
};

// Whether the message is one that carries descriptors, and how many; decided from its header and payload alone.
std::size_t descriptors_of(const Message& m);

class Channel {
 public:
  explicit Channel(Fd socket) : socket_(std::move(socket)) {}

  // Writes one message; the parts follow each other in the payload. Thread-safe, blocks while the other side does not
  // read. After close() and when the other side is gone: Errc::io.
  Status send(Type type, std::uint16_t flags, std::uint32_t tag, std::initializer_list<Bytes> parts = {},
              std::span<const int> fds = {});
  Status send_error(const Header& question, Fault code, std::uint32_t value, std::string_view text);

  // Waits for the next message. Nothing: the other side has closed. One thread at a time.
  Result<std::optional<Message>> receive();
  // The same with a limit (for the greeting): Errc::timeout.
  Result<std::optional<Message>> receive(Deadline deadline);

  // Ends both directions: a blocked send or receive returns. Thread-safe.
  void close();
  // The other side has hung up. Does not read.
  bool peer_gone() const;
  int peer_pid() const;  // from the kernel; 0 when unknown
  int fd() const { return socket_.get(); }

 private:
  Result<bool> fill();  // false: end of stream

  Fd socket_;
  std::mutex send_mutex_;
  MessageReader reader_;
};

template <class T>
Bytes bytes_of(const T& v) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&v, 1));
}

// A path for sockaddr_un; too long is Errc::invalid_argument.
Result<Fd> connect_unix(const std::string& path);
// A socket that listens at `path`. A socket file that nobody listens on any more is replaced; a live one is Errc::busy.
Result<Fd> listen_unix(const std::string& path);

}  // namespace hcq::models::served
