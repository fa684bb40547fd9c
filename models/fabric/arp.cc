// SPDX-License-Identifier: MIT
#include "models/fabric/arp.h"

#include "models/fabric/byte_order.h"

namespace hcq::models::fabric {

namespace {

// RFC 826, for Ethernet and IPv4; offsets from the frame's start.
constexpr std::size_t kType = 12, kFixed = 14, kOperation = 20, kSenderMac = 22, kSenderIp = 28, kTargetMac = 32,
                      kTargetIp = 38, kEnd = 42, kShortestFrame = 60;
constexpr std::uint16_t kEtherArp = 0x0806, kRequest = 1, kReply = 2;
constexpr std::uint64_t kEthernetIpv4 = 0x0001'0800'0604;  // hardware, protocol, their sizes

}  // namespace

bool answer_arp(Bytes frame, const Gid& address, const Mac& mac, Port& port, Time now) {
  if (frame.size() < kEnd || !address.is_ipv4()) return false;
  const std::byte* const f = frame.data();
  if (load_be16(f + kType) != kEtherArp || load_be64(f + kFixed) >> 16 != kEthernetIpv4 ||
      load_be16(f + kOperation) != kRequest || std::memcmp(f + kTargetIp, address.bytes.data() + 12, 4) != 0)
    return false;
  Frame reply = port.buffer();
  if (!reply) return true;
  std::byte* const r = reply.data();
  std::memset(r, 0, kShortestFrame);
  std::memcpy(r, f + 6, 6);
  std::memcpy(r + 6, mac.data(), 6);
  std::memcpy(r + kType, f + kType, kOperation - kType);
  store_be16(r + kOperation, kReply);
  std::memcpy(r + kSenderMac, mac.data(), 6);
  std::memcpy(r + kSenderIp, address.bytes.data() + 12, 4);
  std::memcpy(r + kTargetMac, f + kSenderMac, kTargetIp - kTargetMac);
  std::memcpy(r + kTargetIp, f + kSenderIp, 4);
  reply.resize(kShortestFrame);
  port.send(std::move(reply), now);
  return true;
}

}  // namespace hcq::models::fabric
