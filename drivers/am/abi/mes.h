// SPDX-License-Identifier: MIT
// Frames of the micro engine scheduler (MES) of gfx11: 64 dwords in its ring, named by dword offset; 64-bit fields
// lie at any dword. Source: mes_v11_api_def.h of Linux 6.12 (drivers/gpu/drm/amd/include).
#pragma once

#include "drivers/am/abi/bits.h"

namespace hcq::am::abi::mes {

inline constexpr std::uint32_t kFrameDwords = 64;

// Dword 0.
inline constexpr Bits<3, 0> TYPE{};
inline constexpr Bits<11, 4> OPCODE{};
inline constexpr Bits<19, 12> DWSIZE{};
inline constexpr std::uint32_t MES_API_TYPE_SCHEDULER = 1;

enum Opcode : std::uint32_t {
  SET_HW_RSRC = 0,
  SET_SCHEDULING_CONFIG = 1,
  ADD_QUEUE = 2,
  REMOVE_QUEUE = 3,
  PERFORM_YIELD = 4,
  SET_GANG_PRIORITY_LEVEL = 5,
  SUSPEND = 6,
  RESUME = 7,
  RESET = 8,
  SET_LOG_BUFFER = 9,
  CHANGE_GANG_PRORITY = 10,
  QUERY_SCHEDULER_STATUS = 11,
  PROGRAM_GDS = 12,
  SET_DEBUG_VMID = 13,
  MISC = 14,
  UPDATE_ROOT_PAGE_TABLE = 15,
  AMD_LOG = 16,
  SET_HW_RSRC_1 = 19,
};

enum QueueType : std::uint32_t { kGfx = 0, kCompute = 1, kSdma = 2 };

// Where a frame's completion fence stands: address, value (64 bits each).
namespace set_hw_rsrc {
inline constexpr std::uint32_t vmid_mask_mmhub = 1, vmid_mask_gfxhub = 2, g_sch_ctx_gpu_mc_ptr = 22, status = 50;
}
namespace add_queue {
inline constexpr std::uint32_t page_table_base_addr = 2, doorbell_offset = 18, mqd_addr = 19, wptr_addr = 21,
                               queue_type = 27, flags = 36, status = 37, pipe_id = 48, queue_id = 49;
inline constexpr Flag<13> MAP_LEGACY_KQ{};
}  // namespace add_queue
namespace remove_queue {
inline constexpr std::uint32_t doorbell_offset = 1, gang_context_addr = 2, flags = 4, status = 5, pipe_id = 9,
                               queue_id = 10, tf_addr = 11, tf_data = 13, queue_type = 14;
inline constexpr Flag<2> PREEMPT_LEGACY_GFX_QUEUE{};
inline constexpr Flag<3> UNMAP_LEGACY_QUEUE{};
}  // namespace remove_queue
namespace set_hw_rsrc_1 {
inline constexpr std::uint32_t status = 1;
}
namespace suspend {
inline constexpr std::uint32_t status = 7;
}
namespace resume {
inline constexpr std::uint32_t status = 4;
}
namespace query_status {
inline constexpr std::uint32_t status = 2;
}
namespace misc {
inline constexpr std::uint32_t opcode = 1, status = 2, data = 6;
enum MiscOpcode : std::uint32_t { WRITE_REG = 0, INV_GART = 1, QUERY_STATUS = 2, READ_REG = 3, WAIT_REG_MEM = 4 };
inline constexpr std::uint32_t kWait = 0, kWriteWaitWrite = 1;
}  // namespace misc

}  // namespace hcq::am::abi::mes
