// SPDX-License-Identifier: MIT
// What requester and responder of one queue pair share: the surroundings, and putting one packet on the wire.
#pragma once

#include <algorithm>

#include "models/fabric/rc.h"

namespace hcq::models::fabric {

struct RcContext {
  RcConfig config;
  RcMemory& memory;
  RcEvents& events;
  Port& port;
  Mac mac;  // our own: a packet to it stays inside
  RcCounters counters{};
  std::uint16_t identification = 0;
  bool starved = false;  // there was no frame to send with; try again soon
};

enum class Emitted : std::uint8_t { sent, no_frame, fault };

// Sends a packet whose payload `fill(MutableBytes)` writes straight into the frame; fill returns a MemoryFault, which
// ends in Emitted::fault and in `fault`.
template <class Fill>
Emitted emit(RcContext& c, Packet& p, std::size_t payload_bytes, Time now, Fill fill, MemoryFault* fault = nullptr) {
  Frame frame = c.port.buffer();
  if (!frame) {
    c.starved = true;
    return Emitted::no_frame;
  }
  p.route = c.config.route;
  p.route.ip_identification = c.identification++;
  p.bth.pkey = c.config.pkey;
  p.bth.destination_qp = c.config.remote_qpn;
  const FrameLayout where = layout(p, payload_bytes);
  write_headers(p, where, frame.data());
  if (payload_bytes != 0) {
    const MemoryFault f = fill(MutableBytes(frame.data() + where.payload, payload_bytes));
    if (f != MemoryFault::none) {
      if (fault != nullptr) *fault = f;
      return Emitted::fault;
    }
  }
  seal(where, frame.data());
  frame.resize(where.size);
  ++c.counters.sent;
  if (c.mac == p.route.destination_mac) c.port.loop_back(std::move(frame), now);
  else c.port.send(std::move(frame), now);
  return Emitted::sent;
}

inline MemoryFault no_payload(MutableBytes) { return MemoryFault::none; }

inline std::uint32_t packets_of(std::uint64_t length, std::uint32_t mtu) {
  return length == 0 ? 1 : static_cast<std::uint32_t>((length + mtu - 1) / mtu);
}

constexpr std::uint64_t kMaxMessage = 1ull << 31;

// Copies between a packet and the part of a list of segments that begins at `offset`. The caller has seen to it that
// the list is long enough.
template <class Piece>
MemoryFault walk_segments(std::span<const Segment> segments, std::uint64_t offset, std::size_t bytes, Piece piece) {
  std::size_t done = 0;
  for (const Segment& s : segments) {
    if (done == bytes) break;
    if (offset >= s.length) {
      offset -= s.length;
      continue;
    }
    const std::size_t n = std::min<std::size_t>(bytes - done, s.length - offset);
    const MemoryFault f = piece(s.key, s.address + offset, done, n);
    if (f != MemoryFault::none) return f;
    done += n;
    offset = 0;
  }
  return done == bytes ? MemoryFault::none : MemoryFault::refused;
}

}  // namespace hcq::models::fabric
