// SPDX-License-Identifier: MIT
#include "models/fabric/frame.h"

#include <libdeflate.h>

#include "models/fabric/byte_order.h"

namespace hcq::models::fabric {

namespace {

constexpr std::uint16_t kEtherIpv4 = 0x0800, kEtherIpv6 = 0x86dd, kEtherVlan = 0x8100;
constexpr std::size_t kEthernet = 14, kVlanTag = 4, kIpv4 = 20, kIpv6 = 40, kUdp = 8, kBth = 12, kIcrc = 4;
constexpr std::uint8_t kProtocolUdp = 17;

std::uint8_t u8(const std::byte* p) { return std::to_integer<std::uint8_t>(*p); }
void put8(std::byte* p, unsigned v) { *p = static_cast<std::byte>(v); }

std::size_t ip_bytes(const std::byte* ip) { return u8(ip) >> 4 == 6 ? kIpv6 : kIpv4; }

// The extended headers, in the order in which they stand on the wire.
void write_extended(const Packet& p, const OpcodeTraits& t, std::byte* at) {
  if (t.deth) {
    store_be32(at, p.deth.queue_key);
    store_be32(at + 4, p.deth.source_qp & kPsnMask);
    at += 8;
  }
  if (t.reth) {
    store_be64(at, p.reth.address);
    store_be32(at + 8, p.reth.key);
    store_be32(at + 12, p.reth.length);
    at += 16;
  }
  if (t.atomic_eth) {
    store_be64(at, p.atomic.address);
    store_be32(at + 8, p.atomic.key);
    store_be64(at + 12, p.atomic.swap_or_add);
    store_be64(at + 20, p.atomic.compare);
    at += 28;
  }
  if (t.aeth) {
    store_be32(at, std::uint32_t{p.aeth.syndrome} << 24 | (p.aeth.msn & kPsnMask));
    at += 4;
  }
  if (t.atomic_ack_eth) {
    store_be64(at, p.original);
    at += 8;
  }
  if (t.immediate) {
    store_be32(at, p.immediate);
    at += 4;
  }
  if (t.ieth) store_be32(at, p.invalidate_key);
}

void read_extended(const std::byte* at, const OpcodeTraits& t, Packet& p) {
  if (t.deth) {
    p.deth = {load_be32(at), load_be32(at + 4) & kPsnMask};
    at += 8;
  }
  if (t.reth) {
    p.reth = {load_be64(at), load_be32(at + 8), load_be32(at + 12)};
    at += 16;
  }
  if (t.atomic_eth) {
    p.atomic = {load_be64(at), load_be32(at + 8), load_be64(at + 12), load_be64(at + 20)};
    at += 28;
  }
  if (t.aeth) {
    p.aeth = {u8(at), load_be32(at) & kPsnMask};
    at += 4;
  }
  if (t.atomic_ack_eth) {
    p.original = load_be64(at);
    at += 8;
  }
  if (t.immediate) {
    p.immediate = load_be32(at);
    at += 4;
  }
  if (t.ieth) p.invalidate_key = load_be32(at);
}

void write_bth(const Bth& b, unsigned pad, std::byte* at) {
  put8(at, static_cast<unsigned>(b.opcode));
  put8(at + 1, (b.solicited ? 0x80u : 0) | (b.migration ? 0x40u : 0) | pad << 4);
  store_be16(at + 2, b.pkey);
  store_be32(at + 4, (b.destination_qp & kPsnMask) | (b.fecn ? 1u << 31 : 0) | (b.becn ? 1u << 30 : 0));
  store_be32(at + 8, (b.psn & kPsnMask) | (b.ack_request ? 1u << 31 : 0));
}

void write_ip(const Route& r, std::size_t udp_bytes, std::byte* ip) {
  if (r.source.is_ipv4()) {
    put8(ip, 0x45);
    put8(ip + 1, r.traffic_class);
    store_be16(ip + 2, static_cast<std::uint16_t>(kIpv4 + udp_bytes));
    store_be16(ip + 4, r.ip_identification);
    store_be16(ip + 6, 0x4000);  // do not fragment
    put8(ip + 8, r.hop_limit);
    put8(ip + 9, kProtocolUdp);
    store_be16(ip + 10, 0);
    std::memcpy(ip + 12, r.source.bytes.data() + 12, 4);
    std::memcpy(ip + 16, r.destination.bytes.data() + 12, 4);
    store_be16(ip + 10, ip_checksum(ip));
    return;
  }
  store_be32(ip, 6u << 28 | std::uint32_t{r.traffic_class} << 20 | (r.flow_label & 0xfffff));
  store_be16(ip + 4, static_cast<std::uint16_t>(udp_bytes));
  put8(ip + 6, kProtocolUdp);
  put8(ip + 7, r.hop_limit);
  std::memcpy(ip + 8, r.source.bytes.data(), 16);
  std::memcpy(ip + 24, r.destination.bytes.data(), 16);
}

// Reads the IPv4 or IPv6 header at `ip`, of which `available` bytes exist. On success `udp_bytes` is what IP carries.
FrameVerdict read_ip(const std::byte* ip, std::size_t available, bool v6, Route& r, std::size_t& udp_bytes) {
  if (available < (v6 ? kIpv6 : kIpv4)) return FrameVerdict::truncated;
  if (v6) {
    const std::uint32_t first = load_be32(ip);
    if (first >> 28 != 6) return FrameVerdict::bad_ip_header;
    if (u8(ip + 6) != kProtocolUdp) return FrameVerdict::other_protocol;
    r.traffic_class = static_cast<std::uint8_t>(first >> 20);
    r.flow_label = first & 0xfffff;
    udp_bytes = load_be16(ip + 4);
    r.hop_limit = u8(ip + 7);
    std::memcpy(r.source.bytes.data(), ip + 8, 16);
    std::memcpy(r.destination.bytes.data(), ip + 24, 16);
    return udp_bytes > available - kIpv6 ? FrameVerdict::truncated : FrameVerdict::ok;
  }
  if (u8(ip) >> 4 != 4) return FrameVerdict::bad_ip_header;
  if (u8(ip + 9) != kProtocolUdp) return FrameVerdict::other_protocol;
  const std::size_t total = load_be16(ip + 2);
  const bool fragment = (load_be16(ip + 6) & 0x3fff) != 0;
  if (u8(ip) != 0x45 || fragment || total < kIpv4) return FrameVerdict::bad_ip_header;
  if (total > available) return FrameVerdict::truncated;
  if (ip_checksum(ip) != load_be16(ip + 10)) return FrameVerdict::bad_ip_checksum;
  udp_bytes = total - kIpv4;
  r.traffic_class = u8(ip + 1);
  r.ip_identification = load_be16(ip + 4);
  r.hop_limit = u8(ip + 8);
  r.source = Gid::ipv4(u8(ip + 12), u8(ip + 13), u8(ip + 14), u8(ip + 15));
  r.destination = Gid::ipv4(u8(ip + 16), u8(ip + 17), u8(ip + 18), u8(ip + 19));
  return FrameVerdict::ok;
}

// From the BTH on; `bytes` are BTH to padding, without the ICRC.
FrameVerdict read_transport(Bytes bytes, Packet& out) {
  const std::byte* b = bytes.data();
  const OpcodeTraits& t = traits(static_cast<Opcode>(u8(b)));
  const unsigned flags = u8(b + 1), pad = flags >> 4 & 3;
  if ((flags & 0xf) != 0) return FrameVerdict::bad_version;
  if (t.kind == OpcodeTraits::unknown) return FrameVerdict::unknown_opcode;
  if (bytes.size() < kBth + t.header_bytes) return FrameVerdict::truncated;
  const std::size_t data = bytes.size() - kBth - t.header_bytes;
  if (pad > data || (!t.payload && data != 0)) return FrameVerdict::bad_length;
  if (data > kMaxPayload) return FrameVerdict::too_long;
  const std::uint32_t qp = load_be32(b + 4), psn = load_be32(b + 8);
  out.bth = {.opcode = static_cast<Opcode>(u8(b)),
             .solicited = (flags & 0x80) != 0,
             .migration = (flags & 0x40) != 0,
             .fecn = (qp >> 31) != 0,
             .becn = (qp >> 30 & 1) != 0,
             .ack_request = (psn >> 31) != 0,
             .pkey = load_be16(b + 2),
             .destination_qp = qp & kPsnMask,
             .psn = psn & kPsnMask};
  read_extended(b + kBth, t, out);
  out.payload = bytes.subspan(kBth + t.header_bytes, data - pad);
  return FrameVerdict::ok;
}

}  // namespace

std::uint16_t ip_checksum(const std::byte* header) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < kIpv4; i += 2)
    if (i != 10) sum += load_be16(header + i);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

std::uint32_t invariant_crc(Bytes ip) {
  const std::size_t header = ip_bytes(ip.data());
  // Eight bytes stand for the InfiniBand header that RoCEv2 does not have.
  std::array<std::byte, 8 + kIpv6 + kUdp + kBth> masked;
  std::memset(masked.data(), 0xff, 8);
  std::byte* const h = masked.data() + 8;
  std::memcpy(h, ip.data(), header + kUdp + kBth);
  if (header == kIpv6) {
    store_be32(h, 0x6fffffff);  // traffic class and flow label
    put8(h + 7, 0xff);
  } else {
    put8(h + 1, 0xff);
    put8(h + 8, 0xff);
    store_be16(h + 10, 0xffff);
  }
  store_be16(h + header + 6, 0xffff);
  put8(h + header + kUdp + 4, 0xff);
  const std::size_t covered = header + kUdp + kBth;
  const std::uint32_t crc = libdeflate_crc32(0, masked.data(), 8 + covered);
  return ip.size() > covered ? libdeflate_crc32(crc, ip.data() + covered, ip.size() - covered) : crc;
}

FrameVerdict decode(Bytes frame, Packet& out) {
  if (frame.size() < kEthernet) return FrameVerdict::truncated;
  const std::byte* const f = frame.data();
  std::size_t ip = kEthernet;
  std::uint16_t type = load_be16(f + 12);
  out.route.tagged = type == kEtherVlan;
  if (out.route.tagged) {
    if (frame.size() < kEthernet + kVlanTag) return FrameVerdict::truncated;
    out.route.vlan = load_be16(f + 14);
    type = load_be16(f + 16);
    ip += kVlanTag;
  }
  if (type != kEtherIpv4 && type != kEtherIpv6) return FrameVerdict::other_protocol;
  std::memcpy(out.route.destination_mac.data(), f, 6);
  std::memcpy(out.route.source_mac.data(), f + 6, 6);
  std::size_t udp_bytes = 0;
  const auto verdict = read_ip(f + ip, frame.size() - ip, type == kEtherIpv6, out.route, udp_bytes);
  if (verdict != FrameVerdict::ok) return verdict;
  const std::size_t header = type == kEtherIpv6 ? kIpv6 : kIpv4;
  const std::byte* const udp = f + ip + header;
  if (udp_bytes < kUdp) return FrameVerdict::truncated;
  if (load_be16(udp + 2) != kRocePort) return FrameVerdict::other_protocol;
  if (load_be16(udp + 4) != udp_bytes) return FrameVerdict::bad_udp_length;
  if (udp_bytes < kUdp + kBth + kIcrc) return FrameVerdict::truncated;
  out.route.udp_source = load_be16(udp);
  const Bytes covered = frame.subspan(ip, header + udp_bytes - kIcrc);
  std::uint32_t icrc;
  std::memcpy(&icrc, covered.data() + covered.size(), sizeof icrc);  // stored with the lowest byte first
  if (icrc != invariant_crc(covered)) return FrameVerdict::bad_icrc;
  return read_transport(covered.subspan(header + kUdp), out);
}

FrameLayout layout(const Packet& packet, std::size_t payload_bytes) {
  FrameLayout w;
  w.ip = kEthernet + (packet.route.tagged ? kVlanTag : 0);
  w.payload =
      w.ip + (packet.route.source.is_ipv4() ? kIpv4 : kIpv6) + kUdp + kBth + traits(packet.bth.opcode).header_bytes;
  w.payload_bytes = payload_bytes;
  w.size = w.payload + round_up<std::size_t>(payload_bytes, 4) + kIcrc;
  return w;
}

void write_headers(const Packet& p, const FrameLayout& where, std::byte* frame) {
  std::memcpy(frame, p.route.destination_mac.data(), 6);
  std::memcpy(frame + 6, p.route.source_mac.data(), 6);
  if (p.route.tagged) {
    store_be16(frame + 12, kEtherVlan);
    store_be16(frame + 14, p.route.vlan);
  }
  const bool v4 = p.route.source.is_ipv4();
  store_be16(frame + where.ip - 2, v4 ? kEtherIpv4 : kEtherIpv6);
  std::byte* const udp = frame + where.ip + (v4 ? kIpv4 : kIpv6);
  const std::size_t udp_bytes = where.size - static_cast<std::size_t>(udp - frame);
  write_ip(p.route, udp_bytes, frame + where.ip);
  store_be16(udp, p.route.udp_source);
  store_be16(udp + 2, kRocePort);
  store_be16(udp + 4, static_cast<std::uint16_t>(udp_bytes));
  store_be16(udp + 6, 0);
  const std::size_t end = where.payload + where.payload_bytes, pad = where.size - kIcrc - end;
  write_bth(p.bth, static_cast<unsigned>(pad), udp + kUdp);
  write_extended(p, traits(p.bth.opcode), udp + kUdp + kBth);
  std::memset(frame + end, 0, pad);
}

void seal(const FrameLayout& where, std::byte* frame) {
  const std::uint32_t icrc = invariant_crc({frame + where.ip, where.size - kIcrc - where.ip});
  std::memcpy(frame + where.size - kIcrc, &icrc, sizeof icrc);
}

std::size_t encode(const Packet& packet, MutableBytes frame) {
  const FrameLayout where = layout(packet, packet.payload.size());
  if (where.size > frame.size()) return 0;
  write_headers(packet, where, frame.data());
  if (!packet.payload.empty()) std::memcpy(frame.data() + where.payload, packet.payload.data(), packet.payload.size());
  seal(where, frame.data());
  return where.size;
}

const char* name_of(FrameVerdict v) {
  switch (v) {
    case FrameVerdict::ok:
      return "ok";
    case FrameVerdict::other_protocol:
      return "other protocol";
    case FrameVerdict::truncated:
      return "truncated";
    case FrameVerdict::bad_ip_header:
      return "bad IP header";
    case FrameVerdict::bad_ip_checksum:
      return "bad IP header checksum";
    case FrameVerdict::bad_udp_length:
      return "bad UDP length";
    case FrameVerdict::bad_version:
      return "bad BTH version";
    case FrameVerdict::unknown_opcode:
      return "unknown opcode";
    case FrameVerdict::bad_length:
      return "bad length";
    case FrameVerdict::too_long:
      return "too long";
    case FrameVerdict::bad_icrc:
      return "bad ICRC";
  }
  return "?";
}

}  // namespace hcq::models::fabric
