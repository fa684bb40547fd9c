// SPDX-License-Identifier: MIT
// Compares two traces of hcq-model serve --record. Register accesses are aligned by where they go; then their values
// are compared. What the device does by itself (DMA, interrupts, violations) has an order of its own and is compared
// apart. Consecutive reads of one register are a poll and count as one, with the value that ended it.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "base/error.h"

namespace hcq::model {

struct Event {
  unsigned line = 0;    // in the file, from 1
  std::string place{};  // what was touched: "write GRBM_CNTL", "dma read 0x1000", "interrupt 0"
  std::string value{};  // empty where there is none
  unsigned polls = 1;
};

struct Trace {
  std::vector<Event> registers, dma, interrupts, violations;
};

// Errc::corrupt with the line when it is no trace.
Result<Trace> read_trace(const std::string& path);

struct Difference {
  const Event* a = nullptr;  // nullptr: only in B
  const Event* b = nullptr;  // nullptr: only in A; both set: the values differ
};
std::vector<Difference> compare(const std::vector<Event>& a, const std::vector<Event>& b);

// Prints the first `limit` differences of each kind. True when there are none.
Result<bool> diff(const std::string& a, const std::string& b, unsigned limit, std::FILE* out);

}  // namespace hcq::model
