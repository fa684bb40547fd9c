// SPDX-License-Identifier: MIT
// The memory queue descriptor of a compute queue: 512 dwords, named by dword offset. Source: v11_structs.h and
// v12_structs.h of Linux 6.12 (drivers/gpu/drm/amd/include). From kMqdBaseAddr on the dwords mirror the consecutive
// registers CP_MQD_BASE_ADDR .. CP_HQD_PQ_WPTR_HI; this part is the same on gfx9, gfx11 and gfx12.
#pragma once

#include <cstdint>

namespace hcq::am::abi::mqd {

inline constexpr std::uint32_t kDwords = 512, kBytes = 2048;
inline constexpr std::uint32_t kHeaderValue = 0xc0310800;

inline constexpr std::uint32_t
    // clang-format off
    header = 0, compute_dispatch_initiator = 1, compute_dim_x = 2, compute_start_x = 5, compute_num_thread_x = 8,
    compute_pipelinestat_enable = 11, compute_perfcount_enable = 12, compute_pgm_lo = 13, compute_pgm_hi = 14,
    compute_dispatch_pkt_addr_lo = 15, compute_dispatch_scratch_base_lo = 17, compute_dispatch_scratch_base_hi = 18,
    compute_pgm_rsrc1 = 19, compute_pgm_rsrc2 = 20, compute_vmid = 21, compute_resource_limits = 22,
    compute_static_thread_mgmt_se0 = 23, compute_static_thread_mgmt_se1 = 24, compute_tmpring_size = 25,
    compute_static_thread_mgmt_se2 = 26, compute_static_thread_mgmt_se3 = 27, compute_restart_x = 28,
    compute_thread_trace_enable = 31, compute_misc_reserved = 32, compute_dispatch_id = 33, compute_user_accum_0 = 37,
    compute_pgm_rsrc3 = 41, compute_static_thread_mgmt_se4 = 44, compute_static_thread_mgmt_se5 = 45,
    compute_static_thread_mgmt_se6 = 46, compute_static_thread_mgmt_se7 = 47, compute_dispatch_interleave = 48,
    compute_user_data_0 = 65,
    cp_mqd_base_addr_lo = 128, cp_mqd_base_addr_hi = 129, cp_hqd_active = 130, cp_hqd_vmid = 131,
    cp_hqd_persistent_state = 132, cp_hqd_pipe_priority = 133, cp_hqd_queue_priority = 134, cp_hqd_quantum = 135,
    cp_hqd_pq_base_lo = 136, cp_hqd_pq_base_hi = 137, cp_hqd_pq_rptr = 138, cp_hqd_pq_rptr_report_addr_lo = 139,
    cp_hqd_pq_rptr_report_addr_hi = 140, cp_hqd_pq_wptr_poll_addr_lo = 141, cp_hqd_pq_wptr_poll_addr_hi = 142,
    cp_hqd_pq_doorbell_control = 143, cp_hqd_pq_control = 145, cp_hqd_ib_base_addr_lo = 146, cp_hqd_ib_control = 149,
    cp_hqd_iq_timer = 150, cp_hqd_dequeue_request = 152, cp_hqd_hq_status0 = 160, cp_hqd_hq_control0 = 161,
    cp_mqd_control = 162, cp_hqd_eop_base_addr_lo = 165, cp_hqd_eop_base_addr_hi = 166, cp_hqd_eop_control = 167,
    cp_hqd_eop_rptr = 168, cp_hqd_eop_wptr = 169, cp_hqd_error = 179, cp_hqd_aql_control = 181, cp_hqd_pq_wptr_lo = 182,
    cp_hqd_pq_wptr_hi = 183;
// clang-format on

// Dwords [kFirstRegister, kLastRegister] are the registers that activation loads.
inline constexpr std::uint32_t kFirstRegister = cp_mqd_base_addr_lo, kLastRegister = cp_hqd_pq_wptr_hi;
static_assert(kDwords * 4 == kBytes && kLastRegister - kFirstRegister + 1 == 56);

// The descriptor of a graphics queue (v11_gfx_mqd) differs in these; its ring, pointers, doorbell and size lie where a
// compute queue has them.
inline constexpr std::uint32_t cp_gfx_hqd_wptr_lo = 149, cp_gfx_hqd_wptr_hi = 150;

// Largest CP_HQD_EOP_CONTROL.EOP_SIZE (log2 of the dwords minus one) the microcode accepts (gfx_v11_0.c).
inline constexpr std::uint32_t kMaxEopSize = 0xa;

}  // namespace hcq::am::abi::mqd
