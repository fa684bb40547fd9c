// SPDX-License-Identifier: MIT
#include "drivers/am/sdma_packets.h"

#include "base/bytes.h"
#include "drivers/am/abi/sdma.h"

namespace hcq::am::sdma {

namespace p = abi::sdma;

namespace {
constexpr std::uint32_t kPollInterval = 10;  // as the Linux driver polls
}

void copy(DwordWriter& w, std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) {
  assert(bytes >= 1 && bytes <= kMaxCopyBytes);
  namespace f = p::copy_linear;
  static_assert(kMaxCopyBytes == f::kMaxBytes && kCopyDwords == f::kDwords);
  w.put(p::kOp(p::COPY) | p::kSubOp(f::kSubOpLinear), f::COUNT(static_cast<std::uint32_t>(bytes - 1)), 0u, lo32(src),
        hi32(src), lo32(dst), hi32(dst));
}

void write(DwordWriter& w, std::uint64_t address, std::uint32_t value) {
  assert(address % 4 == 0);
  namespace f = p::write_linear;
  w.put(p::kOp(p::WRITE) | p::kSubOp(f::kSubOpLinear), lo32(address), hi32(address), f::COUNT(0), value);
}

void fence(DwordWriter& w, std::uint64_t address, std::uint32_t value) {
  assert(address % 4 == 0);
  namespace f = p::fence;
  w.put(p::kOp(p::FENCE) | f::MTYPE(f::kMtypeUc), lo32(address), hi32(address), value);
}

void trap(DwordWriter& w) { w.put(p::kOp(p::TRAP), p::trap::INT_CONTEXT(0)); }

void poll_memory(DwordWriter& w, std::uint64_t address, Compare compare, std::uint32_t reference, std::uint32_t mask) {
  assert(address % 4 == 0);
  namespace f = p::poll_regmem;
  w.put(p::kOp(p::POLL_REGMEM) | f::FUNC(static_cast<std::uint32_t>(compare)) | f::MEM_POLL(1), lo32(address),
        hi32(address), reference, mask, f::INTERVAL(kPollInterval) | f::RETRY_COUNT(f::kRetryForever));
}

void flush_hdp(DwordWriter& w, std::uint32_t request, std::uint32_t done, std::uint32_t mask) {
  namespace f = p::poll_regmem;
  w.put(p::kOp(p::POLL_REGMEM) | f::HDP_FLUSH(1) | f::FUNC(static_cast<std::uint32_t>(Compare::equal)), done * 4,
        request * 4, mask, mask, f::INTERVAL(kPollInterval) | f::RETRY_COUNT(f::kRetryForever));
}

void timestamp(DwordWriter& w, std::uint64_t address) {
  assert(address % 8 == 0);
  w.put(p::kOp(p::TIMESTAMP) | p::kSubOp(p::timestamp::kSubOpGetGlobal), lo32(address), hi32(address));
}

}  // namespace hcq::am::sdma
