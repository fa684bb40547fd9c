// SPDX-License-Identifier: MIT
#include "drivers/am/mqd.h"

#include <bit>
#include <cassert>

#include "base/bytes.h"
#include "drivers/am/regs/registers.h"

namespace hcq::am {

using namespace regs;
namespace m = abi::mqd;

namespace {

// kfd_mqd_manager_v11.c: the CP keeps the dispatch packet pointer; PCIe atomics work.
constexpr std::uint32_t kHqStatusDispatchPtr = 1u << 14, kHqStatusAtomics = 1u << 29;
// Enabled, scale 1, duration 1 (kfd_mqd_manager_v11.c).
constexpr std::uint32_t kQuantum = 1u << 0 | 1u << 4 | 1u << 8;
constexpr std::uint32_t kPipePriority = 2, kQueuePriority = 15;
constexpr std::uint32_t kPreloadSize = 0x55, kRptrBlockSize = 5, kMinIbAvail = 3;
constexpr std::uint32_t kMiscReserved = 7;  // gfx_v11_0_compute_mqd_init
std::uint32_t log2_minus_one(std::uint32_t v) {
  assert(is_pow2(v) && v >= 2);
  return static_cast<std::uint32_t>(std::countr_zero(v)) - 1;
}

void put64(Mqd& d, std::uint32_t at, std::uint64_t v) {
  d[at] = lo32(v);
  d[at + 1] = hi32(v);
}

}  // namespace

Mqd build_mqd(const RegisterMap& map, const HqdConfig& c) {
  Mqd d{};
  d[m::header] = m::kHeaderValue;
  d[m::compute_pipelinestat_enable] = 1;
  d[m::compute_misc_reserved] = kMiscReserved;
  for (const std::uint32_t se :
       {m::compute_static_thread_mgmt_se0, m::compute_static_thread_mgmt_se1, m::compute_static_thread_mgmt_se2,
        m::compute_static_thread_mgmt_se3, m::compute_static_thread_mgmt_se4, m::compute_static_thread_mgmt_se5,
        m::compute_static_thread_mgmt_se6, m::compute_static_thread_mgmt_se7})
    d[se] = ~0u;
  put64(d, m::cp_mqd_base_addr_lo, c.mqd_mc);
  d[m::cp_hqd_persistent_state] = map.encode<CP_HQD_PERSISTENT_STATE>(
      0, {CP_HQD_PERSISTENT_STATE::PRELOAD_REQ(1), CP_HQD_PERSISTENT_STATE::PRELOAD_SIZE(kPreloadSize)});
  d[m::cp_hqd_pipe_priority] = kPipePriority;
  d[m::cp_hqd_queue_priority] = kQueuePriority;
  d[m::cp_hqd_quantum] = kQuantum;
  put64(d, m::cp_hqd_pq_base_lo, c.ring >> 8);
  put64(d, m::cp_hqd_pq_rptr_report_addr_lo, c.rptr);
  put64(d, m::cp_hqd_pq_wptr_poll_addr_lo, c.wptr);
  using Doorbell = CP_HQD_PQ_DOORBELL_CONTROL;
  d[m::cp_hqd_pq_doorbell_control] =
      map.encode<Doorbell>(0, {Doorbell::DOORBELL_OFFSET(c.doorbell * 2), Doorbell::DOORBELL_EN(1)});  // in dwords
  using Pq = CP_HQD_PQ_CONTROL;
  d[m::cp_hqd_pq_control] =
      map.encode<Pq>(0, {Pq::QUEUE_SIZE(log2_minus_one(c.ring_dwords)), Pq::RPTR_BLOCK_SIZE(kRptrBlockSize),
                         Pq::UNORD_DISPATCH(0), Pq::PRIV_STATE(1), Pq::KMD_QUEUE(1)});
  d[m::cp_hqd_ib_control] = map.encode<CP_HQD_IB_CONTROL>(0, {CP_HQD_IB_CONTROL::MIN_IB_AVAIL_SIZE(kMinIbAvail)});
  d[m::cp_hqd_hq_status0] = kHqStatusDispatchPtr | kHqStatusAtomics;
  d[m::cp_mqd_control] = map.encode<CP_MQD_CONTROL>(0, {CP_MQD_CONTROL::PRIV_STATE(1)});
  put64(d, m::cp_hqd_eop_base_addr_lo, c.eop >> 8);
  const std::uint32_t eop_size = log2_minus_one(c.eop_bytes / 4);
  assert(eop_size <= m::kMaxEopSize);
  d[m::cp_hqd_eop_control] = map.encode<CP_HQD_EOP_CONTROL>(0, {CP_HQD_EOP_CONTROL::EOP_SIZE(eop_size)});
  return d;
}

}  // namespace hcq::am
