// SPDX-License-Identifier: MIT
#include "drivers/pci/event_irq.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

namespace hcq::pci {

Result<std::unique_ptr<EventIrq>> EventIrq::create() {
  Fd fd{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!fd.valid()) return errno_error(errno, "irq", "eventfd");
  return std::unique_ptr<EventIrq>(new EventIrq(std::move(fd)));
}

Result<bool> EventIrq::wait(Deadline deadline) {
  for (;;) {
    std::uint64_t count = 0;
    if (::read(fd_.get(), &count, sizeof count) == static_cast<ssize_t>(sizeof count)) return true;
    if (errno != EAGAIN && errno != EINTR) return errno_error(errno, "irq", "eventfd");
    if (deadline.expired()) return false;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline.remaining()).count();
    const timespec limit{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    pollfd p{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    if (::ppoll(&p, 1, &limit, nullptr) < 0 && errno != EINTR) return errno_error(errno, "irq", "eventfd");
  }
}

}  // namespace hcq::pci
