// SPDX-License-Identifier: MIT
#include "drivers/pci/host.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "base/deadline.h"
#include "base/file.h"

namespace hcq::pci {

namespace {

// The slowest regular answer is the removal of a loaded GPU driver, which takes some seconds.
constexpr std::chrono::seconds kAttributeLimit{30};

bool hex_field(std::string_view text, unsigned max, unsigned& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
  return error == std::errc{} && end == text.data() + text.size() && out <= max;
}

// Runs between fork and exit: only calls that are safe there.
[[noreturn]] void child_write(const char* path, const char* text, std::size_t size, int answer) {
  int err = 0;
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) err = errno;
  else if (const ssize_t n = ::write(fd, text, size); n < 0) err = errno;
  else if (static_cast<std::size_t>(n) != size) err = EIO;
  if (::write(answer, &err, sizeof err) < 0) ::_exit(1);
  ::_exit(0);
}

}  // namespace

Host::Host()
    : write_attribute([](const std::string& path, std::string_view text) {
        return write_attribute_within(path, text, kAttributeLimit);
      }) {}

Host Host::system() {
  Host host;
  if (::access(host.lock_directory.c_str(), W_OK | X_OK) != 0) {
    const char* temporary = std::getenv("TMPDIR");
    host.lock_directory = temporary && *temporary ? temporary : "/tmp";
  }
  return host;
}

Result<std::string> parse_bdf(std::string_view text) {
  const auto bad = [&] {
    return Error{.code = Errc::invalid_argument,
                 .operation = "parse",
                 .subject = std::string(text),
                 .detail = "not a PCI address",
                 .hint = "write it as 0000:03:00.0 or 03:00.0"};
  };
  const std::size_t dot = text.rfind('.');
  const std::size_t colon = text.rfind(':', dot);
  if (dot == std::string_view::npos || colon == std::string_view::npos || colon == 0) return bad();
  const std::size_t first = text.rfind(':', colon - 1);
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  if (first != std::string_view::npos && !hex_field(text.substr(0, first), 0xffffffffu, domain)) return bad();
  const std::size_t bus_at = first == std::string_view::npos ? 0 : first + 1;
  if (!hex_field(text.substr(bus_at, colon - bus_at), 0xff, bus) ||
      !hex_field(text.substr(colon + 1, dot - colon - 1), 0x1f, slot) || !hex_field(text.substr(dot + 1), 7, function))
    return bad();
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, slot, function);
}

Result<std::uint64_t> read_number(const std::string& path) {
  const std::string text = HCQ_TRY(read_text(path));
  const bool hex = text.starts_with("0x");
  const char* begin = text.data() + (hex ? 2 : 0);
  const char* end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
  if (error != std::errc{} || stop != end)
    return Error{.code = Errc::corrupt,
                 .operation = "read",
                 .subject = path,
                 .detail = fmt::format("\"{}\" is not a number", text.substr(0, 40))};
  return value;
}

std::string link_name(const std::string& path) {
  std::array<char, 4096> target{};
  const ssize_t n = ::readlink(path.c_str(), target.data(), target.size());
  if (n <= 0) return {};
  const std::string_view view(target.data(), static_cast<std::size_t>(n));
  return std::string(view.substr(view.rfind('/') + 1));
}

Status write_attribute_within(const std::string& path, std::string_view text, std::chrono::milliseconds limit) {
  const std::string content(text);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return errno_error(errno, "pipe", path);
  Fd answer{ends[0]}, child_end{ends[1]};
  const pid_t child = ::fork();
  if (child < 0) return errno_error(errno, "fork", path);
  if (child == 0) child_write(path.c_str(), content.data(), content.size(), child_end.get());
  child_end.reset();

  const Deadline deadline = Deadline::in(limit);
  int err = 0;
  pollfd p{.fd = answer.get(), .events = POLLIN, .revents = 0};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.remaining());
    const int r = ::poll(&p, 1, static_cast<int>(left.count()));
    if (r < 0 && errno == EINTR) continue;
    if (r <= 0)
      return Error{.code = Errc::timeout,
                   .operation = "write",
                   .subject = path,
                   .detail = fmt::format("the kernel has not answered within {} ms", limit.count()),
                   .hint = "look at the kernel log; if the driver hangs, the machine needs a reboot"};
    break;
  }
  const ssize_t n = ::read(answer.get(), &err, sizeof err);
  ::waitpid(child, nullptr, 0);
  if (n != static_cast<ssize_t>(sizeof err)) err = EIO;
  if (err != 0) return errno_error(err, "write", path);
  return {};
}

}  // namespace hcq::pci
