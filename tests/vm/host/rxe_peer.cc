// SPDX-License-Identifier: MIT
// The other end of the wire for tests/vm/scenarios/rxe: an RC queue pair of models/fabric on QEMU's datagram network,
// told what to do by the guest over a serial line.
//
// Usage: vm_rxe_peer LOCAL_SOCKET REMOTE_SOCKET CONTROL_SOCKET [CAPTURE]
//
// The control line carries one command a line and one answer a line:
//   qp QPN PSN MY_PSN MTU        connect a fresh queue pair to the guest's    -> qp QPN KEY ADDRESS
//   recv ID OFFSET LENGTH        post a receive buffer                        -> ok
//   post OP OFFSET LENGTH KEY ADDRESS [SWAP COMPARE]                          -> ok
//   sent                         wait for the oldest send completion          -> sent STATUS LENGTH
//   received                     wait for the oldest receive completion       -> received ID OP STATUS LENGTH IMMEDIATE
//   fill OFFSET LENGTH SEED / check OFFSET LENGTH SEED                        -> ok, or bad AT
//   set OFFSET VALUE / get OFFSET                                             -> ok / value VALUE
//   weather WAY LOSS DUPLICATE REORDER BIT_ERROR SEED (per cent)              -> ok; WAY 1 to the peer, 2 to the guest
//   counters                     -> counters FRAMES BAD_ICRC RETRANSMITTED OUT_OF_ORDER DUPLICATES LOST
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <deque>
#include <sstream>

#include "base/deadline.h"
#include "models/fabric/arp.h"
#include "models/fabric/datagram_link.h"
#include "models/fabric/rc_engine.h"
#include "models/fabric/region_table.h"
#include "tests/vm/guest/rxe_pattern.h"

namespace {

using namespace hcq;
using namespace hcq::models::fabric;
using namespace std::chrono_literals;

constexpr std::uint32_t kPd = 1;
constexpr std::uint64_t kBase = 0x5500'0000'1000;
constexpr std::size_t kBytes = 1 << 20;

class Peer final : public RcEvents, public EngineEvents {
 public:
  Peer(Fabric& fabric, DatagramLink& link, const Fd& wake)
      : link_(link), port_(fabric.attach("nic")), engine_(port_, kMac, table_, *this, this) {
    key_ = table_.add(kPd, kBase, memory_, {true, true, true, true});
    port_.on_arrival([&wake] { (void)::eventfd_write(wake.get(), 1); });
  }

  bool take_receive(std::uint32_t, ReceiveRequest& out) override {
    if (receives_.empty()) return false;
    out = receives_.front();
    receives_.pop_front();
    return true;
  }
  void send_done(std::uint32_t, const SendCompletion& c) override { sent_.push_back(c); }
  void receive_done(std::uint32_t, const ReceiveCompletion& c) override { received_.push_back(c); }
  void failed(std::uint32_t, RcStatus) override {}
  void other_frame(Bytes frame, Time now) override { answer_arp(frame, kGid, kMac, port_, now); }

  RcEngine::Progress poll() { return engine_.poll(steady_now()); }

  // The answer to one command; empty while it has to wait.
  std::string command(const std::string& line) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    if (word == "qp") return connect(in);
    if (word == "post") return post(in);
    if (word == "recv") {
      ReceiveRequest r;
      std::uint64_t offset = 0;
      in >> r.id >> offset >> r.segments[0].length;
      r.segments[0].address = kBase + offset, r.segments[0].key = key_, r.count = 1;
      receives_.push_back(r);
      return "ok";
    }
    if (word == "sent") {
      if (sent_.empty()) return {};
      const SendCompletion c = sent_.front();
      sent_.pop_front();
      return fmt::format("sent {} {}", static_cast<int>(c.status), c.length);
    }
    if (word == "received") {
      if (received_.empty()) return {};
      const ReceiveCompletion c = received_.front();
      received_.pop_front();
      return fmt::format("received {} {} {} {} {}", c.id, static_cast<int>(c.op), static_cast<int>(c.status), c.length,
                         c.immediate);
    }
    return memory_command(word, in);
  }

 private:
  std::string connect(std::istream& in) {
    if (qpn_ != 0) engine_.destroy(qpn_);
    RcConfig c;
    in >> c.remote_qpn >> c.receive_psn >> c.send_psn >> c.mtu;
    c.qpn = qpn_ = ++next_qpn_;
    c.pd = kPd;
    c.route.source_mac = kMac, c.route.destination_mac = kGuestMac;
    c.route.source = kGid, c.route.destination = kGuestGid;
    c.timeout = 17, c.retry = 20;  // the guest is emulated, and on a busy machine
    sent_.clear(), received_.clear(), receives_.clear();
    Status s = engine_.create(c);
    if (s.ok()) s = engine_.ready_to_send(c.qpn, c.send_psn);
    return s.ok() ? fmt::format("qp {} {} {}", c.qpn, key_, kBase) : "error " + describe(s.error());
  }

  std::string post(std::istream& in) {
    int op = 0;
    std::uint64_t offset = 0;
    SendRequest r;
    Segment s;
    in >> op >> offset >> s.length >> r.remote_key >> r.remote_address;
    in >> r.swap_or_add >> r.compare;  // may be missing
    s.address = kBase + offset, s.key = key_;
    r.op = static_cast<RcOp>(op), r.segments = {&s, 1}, r.immediate = 0x1234abcd;
    return engine_.post_send(qpn_, r) ? "ok" : "error not posted";
  }

  std::string memory_command(const std::string& word, std::istream& in) {
    std::uint64_t offset = 0, length = 0, seed = 0;
    if (word == "fill" || word == "check") {
      in >> offset >> length >> seed;
      if (offset > kBytes || length > kBytes - offset) return "error range";
      const MutableBytes part = MutableBytes(memory_).subspan(offset, length);
      if (word == "fill") {
        vm::fill_pattern(part, seed);
        return "ok";
      }
      const long bad = vm::find_mismatch(part, seed);
      return bad < 0 ? "ok" : fmt::format("bad {}", bad);
    }
    if (word == "set" || word == "get") {
      in >> offset >> length;
      if (offset > kBytes - 8) return "error range";
      if (word == "set") std::memcpy(memory_.data() + offset, &length, 8);
      else std::memcpy(&length, memory_.data() + offset, 8);
      return word == "set" ? "ok" : fmt::format("value {}", length);
    }
    if (word == "weather") {
      unsigned way = 0;
      Impairments how;
      in >> way >> how.loss >> how.duplicate >> how.reorder >> how.bit_error >> how.seed;
      how.loss /= 100, how.duplicate /= 100, how.reorder /= 100, how.bit_error /= 100;
      port_.impair((way & 1) != 0 ? how : Impairments{});
      ++how.seed;
      link_.port().impair((way & 2) != 0 ? how : Impairments{});
      return "ok";
    }
    if (word == "counters") {
      const RcQp* const qp = engine_.find(qpn_);
      const RcCounters c = qp == nullptr ? RcCounters{} : qp->counters();
      return fmt::format("counters {} {} {} {} {} {}", engine_.counters().frames,
                         engine_.counters().verdicts[static_cast<std::size_t>(FrameVerdict::bad_icrc)], c.retransmitted,
                         c.out_of_order, c.duplicates, port_.counters().lost + link_.port().counters().lost);
    }
    return "error unknown command";
  }

  static constexpr Mac kMac{0x52, 0x54, 0, 0, 0, 2}, kGuestMac{0x52, 0x54, 0, 0, 0, 1};
  static constexpr Gid kGid = Gid::ipv4(10, 0, 0, 2), kGuestGid = Gid::ipv4(10, 0, 0, 1);
  DatagramLink& link_;
  Port& port_;
  RegionTable table_;
  std::vector<std::byte> memory_ = std::vector<std::byte>(kBytes);
  RcEngine engine_;
  std::uint32_t key_ = 0, qpn_ = 0, next_qpn_ = 0x1000;
  std::deque<ReceiveRequest> receives_;
  std::deque<SendCompletion> sent_;
  std::deque<ReceiveCompletion> received_;
};

Fd listen_at(const std::string& path) {
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un a{};
  a.sun_family = AF_UNIX;
  if (path.size() >= sizeof a.sun_path) return {};
  std::memcpy(a.sun_path, path.data(), path.size());
  ::unlink(path.c_str());
  if (::bind(fd.get(), reinterpret_cast<sockaddr*>(&a), sizeof a) != 0 || ::listen(fd.get(), 1) != 0) return {};
  return fd;
}

int serve(Peer& peer, const Fd& control, const Fd& wake) {
  std::string input, waiting;
  for (;;) {
    const auto progress = peer.poll();
    if (!waiting.empty()) {
      const std::string answer = peer.command(waiting) + "\n";
      if (answer.size() > 1) {
        waiting.clear();
        if (::send(control.get(), answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return 0;
      }
    }
    const auto line = input.find('\n');
    if (waiting.empty() && line != std::string::npos) {
      waiting = input.substr(0, line);
      input.erase(0, line + 1);
      fmt::print("{}\n", waiting);
      std::fflush(stdout);
      continue;
    }
    auto wait = progress.more ? Time{0} : Time{100ms};
    if (progress.next) wait = std::clamp<Time>(*progress.next - steady_now(), Time{0}, wait);
    const timespec limit{0, std::min<long>(wait.count(), 999'999'999)};
    pollfd fds[2] = {{control.get(), POLLIN, 0}, {wake.get(), POLLIN, 0}};
    (void)::ppoll(fds, 2, &limit, nullptr);
    eventfd_t ignored;
    (void)::eventfd_read(wake.get(), &ignored);
    if ((fds[0].revents & (POLLIN | POLLHUP)) == 0) continue;
    char buffer[4096];
    const ssize_t n = ::recv(control.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (n == 0) return 0;
    if (n > 0) input.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: vm_rxe_peer LOCAL_SOCKET REMOTE_SOCKET CONTROL_SOCKET [CAPTURE]\n");
    return 2;
  }
  Fabric fabric;
  if (argc > 4) {
    const Status s = fabric.capture(argv[4]);
    if (!s.ok()) {
      fmt::print(stderr, "{}\n", describe(s.error()));
      return 1;
    }
  }
  auto link = DatagramLink::open_unix(fabric, argv[1], argv[2]);
  if (!link.ok()) {
    fmt::print(stderr, "{}\n", describe(link.error()));
    return 1;
  }
  const Fd wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  Peer peer(fabric, **link, wake);
  const Fd listener = listen_at(argv[3]);
  if (!listener.valid()) {
    fmt::print(stderr, "cannot listen at {}\n", argv[3]);
    return 1;
  }
  const Fd control(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  return control.valid() ? serve(peer, control, wake) : 1;
}
