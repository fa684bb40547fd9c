// SPDX-License-Identifier: MIT
#include "tools/smi/lib/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <sstream>

#include "base/deadline.h"
#include "base/file.h"
#include "tools/smi/lib/json.h"

namespace hcq::smi {

namespace {

using std::chrono::milliseconds;

bool holds(const std::vector<pci::LockHolder>& holders, int pid) {
  return std::any_of(holders.begin(), holders.end(), [&](const pci::LockHolder& h) { return h.pid == pid; });
}

// Fields of /proc/PID/stat after the command name in brackets: 0 is the state, 1 the parent, 19 the start time.
std::optional<std::string> stat_field(const pci::Host& host, int pid, unsigned index) {
  const auto text = read_text(fmt::format("{}/{}/stat", host.proc, pid));
  if (!text.ok()) return std::nullopt;
  const std::size_t name_end = text->rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream words(text->substr(name_end + 1));
  std::string word;
  for (unsigned i = 0; i <= index; ++i)
    if (!(words >> word)) return std::nullopt;
  return word;
}

bool is_self_or_ancestor(const pci::Host& host, int pid) {
  int p = ::getpid();
  for (unsigned depth = 0; depth < 64 && p > 1; ++depth) {
    if (p == pid) return true;
    const auto parent = stat_field(host, p, 1);
    if (!parent) break;
    p = 0;
    std::from_chars(parent->data(), parent->data() + parent->size(), p);
  }
  return false;
}

Error refuse(const Target& t, std::string detail, std::string hint) {
  return Error{.code = Errc::refused,
               .device = t.address(),
               .operation = "kill-pids",
               .detail = std::move(detail),
               .hint = std::move(hint)};
}

// One process under a pidfd: what is signalled is what was looked at, even if the number is used again.
class Victim {
 public:
  static Result<Victim> open(const pci::Host& host, const Target& t, const pci::LockHolder& h) {
    if (h.pid == 0)
      return refuse(t, "the holder is in another container or belongs to another user and cannot be seen from here",
                    "run hcq-smi as root on the host");
    if (!h.certain)
      return refuse(t, fmt::format("pid {} took the lock, but whether it still holds it cannot be seen", h.pid),
                    "run hcq-smi as root to be sure");
    if (h.pid == 1 || is_self_or_ancestor(host, h.pid))
      return refuse(t, fmt::format("pid {} is the first process, hcq-smi itself or one that started it", h.pid),
                    "end it by hand");
    Victim v;
    v.pid_ = h.pid;
    v.fd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, h.pid, 0)));
    if (!v.fd_.valid() && errno != ESRCH) return errno_error(errno, "kill-pids", fmt::format("pid {}", h.pid));
    return v;
  }

  int pid() const { return pid_; }
  bool gone(milliseconds wait) const {
    if (!fd_.valid()) return true;
    pollfd p{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    return ::poll(&p, 1, static_cast<int>(wait.count())) > 0;
  }
  Status signal(const pci::Host& host, const Target& t, int number) const {
    if (!fd_.valid() || !holds(holders_of(host, t), pid_)) return {};  // it has let go meanwhile
    if (::syscall(SYS_pidfd_send_signal, fd_.get(), number, nullptr, 0) == 0 || errno == ESRCH) return {};
    Error e = errno_error(errno, "kill-pids", fmt::format("pid {}", pid_));
    e.device = t.address();
    if (e.code == Errc::permission) e.hint = "run as the owner of that process, or as root";
    return e;
  }

 private:
  int pid_ = 0;
  Fd fd_;
};

// Looks from time to time whether `h` has ended or let go of the lock.
bool let_go(const pci::Host& host, const Target& t, const Victim& v, milliseconds limit) {
  const Deadline deadline = Deadline::in(limit);
  do {
    if (v.gone(milliseconds(50)) || !holds(holders_of(host, t), v.pid())) return true;
  } while (!deadline.expired());
  return false;
}

Status end_one(const pci::Host& host, const Target& t, const Victim& v, const KillOptions& o) {
  o.say(fmt::format("{}: SIGTERM to pid {}", t.address(), v.pid()));
  HCQ_TRY(v.signal(host, t, SIGTERM));
  if (let_go(host, t, v, o.grace)) return {};
  o.say(fmt::format("{}: pid {} is still there after {} ms, SIGKILL", t.address(), v.pid(), o.grace.count()));
  HCQ_TRY(v.signal(host, t, SIGKILL));
  if (let_go(host, t, v, o.limit)) return {};
  const auto where = read_text(fmt::format("{}/{}/wchan", host.proc, v.pid()));
  return Error{.code = Errc::timeout,
               .device = t.address(),
               .operation = "kill-pids",
               .subject = fmt::format("pid {}", v.pid()),
               .detail = fmt::format("not gone after SIGKILL; state {}, waits in the kernel: {}",
                                     stat_field(host, v.pid(), 0).value_or("?"), where.ok() ? *where : "unknown"),
               .hint = "look at the kernel log; the machine may need a reboot"};
}

std::string list_for_question(const Target& t, const std::vector<pci::LockHolder>& holders) {
  std::string text;
  for (const pci::LockHolder& h : holders) text += fmt::format("{}  {}\n", t.address(), printable(describe(h)));
  return text;
}

json processes_of(const std::vector<pci::LockHolder>& list) {
  json j = json::array();
  for (const pci::LockHolder& h : list) j.push_back(holder_json(h));
  return j;
}

}  // namespace

std::vector<Processes> find_processes(const pci::Host& host, const std::vector<Target>& targets) {
  std::vector<Processes> all;
  for (const Target& t : targets) {
    Processes p{.target = t, .holders = holders_of(host, t), .users = {}};
    for (pci::LockHolder& h : pci::openers_of(host, device_nodes(host, t)))
      if (!holds(p.holders, h.pid)) p.users.push_back(std::move(h));
    all.push_back(std::move(p));
  }
  return all;
}

std::string processes_text(const std::vector<Processes>& all) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const Processes& p, const std::vector<pci::LockHolder>& list, const char* use) {
    for (const pci::LockHolder& h : list)
      rows.push_back({h.pid ? fmt::format("{}", h.pid) : "?", p.target.address(), use,
                      printable(h.pid ? h.command : describe(h)) + (h.certain ? "" : " (may have passed it on)")});
  };
  for (const Processes& p : all) {
    add(p, p.holders, "holds");
    add(p, p.users, "open");
  }
  return rows.empty() ? std::string() : table_text(rows);
}

std::string processes_json(const std::vector<Processes>& all) {
  json j = {{"devices", json::array()}};
  for (const Processes& p : all)
    j["devices"].push_back({{"address", p.target.address()},
                            {"lock_holders", processes_of(p.holders)},
                            {"node_users", processes_of(p.users)}});
  return document(j);
}

Result<KillReport> kill_holders(const pci::Host& host, const Target& target, const KillOptions& options) {
  KillReport report;
  std::vector<pci::LockHolder> holders = holders_of(host, target);
  if (holders.empty()) return report;
  if (!options.confirm(list_for_question(target, holders)))
    return refuse(target, "nothing was ended", "answer y, or pass --yes");
  // A process may hand the lock to a child while it ends, so look again; sixteen generations are enough.
  for (unsigned round = 0; round < 16 && !holders.empty(); ++round) {
    std::vector<Victim> victims;
    for (const pci::LockHolder& h : holders) victims.push_back(HCQ_TRY(Victim::open(host, target, h)));
    for (const Victim& v : victims) {
      HCQ_TRY(end_one(host, target, v, options));
      report.ended.push_back(v.pid());
      report.dirty = true;
    }
    holders = holders_of(host, target);
  }
  if (!holders.empty())
    return Error{.code = Errc::busy,
                 .device = target.address(),
                 .operation = "kill-pids",
                 .detail = fmt::format("still in use by {}", describe(holders[0])),
                 .hint = "something starts it again; stop that first"};
  return report;
}

}  // namespace hcq::smi
