// SPDX-License-Identifier: MIT
#include "models/fabric/wire.h"

namespace hcq::models::fabric {

namespace {

using Table = std::array<OpcodeTraits, 256>;

constexpr OpcodeTraits make(OpcodeTraits::Kind kind, bool first, bool last) {
  OpcodeTraits t;
  t.kind = kind;
  t.first = first;
  t.last = last;
  t.payload = kind == OpcodeTraits::send || kind == OpcodeTraits::write || kind == OpcodeTraits::read_response ||
              kind == OpcodeTraits::cnp;
  t.reth = kind == OpcodeTraits::read_request || (kind == OpcodeTraits::write && first);
  t.aeth = kind == OpcodeTraits::acknowledge || kind == OpcodeTraits::atomic_ack ||
           (kind == OpcodeTraits::read_response && (first || last));
  t.atomic_eth = kind == OpcodeTraits::atomic;
  t.atomic_ack_eth = kind == OpcodeTraits::atomic_ack;
  return t;
}

// SEND and WRITE: first, middle, last, last with immediate, only, only with immediate.
constexpr void add_six(Table& t, unsigned base, OpcodeTraits::Kind kind) {
  t[base] = make(kind, true, false);
  t[base + 1] = make(kind, false, false);
  t[base + 2] = t[base + 3] = make(kind, false, true);
  t[base + 4] = t[base + 5] = make(kind, true, true);
  t[base + 3].immediate = t[base + 5].immediate = true;
}

constexpr Table make_table() {
  Table t{};
  add_six(t, 0x00, OpcodeTraits::send);
  add_six(t, 0x06, OpcodeTraits::write);
  t[0x0c] = make(OpcodeTraits::read_request, true, true);
  t[0x0d] = make(OpcodeTraits::read_response, true, false);
  t[0x0e] = make(OpcodeTraits::read_response, false, false);
  t[0x0f] = make(OpcodeTraits::read_response, false, true);
  t[0x10] = make(OpcodeTraits::read_response, true, true);
  t[0x11] = make(OpcodeTraits::acknowledge, true, true);
  t[0x12] = make(OpcodeTraits::atomic_ack, true, true);
  t[0x13] = t[0x14] = make(OpcodeTraits::atomic, true, true);
  t[0x16] = make(OpcodeTraits::send, false, true);
  t[0x17] = make(OpcodeTraits::send, true, true);
  t[0x16].ieth = t[0x17].ieth = true;
  add_six(t, 0x20, OpcodeTraits::send);
  add_six(t, 0x26, OpcodeTraits::write);
  t[0x64] = t[0x65] = make(OpcodeTraits::send, true, true);
  t[0x64].deth = t[0x65].deth = t[0x65].immediate = true;
  t[0x81] = make(OpcodeTraits::cnp, true, true);
  for (OpcodeTraits& o : t)
    o.header_bytes =
        static_cast<std::uint8_t>((o.deth ? 8 : 0) + (o.reth ? 16 : 0) + (o.atomic_eth ? 28 : 0) + (o.aeth ? 4 : 0) +
                                  (o.atomic_ack_eth ? 8 : 0) + (o.immediate ? 4 : 0) + (o.ieth ? 4 : 0));
  return t;
}

constexpr Table kTable = make_table();

}  // namespace

const OpcodeTraits& traits(Opcode opcode) { return kTable[static_cast<std::uint8_t>(opcode)]; }

}  // namespace hcq::models::fabric
