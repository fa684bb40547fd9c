// SPDX-License-Identifier: MIT
// The one thing that a host's network stack must do before a peer can send RoCEv2 over IPv4 to it: answer ARP.
#pragma once

#include "models/fabric/fabric.h"

namespace hcq::models::fabric {

// When `frame` is an ARP request for `address`, sends the answer over `port`. True when it was.
bool answer_arp(Bytes frame, const Gid& address, const Mac& mac, Port& port, Time now);

}  // namespace hcq::models::fabric
