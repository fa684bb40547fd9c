// SPDX-License-Identifier: MIT
#include "tools/smi/lib/kernel_driver.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/deadline.h"
#include "base/file.h"
#include "drivers/pci/iomem.h"
#include "tools/smi/lib/json.h"
#include "tools/smi/lib/known.h"

namespace hcq::smi {

namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : between) + w;
  return text;
}

std::vector<std::string> modules(const std::string& family) {
  if (!family.empty()) return modules_of(family);
  std::vector<std::string> all = modules_of("nv");
  for (std::string& m : modules_of("am")) all.push_back(std::move(m));
  return all;
}

bool belongs(const Target& t, const std::string& family) {
  const KnownKind* kind = kind_of(t.info.identity);
  if (!kind) return false;
  const std::string_view f = kind->family;
  return family.empty() ? f == "am" || f == "nv" : f == family;
}

std::vector<Target> devices_of(const pci::Host& host, const std::string& family) {
  std::vector<Target> all;
  auto found = find_targets(host, {.device = {}, .family = family, .bus_prefix = {}});
  if (!found.ok()) return all;
  for (Target& t : found->targets)
    if (belongs(t, family)) all.push_back(std::move(t));
  return all;
}

Error refused(std::string device, const char* operation, const std::vector<std::string>& why) {
  return Error{.code = Errc::refused,
               .device = std::move(device),
               .operation = operation,
               .detail = joined(why, "; "),
               .hint = "end what uses it, or pass --force"};
}

// Runs a program without a shell and waits; its output is the user's.
Status run(const std::vector<std::string>& command, std::chrono::milliseconds limit) {
  std::vector<char*> argv;
  for (const std::string& w : command) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return errno_error(errno, "fork", command[0]);
  if (child == 0) {
    ::dup2(2, 1);  // stdout is for our own answer
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  const Deadline deadline = Deadline::in(limit);
  int status = 0;
  for (Backoff backoff; ::waitpid(child, &status, WNOHANG) == 0; backoff.pause())
    if (deadline.expired())
      return Error{.code = Errc::timeout,
                   .operation = command[0],
                   .subject = joined(command, " "),
                   .detail = fmt::format("has not ended within {} ms", limit.count()),
                   .hint = "look at the kernel log; if the driver hangs, the machine needs a reboot"};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return Error{.code = code == 127 ? Errc::not_found : Errc::io,
               .operation = command[0],
               .subject = joined(command, " "),
               .detail = code == 127 ? "the program cannot be run" : fmt::format("ended with code {}", code),
               .hint = ::geteuid() == 0 ? "" : "run as root"};
}

Status write(const pci::Host& host, const std::string& device, const std::string& path, const std::string& text) {
  Status s = host.write_attribute(path, text);
  if (s.ok()) return s;
  Error e = pci::on_device(std::move(s).error(), device);
  if (e.code == Errc::permission && e.hint.empty()) e.hint = "run as root";
  return e;
}

std::string driver_of(const pci::Host& host, const std::string& bdf) {
  return pci::link_name(host.device_directory(bdf) + "/driver");
}

Status function_only(const Target& t, const char* operation) {
  if (!t.is_model()) return {};
  return Error{.code = Errc::invalid_argument,
               .device = t.address(),
               .operation = operation,
               .detail = "a served model has no kernel driver"};
}

}  // namespace

std::vector<std::string> loaded_modules(const pci::Host& host, const std::string& family) {
  std::vector<std::string> loaded;
  for (std::string& m : modules(family))
    if (path_exists(host.sysfs + "/module/" + m)) loaded.push_back(std::move(m));
  return loaded;
}

std::vector<std::string> unbind_obstacles(const pci::Host& host, const Target& t) {
  std::vector<std::string> why;
  for (const pci::LockHolder& h : holders_of(host, t))
    why.push_back(printable(fmt::format("{} is driven by {}", t.address(), describe(h))));
  for (const pci::LockHolder& h : pci::openers_of(host, device_nodes(host, t)))
    why.push_back(printable(fmt::format("{} is in use by {}", t.address(), describe(h))));
  const pci::FramebufferUse use = pci::find_framebuffer(host, t.info.bars);
  if (!use.owner.empty()) why.push_back(fmt::format("{} carries the framebuffer {}", t.address(), use.owner));
  else if (t.info.boot_display) why.push_back(fmt::format("{} shows the console, which would go dark", t.address()));
  return why;
}

Status remove_modules(const pci::Host& host, const std::string& family, const DriverOptions& options) {
  const std::vector<std::string> loaded = loaded_modules(host, family);
  if (loaded.empty()) {
    options.say(fmt::format("none of {} is loaded", joined(modules(family), ", ")));
    return {};
  }
  std::vector<std::string> why;
  for (const Target& t : devices_of(host, family)) {
    if (std::find(loaded.begin(), loaded.end(), t.info.driver) == loaded.end()) continue;
    for (std::string& reason : unbind_obstacles(host, t)) why.push_back(std::move(reason));
  }
  if (!why.empty() && !options.force) return refused({}, "rmmod", why);
  options.say(fmt::format("unloading {}; if the driver hangs, the machine may need a reboot", joined(loaded, ", ")));
  std::vector<std::string> command{options.modprobe, "-r"};
  command.insert(command.end(), loaded.begin(), loaded.end());
  HCQ_TRY(run(command, options.limit));
  const std::vector<std::string> left = loaded_modules(host, family);
  if (left.empty()) return {};
  return Error{.code = Errc::busy,
               .operation = "rmmod",
               .detail = joined(left, ", ") + " still loaded",
               .hint = "something loaded it again, or uses it; see lsmod"};
}

Status insert_modules(const pci::Host& host, const std::string& family, const DriverOptions& options) {
  std::vector<std::string> why;
  for (const Target& t : devices_of(host, family))
    for (const pci::LockHolder& h : holders_of(host, t))
      why.push_back(printable(fmt::format("{} is driven by {}", t.address(), describe(h))));
  if (!why.empty()) return refused({}, "insmod", why);  // two drivers on one device: no flag for that
  for (const Target& t : devices_of(host, family))
    if (t.info.driver == "vfio-pci")
      options.say(fmt::format("{} stays with vfio-pci; hcq-smi bind gives it to the new driver", t.address()));
  std::vector<std::string> command{options.modprobe, "-a"};
  // The last one that is unloaded is the one that the others need.
  if (family != "nv") command.push_back(family.empty() ? "amdgpu" : modules_of(family).back());
  if (family.empty() || family == "nv") command.insert(command.end(), {"nvidia", "nvidia_uvm"});
  command.erase(std::unique(command.begin(), command.end()), command.end());
  options.say("loading " + joined({command.begin() + 2, command.end()}, ", "));
  return run(command, options.limit);
}

Status unbind_driver(const pci::Host& host, const Target& t, const DriverOptions& options) {
  HCQ_TRY(function_only(t, "unbind"));
  const std::string driver = driver_of(host, t.address());
  if (driver.empty()) {
    options.say(fmt::format("{} has no kernel driver", t.address()));
    return {};
  }
  if (const auto why = unbind_obstacles(host, t); !why.empty() && !options.force)
    return refused(t.address(), "unbind", why);
  options.say(
      fmt::format("{}: taking it from {}; if that driver hangs, the machine may need a reboot", t.address(), driver));
  HCQ_TRY(write(host, t.address(), host.device_directory(t.address()) + "/driver/unbind", t.address()));
  const Deadline deadline = Deadline::in(options.limit);
  for (Backoff backoff; !driver_of(host, t.address()).empty(); backoff.pause())
    if (deadline.expired())
      return Error{.code = Errc::timeout,
                   .device = t.address(),
                   .operation = "unbind",
                   .detail = fmt::format("{} has not let go", driver),
                   .hint = "look at the kernel log"};
  return {};
}

Status bind_driver(const pci::Host& host, const Target& t, const std::string& driver, const DriverOptions& options) {
  HCQ_TRY(function_only(t, "bind"));
  if (driver.find('/') != std::string::npos)
    return Error{.code = Errc::invalid_argument, .operation = "bind", .subject = driver, .detail = "not a driver name"};
  if (!driver.empty() && driver_of(host, t.address()) == driver) {
    options.say(fmt::format("{} has {} already", t.address(), driver));
    return {};
  }
  if (const auto held = holders_of(host, t); !held.empty())
    return refused(t.address(), "bind", {printable("it is driven by " + describe(held[0]))});
  if (!driver.empty() && !path_exists(host.sysfs + "/bus/pci/drivers/" + driver))
    return Error{.code = Errc::not_found,
                 .operation = "bind",
                 .subject = driver,
                 .detail = "there is no such PCI driver in the kernel",
                 .hint = "load it first: modprobe " + driver};
  if (!driver_of(host, t.address()).empty()) HCQ_TRY(unbind_driver(host, t, options));
  options.say(fmt::format("{}: giving it to {}", t.address(), driver.empty() ? "the driver the kernel finds" : driver));
  // An override is cleared by a newline; an empty write does nothing.
  const std::string attribute = host.device_directory(t.address()) + "/driver_override";
  HCQ_TRY(write(host, t.address(), attribute, driver.empty() ? "\n" : driver));
  HCQ_TRY(write(host, t.address(), host.sysfs + "/bus/pci/drivers_probe", t.address()));
  const Deadline deadline = Deadline::in(options.limit);
  std::string now;
  for (Backoff backoff; (now = driver_of(host, t.address())).empty(); backoff.pause())
    if (deadline.expired()) break;
  if (!now.empty() && (driver.empty() || now == driver)) {
    options.say(fmt::format("{}: bound to {}", t.address(), now));
    return {};
  }
  return Error{.code = Errc::io,
               .device = t.address(),
               .operation = "bind",
               .detail = now.empty() ? "no driver took it" : fmt::format("it went to {}", now),
               .hint = "look at the kernel log"};
}

}  // namespace hcq::smi
