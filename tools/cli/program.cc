// SPDX-License-Identifier: MIT
#include "tools/cli/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

namespace hcq::cli {
namespace {

// The number of a closed standard file would go to the next file that is opened, and a line for stderr would end in a
// device's registers. Writing to standard output that was closed still has to fail, so its stand-in is not writable.
void occupy_standard_files() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);  // takes the lowest free number: this one
}

int complain(const char* name, const char* what, const char* why) {
  std::fprintf(stderr, "%s: %s%s\n", name, what, why);
  return kFailed;
}

}  // namespace

Exit exit_code(const Error& e) {
  switch (e.code) {
    case Errc::invalid_argument:
      return kUsage;
    case Errc::not_found:
      return kNotFound;
    case Errc::refused:
      return kRefused;
    default:
      return kFailed;
  }
}

int run_program(const char* name, const std::function<int()>& body) {
  occupy_standard_files();
  // A reader that goes away, or a file that grows beyond the limit, must not end the process while a device is open;
  // the write fails instead.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const int code = body();
    const bool written = std::fflush(stdout) == 0 && !std::ferror(stdout);
    return code != 0 || written ? code : complain(name, "standard output: ", std::strerror(errno));
  } catch (const std::bad_alloc&) {
    return complain(name, "out of memory", "");
  } catch (const std::system_error& e) {  // fmt::print, or a thread that could not be started
    return complain(name, std::ferror(stdout) ? "standard output: " : "", std::strerror(e.code().value()));
  }
}

}  // namespace hcq::cli
