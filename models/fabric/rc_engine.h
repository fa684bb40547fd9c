// SPDX-License-Identifier: MIT
// RcEngine: the wire part of a NIC model. It owns the queue pairs of one port, hands each packet to the one it is for,
// and lets them send in turn. Not thread-safe: one thread (or one lock) drives it, and the callbacks come from there.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "models/fabric/rc_requester.h"
#include "models/fabric/rc_responder.h"

namespace hcq::models::fabric {

enum class QpState : std::uint8_t { ready_to_receive, ready_to_send, error };

// One queue pair, from RTR on; before that a NIC does not listen. Made by RcEngine.
class RcQp {
 public:
  RcQp(const RcConfig& config, RcMemory& memory, RcEvents& events, Port& port, Mac mac);
  const RcConfig& config() const { return c_.config; }
  QpState state() const { return state_; }
  const RcCounters& counters() const { return c_.counters; }

 private:
  friend class RcEngine;
  bool accepts(const Packet& p) const;
  void on_packet(const Packet& p, Time now);
  bool transmit(Time now, unsigned packets);
  bool idle() const { return requester_.idle() && responder_.idle(); }
  void settle();
  void to_error();

  RcContext c_;
  RcRequester requester_;
  RcResponder responder_;
  QpState state_ = QpState::ready_to_receive;
  bool active_ = false;
};

// Frames that are not for an RC queue pair. Called from RcEngine::poll().
class EngineEvents {
 public:
  virtual ~EngineEvents() = default;
  // A valid RoCEv2 packet of another transport: UD, congestion notification.
  virtual void other_packet(const Packet&) {}
  // A frame that is not RoCEv2: ARP, or whatever the host's network stack would get.
  virtual void other_frame(Bytes, Time) {}
};

struct EngineCounters {
  std::uint64_t frames = 0;
  std::array<std::uint64_t, 16> verdicts{};  // by FrameVerdict
  std::uint64_t unknown_qp = 0, not_for_us = 0, congestion_marked = 0;
};

class RcEngine {
 public:
  // `mac` is the port's address: frames to another one are not taken.
  RcEngine(Port& port, Mac mac, RcMemory& memory, RcEvents& events, EngineEvents* others = nullptr);

  // In RTR: answers, and does not send. Fails when the QPN exists or the configuration makes no sense.
  Status create(const RcConfig& config);
  Status ready_to_send(std::uint32_t qpn, std::uint32_t send_psn);
  // Completes what is posted as flushed. Nothing is sent any more.
  void to_error(std::uint32_t qpn);
  // No callback for it comes afterwards. Not from inside a callback.
  void destroy(std::uint32_t qpn);
  const RcQp* find(std::uint32_t qpn) const;
  // False when there is no such queue pair, or its send queue is full, or the request has too many segments.
  bool post_send(std::uint32_t qpn, const SendRequest& request);
  // Holds back new messages of a queue pair (SQD) or lets them go.
  void hold(std::uint32_t qpn, bool on);

  struct Progress {
    bool more = false;         // there is work now: call again soon
    std::optional<Time> next;  // otherwise, when there will be some without a frame arriving
  };
  // Takes what has arrived and sends what may be sent, a bounded amount.
  Progress poll(Time now);
  const EngineCounters& counters() const { return counters_; }

 private:
  void take(const Frame& frame, Time now);
  void activate(RcQp& qp);

  Port& port_;
  const Mac mac_;
  RcMemory& memory_;
  RcEvents& events_;
  EngineEvents* const others_;
  std::unordered_map<std::uint32_t, std::unique_ptr<RcQp>> qps_;
  std::vector<RcQp*> active_;  // those with something under way
  EngineCounters counters_;
};

}  // namespace hcq::models::fabric
