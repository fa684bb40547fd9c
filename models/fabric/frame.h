// SPDX-License-Identifier: MIT
// RoCEv2 frames: Ethernet (with or without a VLAN tag), IPv4 or IPv6, UDP port 4791, BTH and its extended headers,
// payload, padding and the invariant CRC. Nothing here allocates. The Ethernet checksum is the wire's own affair and
// not part of a frame.
#pragma once

#include "models/fabric/wire.h"

namespace hcq::models::fabric {

constexpr std::size_t kMaxPayload = 8192;  // the largest path MTU any of the modelled NICs offers
// 802.1Q Ethernet, IPv6, UDP, BTH, the longest extended header, payload, ICRC; padding is part of the payload.
constexpr std::size_t kMaxFrame = 18 + 40 + 8 + 12 + 28 + kMaxPayload + 4;

// Why a frame is not a RoCEv2 packet for a NIC. NICs drop all of these without an answer.
enum class FrameVerdict : std::uint8_t {
  ok,
  other_protocol,   // well-formed as far as looked at, and not RoCEv2: ARP, TCP, another UDP port
  truncated,        // shorter than its own headers say
  bad_ip_header,    // options, fragments, impossible length
  bad_ip_checksum,  // IPv4
  bad_udp_length,   // disagrees with IP
  bad_version,      // BTH transport header version is not 0
  unknown_opcode,   // reserved, or a transport that no modelled NIC speaks
  bad_length,       // more padding than payload, or payload where the opcode has none
  too_long,         // payload above kMaxPayload
  bad_icrc,
};
const char* name_of(FrameVerdict v);

// Takes a frame apart. Every length is checked before use; `out` is meaningful only when the verdict is ok. The bytes
// may come from anywhere.
FrameVerdict decode(Bytes frame, Packet& out);

// Where the parts of a frame are, from its start.
struct FrameLayout {
  std::size_t ip = 0, payload = 0, payload_bytes = 0, size = 0;
};

// Size of the frame that carries `payload_bytes` of data under this packet's headers.
FrameLayout layout(const Packet& packet, std::size_t payload_bytes);

// Making a frame is done in two steps, so that data goes straight from its memory into the frame: write_headers()
// writes everything but the payload (padding included), then the caller fills [payload, payload + payload_bytes), then
// seal() puts the ICRC at the end. `frame` must hold layout().size bytes; packet.payload is not looked at.
void write_headers(const Packet& packet, const FrameLayout& where, std::byte* frame);
void seal(const FrameLayout& where, std::byte* frame);

// The same in one step, with packet.payload. Returns the frame's size, 0 when `frame` is too small.
std::size_t encode(const Packet& packet, MutableBytes frame);

// ICRC of an IP packet: over [ip, end), end being where the ICRC stands (annex A17.3.3, with the fields that routers
// change taken as ones). `ip` must hold whole IP, UDP and BTH headers.
std::uint32_t invariant_crc(Bytes ip);

// The IPv4 header checksum over 20 bytes, as it stands in the header.
std::uint16_t ip_checksum(const std::byte* header);

}  // namespace hcq::models::fabric
