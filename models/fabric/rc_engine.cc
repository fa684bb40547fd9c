// SPDX-License-Identifier: MIT
#include "models/fabric/rc_engine.h"

namespace hcq::models::fabric {

namespace {

constexpr unsigned kFramesAtOnce = 256, kPacketsInTurn = 16;

Error refused(std::uint32_t qpn, std::string what) {
  return Error{.code = Errc::invalid_argument, .operation = "rc/create_qp", .actual = qpn, .detail = std::move(what)};
}

// ECN "congestion experienced" (RFC 3168).
bool marked(const Route& r) { return (r.traffic_class & 3) == 3; }

}  // namespace

RcQp::RcQp(const RcConfig& config, RcMemory& memory, RcEvents& events, Port& port, Mac mac)
    : c_{.config = config, .memory = memory, .events = events, .port = port, .mac = mac},
      requester_(c_),
      responder_(c_) {}

bool RcQp::accepts(const Packet& p) const {
  const Route& r = c_.config.route;
  return p.route.source == r.destination && p.route.destination == r.source &&
         ((p.bth.pkey ^ c_.config.pkey) & 0x7fff) == 0;
}

void RcQp::on_packet(const Packet& p, Time now) {
  ++c_.counters.received;
  switch (traits(p.bth.opcode).kind) {
    case OpcodeTraits::read_response:
    case OpcodeTraits::acknowledge:
    case OpcodeTraits::atomic_ack:
      requester_.on_response(p, now);
      break;
    default:
      responder_.on_request(p, now);
  }
  settle();
}

// Answers first, as they let the other side go on; a few packets, so that others get their turn.
bool RcQp::transmit(Time now, unsigned packets) {
  requester_.on_time(now);
  unsigned n = 0;
  while (n < packets && responder_.transmit(now)) ++n;
  while (n < packets && requester_.transmit(now)) ++n;
  settle();
  return n == packets;
}

// When one half has failed, the queue pair has. The responder still says its last word.
void RcQp::settle() {
  if (state_ == QpState::error || (!requester_.failed() && !responder_.failed())) return;
  state_ = QpState::error;
  const bool ours = requester_.failed();
  if (ours) responder_.flush();
  else requester_.flush();
  c_.events.failed(c_.config.qpn, ours ? requester_.failure() : RcStatus::local_operation);
}

void RcQp::to_error() {
  state_ = QpState::error;
  requester_.flush();
  responder_.flush();
}

RcEngine::RcEngine(Port& port, Mac mac, RcMemory& memory, RcEvents& events, EngineEvents* others)
    : port_(port), mac_(mac), memory_(memory), events_(events), others_(others) {}

Status RcEngine::create(const RcConfig& c) {
  if (c.qpn > kPsnMask || c.remote_qpn > kPsnMask) return refused(c.qpn, "QPNs have 24 bits");
  if (!is_pow2(c.mtu) || c.mtu < 256 || c.mtu > kMaxPayload) return refused(c.qpn, "no such path MTU");
  if (c.route.source.is_ipv4() != c.route.destination.is_ipv4())
    return refused(c.qpn, "source and destination GID are of different kinds");
  if (c.send_depth == 0 || c.send_depth > 65536 || c.send_segments > 256 || c.send_inline > 4096 || c.window == 0)
    return refused(c.qpn, "queue size out of range");
  if (qps_.contains(c.qpn)) return refused(c.qpn, "this QPN is in use");
  qps_.emplace(c.qpn, std::make_unique<RcQp>(c, memory_, events_, port_, mac_));
  active_.reserve(qps_.size());
  return {};
}

Status RcEngine::ready_to_send(std::uint32_t qpn, std::uint32_t send_psn) {
  const auto it = qps_.find(qpn);
  if (it == qps_.end() || it->second->state_ != QpState::ready_to_receive)
    return refused(qpn, "no such queue pair in RTR");
  RcQp& qp = *it->second;
  qp.c_.config.send_psn = send_psn & kPsnMask;
  qp.state_ = QpState::ready_to_send;
  qp.requester_.start();
  activate(qp);
  return {};
}

void RcEngine::to_error(std::uint32_t qpn) {
  const auto it = qps_.find(qpn);
  if (it != qps_.end()) it->second->to_error();
}

void RcEngine::destroy(std::uint32_t qpn) {
  const auto it = qps_.find(qpn);
  if (it == qps_.end()) return;
  std::erase(active_, it->second.get());
  qps_.erase(it);
}

const RcQp* RcEngine::find(std::uint32_t qpn) const {
  const auto it = qps_.find(qpn);
  return it == qps_.end() ? nullptr : it->second.get();
}

bool RcEngine::post_send(std::uint32_t qpn, const SendRequest& request) {
  const auto it = qps_.find(qpn);
  if (it == qps_.end() || !it->second->requester_.post(request)) return false;
  activate(*it->second);
  return true;
}

void RcEngine::hold(std::uint32_t qpn, bool on) {
  const auto it = qps_.find(qpn);
  if (it == qps_.end()) return;
  it->second->requester_.hold(on);
  activate(*it->second);
}

void RcEngine::activate(RcQp& qp) {
  if (qp.active_) return;
  qp.active_ = true;
  active_.push_back(&qp);
}

void RcEngine::take(const Frame& frame, Time now) {
  ++counters_.frames;
  Packet p;
  const FrameVerdict verdict = decode(frame.bytes(), p);
  ++counters_.verdicts[static_cast<std::size_t>(verdict)];
  if (verdict == FrameVerdict::other_protocol && others_ != nullptr) others_->other_frame(frame.bytes(), now);
  if (verdict != FrameVerdict::ok) return;
  if (p.route.destination_mac != mac_) {
    ++counters_.not_for_us;
    return;
  }
  if (marked(p.route)) ++counters_.congestion_marked;
  if (static_cast<std::uint8_t>(p.bth.opcode) >= 0x20) {
    if (others_ != nullptr) others_->other_packet(p);
    return;
  }
  const auto it = qps_.find(p.bth.destination_qp);
  if (it == qps_.end() || it->second->state_ == QpState::error) {
    ++counters_.unknown_qp;
    return;
  }
  RcQp& qp = *it->second;
  if (!qp.accepts(p)) {
    ++counters_.not_for_us;
    return;
  }
  qp.on_packet(p, now);
  activate(qp);
}

RcEngine::Progress RcEngine::poll(Time now) {
  Progress progress;
  for (unsigned n = 0;; ++n) {
    if (n == kFramesAtOnce) {
      progress.more = true;
      break;
    }
    const Frame frame = port_.receive(now);
    if (!frame) break;
    take(frame, now);
  }
  // By index, and to the size of now: callbacks may post and so append.
  std::size_t kept = 0;
  const auto earlier = [&](std::optional<Time> t) {
    if (t && (!progress.next || *t < *progress.next)) progress.next = t;
  };
  for (std::size_t i = 0; i < active_.size(); ++i) {
    RcQp& qp = *active_[i];
    qp.c_.starved = false;
    const bool more = qp.transmit(now, kPacketsInTurn);
    progress.more |= more || qp.c_.starved;
    if (qp.idle()) {
      qp.active_ = false;
      continue;
    }
    earlier(qp.requester_.next_time());
    active_[kept++] = &qp;
  }
  active_.resize(kept);
  earlier(port_.next_arrival());
  return progress;
}

}  // namespace hcq::models::fabric
