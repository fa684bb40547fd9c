// SPDX-License-Identifier: MIT
// A program of ours as a child process, with its output in pipes. Only ends what it started.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline.h"

namespace hcq::test {

class Child {
 public:
  // `environment` is added to this process's: "NAME=value".
  Child(std::vector<std::string> command, const std::vector<std::string>& environment = {}) {
    int out[2], err[2];
    if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) return;
    std::vector<char*> argv;
    for (std::string& c : command) argv.push_back(c.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(out[1], 1);
      ::dup2(err[1], 2);
      for (const std::string& e : environment) ::putenv(const_cast<char*>(e.c_str()));
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(out[1]);
    ::close(err[1]);
    fds_ = {out[0], err[0]};
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    signal(SIGKILL);
    (void)wait(Deadline::in(std::chrono::seconds(10)));
    for (const int fd : fds_)
      if (fd >= 0) ::close(fd);
  }

  pid_t pid() const { return pid_; }
  void signal(int number) {
    if (pid_ > 0 && !status_) ::kill(pid_, number);
  }
  // Reads output until `text` has appeared in it (stdout or stderr); false when the program ends or time is up first.
  bool until(const std::string& text, Deadline deadline) {
    while (out.find(text) == std::string::npos && err.find(text) == std::string::npos)
      if (!pump(deadline)) return out.find(text) != std::string::npos || err.find(text) != std::string::npos;
    return true;
  }
  bool until_lines(unsigned lines_of_err, Deadline deadline) {
    const auto count = [&] { return static_cast<unsigned>(std::count(err.begin(), err.end(), '\n')); };
    while (count() < lines_of_err)
      if (!pump(deadline)) return count() >= lines_of_err;
    return true;
  }
  // Exit code, or 128 + the signal that ended it; -1 when it still runs at the deadline.
  int wait(Deadline deadline) {
    while (pump(deadline)) continue;
    while (!status_) {
      int s = 0;
      if (::waitpid(pid_, &s, WNOHANG) == pid_) status_ = WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
      else if (deadline.expired()) return -1;
      else ::usleep(500);
    }
    return *status_;
  }

  std::string out, err;

 private:
  // False: both pipes are at their end, or time is up.
  bool pump(Deadline deadline) {
    std::array<pollfd, 2> p{pollfd{fds_[0], POLLIN, 0}, pollfd{fds_[1], POLLIN, 0}};
    if (fds_[0] < 0 && fds_[1] < 0) return false;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline.remaining()).count();
    if (::poll(p.data(), 2, static_cast<int>(left)) <= 0) return !deadline.expired();
    for (std::size_t i = 0; i < 2; ++i) {
      if (!p[i].revents) continue;
      char buffer[4096];
      const ssize_t n = ::read(fds_[i], buffer, sizeof buffer);
      if (n > 0) (i ? err : out).append(buffer, static_cast<std::size_t>(n));
      if (n == 0) ::close(std::exchange(fds_[i], -1));
    }
    return true;
  }

  pid_t pid_ = -1;
  std::array<int, 2> fds_{-1, -1};
  std::optional<int> status_;
};

}  // namespace hcq::test
