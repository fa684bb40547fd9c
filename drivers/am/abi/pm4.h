// SPDX-License-Identifier: MIT
// PM4 packets of gfx11 and gfx12 as the compute microcode (MEC) reads them: opcodes, dword counts and bit ranges.
// Source: nvd.h and gfx_v11_0.c of Linux 6.12 (drivers/gpu/drm/amd/amdgpu), pm4 part of the ROCm and Mesa headers. Body
// dwords are numbered from 0, without the header.
#pragma once

#include "drivers/am/abi/bits.h"

namespace hcq::am::abi::pm4 {

// Header of a type-3 packet; `Count` is the number of body dwords minus one. A type-2 header is a packet by itself.
inline constexpr Bits<31, 30> kType{};
inline constexpr Bits<29, 16> kCount{};
inline constexpr Bits<15, 8> kOpcode{};
inline constexpr Flag<1> kShaderType{};
inline constexpr Flag<0> kPredicate{};
inline constexpr std::uint32_t kType2 = 0x80000000;
inline constexpr std::uint32_t kNopSingle = 0x3fff;  // count of a NOP that has no body at all

constexpr std::uint32_t header(std::uint32_t opcode, std::uint32_t body_dwords) {
  return kType(3) | kCount((body_dwords - 1) & 0x3fff) | kOpcode(opcode);
}

inline constexpr std::uint32_t NOP = 0x10, DISPATCH_DIRECT = 0x15, PRED_EXEC = 0x23, WRITE_DATA = 0x37,
                               WAIT_REG_MEM = 0x3c, INDIRECT_BUFFER = 0x3f, COPY_DATA = 0x40, EVENT_WRITE = 0x46,
                               RELEASE_MEM = 0x49, ACQUIRE_MEM = 0x58, SET_SH_REG = 0x76, SET_UCONFIG_REG = 0x79;
// Of graphics queues (PFP and ME), and of the queue through which others are mapped (KIQ).
inline constexpr std::uint32_t SET_BASE = 0x11, CLEAR_STATE = 0x12, COND_EXEC = 0x22, CONTEXT_CONTROL = 0x28,
                               PFP_SYNC_ME = 0x42, PREAMBLE_CNTL = 0x4a, SET_CONTEXT_REG = 0x69, SWITCH_BUFFER = 0x8b,
                               FRAME_CONTROL = 0x90, SET_RESOURCES = 0xa0, MAP_QUEUES = 0xa2, UNMAP_QUEUES = 0xa3;
static_assert(header(NOP, 1) == 0xc0001000 && header(SET_SH_REG, 3) == 0xc0027600);

// Register windows of the SET packets, in dwords: first register, one past the last. The packet's first body dword
// holds the register minus the start in [15:0].
inline constexpr std::uint32_t kShRegStart = 0x2c00, kShRegEnd = 0x3000;
inline constexpr std::uint32_t kContextRegStart = 0xa000, kContextRegEnd = 0xa400;
inline constexpr std::uint32_t kUconfigRegStart = 0xc000, kUconfigRegEnd = 0x10000;
inline constexpr Bits<15, 0> kRegOffset{};

namespace dispatch_direct {  // x, y, z, initiator (COMPUTE_DISPATCH_INITIATOR)
inline constexpr std::uint32_t kBody = 4;
inline constexpr Flag<0> COMPUTE_SHADER_EN{};
inline constexpr Flag<2> FORCE_START_AT_000{};
inline constexpr Flag<15> CS_W32_EN{};
}  // namespace dispatch_direct

namespace pred_exec {
inline constexpr std::uint32_t kBody = 1;
inline constexpr Bits<31, 24> DEVICE_SELECT{};
inline constexpr Bits<13, 0> EXEC_COUNT{};
}  // namespace pred_exec

namespace write_data {  // control, address lo, address hi, data...
inline constexpr std::uint32_t kBodyMin = 4;
inline constexpr Bits<11, 8> DST_SEL{};
inline constexpr Flag<16> ADDR_INCR{};  // 1: every dword to the same address
inline constexpr Flag<20> WR_CONFIRM{};
inline constexpr Bits<26, 25> CACHE_POLICY{};
inline constexpr Bits<31, 30> ENGINE_SEL{};
inline constexpr std::uint32_t kDstRegister = 0, kDstTcL2 = 2, kDstMemory = 5;
}  // namespace write_data

namespace wait_reg_mem {  // info, address lo / register, address hi / second register, reference, mask, poll interval
inline constexpr std::uint32_t kBody = 6;
inline constexpr Bits<2, 0> FUNCTION{};
inline constexpr Bits<5, 4> MEM_SPACE{};
inline constexpr Bits<7, 6> OPERATION{};
inline constexpr Bits<9, 8> ENGINE{};
inline constexpr Bits<15, 0> POLL_INTERVAL{};
inline constexpr std::uint32_t kAlways = 0, kLess = 1, kLessEqual = 2, kEqual = 3, kNotEqual = 4, kGreaterEqual = 5,
                               kGreater = 6;
inline constexpr std::uint32_t kRegister = 0, kMemory = 1;
inline constexpr std::uint32_t kWait = 0, kWriteWaitWrite = 1;
}  // namespace wait_reg_mem

namespace indirect_buffer {  // base lo, base hi, control
inline constexpr std::uint32_t kBody = 3;
inline constexpr Bits<31, 2> BASE_LO{};
inline constexpr Bits<19, 0> SIZE{};  // dwords
inline constexpr Flag<23> VALID{};
inline constexpr Bits<27, 24> VMID{};
inline constexpr Bits<29, 28> CACHE_POLICY{};
}  // namespace indirect_buffer

namespace copy_data {  // control, source lo, source hi, destination lo, destination hi
inline constexpr std::uint32_t kBody = 5;
inline constexpr Bits<3, 0> SRC_SEL{};
inline constexpr Bits<11, 8> DST_SEL{};
inline constexpr Bits<14, 13> SRC_CACHE_POLICY{};
inline constexpr Flag<16> COUNT_SEL{};  // 0: 32 bits, 1: 64 bits
inline constexpr Flag<20> WR_CONFIRM{};
inline constexpr Bits<26, 25> DST_CACHE_POLICY{};
inline constexpr std::uint32_t kSrcRegister = 0, kSrcMemory = 1, kSrcTcL2 = 2, kSrcPerfCounter = 4, kSrcImmediate = 5,
                               kSrcGpuClock = 9;
inline constexpr std::uint32_t kDstRegister = 0, kDstTcL2 = 2, kDstMemory = 5;
}  // namespace copy_data

namespace event_write {
inline constexpr std::uint32_t kBody = 1;
inline constexpr Bits<5, 0> EVENT_TYPE{};
inline constexpr Bits<11, 8> EVENT_INDEX{};
inline constexpr std::uint32_t kCsPartialFlush = 7, kCsPartialFlushIndex = 4;
inline constexpr std::uint32_t kThreadTraceStart = 51, kThreadTraceStop = 52, kThreadTraceMarker = 53,
                               kThreadTraceFinish = 55;
}  // namespace event_write

namespace release_mem {  // event and caches, destination, address lo, hi, data lo, hi, int_ctxid
inline constexpr std::uint32_t kBody = 7;
inline constexpr Bits<5, 0> EVENT_TYPE{};
inline constexpr Bits<11, 8> EVENT_INDEX{};
inline constexpr Flag<12> GLM_WB{};
inline constexpr Flag<13> GLM_INV{};
inline constexpr Flag<14> GLV_INV{};
inline constexpr Flag<15> GL1_INV{};
inline constexpr Flag<16> GL2_US{};
inline constexpr Bits<18, 17> GL2_RANGE{};
inline constexpr Flag<19> GL2_DISCARD{};
inline constexpr Flag<20> GL2_INV{};
inline constexpr Flag<21> GL2_WB{};
inline constexpr Bits<23, 22> SEQ{};
inline constexpr Bits<26, 25> CACHE_POLICY{};
inline constexpr Flag<28> EXECUTE{};
// body dword 1
inline constexpr Bits<17, 16> DST_SEL{};
inline constexpr Bits<26, 24> INT_SEL{};
inline constexpr Bits<31, 29> DATA_SEL{};
inline constexpr std::uint32_t kCacheFlushAndInvTs = 0x14, kEndOfPipe = 5;
inline constexpr std::uint32_t kDstMemory = 0, kDstTcL2 = 1;
inline constexpr std::uint32_t kIntNone = 0, kIntOnly = 1, kIntAfterConfirm = 2, kDataAfterConfirm = 3;
inline constexpr std::uint32_t kDataNone = 0, kData32 = 1, kData64 = 2, kDataGpuClock = 3;
}  // namespace release_mem

namespace acquire_mem {  // 0, size lo, size hi, base lo, base hi, poll interval, GCR_CNTL; sizes in units of 256 bytes
inline constexpr std::uint32_t kBody = 7;
inline constexpr Bits<7, 0> SIZE_HI{};
inline constexpr Bits<23, 0> BASE_HI{};
inline constexpr Bits<1, 0> GLI_INV{};  // 0: no, 1: all, 2: range, 3: first and last
inline constexpr Bits<3, 2> GL1_RANGE{};
inline constexpr Flag<4> GLM_WB{};
inline constexpr Flag<5> GLM_INV{};
inline constexpr Flag<6> GLK_WB{};
inline constexpr Flag<7> GLK_INV{};
inline constexpr Flag<8> GLV_INV{};
inline constexpr Flag<9> GL1_INV{};
inline constexpr Flag<10> GL2_US{};
inline constexpr Bits<12, 11> GL2_RANGE{};
inline constexpr Flag<13> GL2_DISCARD{};
inline constexpr Flag<14> GL2_INV{};
inline constexpr Flag<15> GL2_WB{};
inline constexpr Bits<17, 16> SEQ{};
inline constexpr Flag<18> RANGE_IS_PA{};
}  // namespace acquire_mem

namespace cond_exec {  // address lo, hi, 0, count of dwords that are skipped when the dword there is 0
inline constexpr Bits<13, 0> EXEC_COUNT{};
}
namespace map_queues {  // queue, doorbell, MQD lo, hi, write pointer lo, hi
inline constexpr std::uint32_t kBody = 6;
inline constexpr Bits<15, 13> QUEUE{};
inline constexpr Bits<17, 16> PIPE{};
inline constexpr Bits<19, 18> ME{};
inline constexpr Bits<28, 26> ENGINE_SEL{};
inline constexpr Bits<31, 29> NUM_QUEUES{};
inline constexpr Bits<27, 2> DOORBELL_OFFSET{};  // body dword 1
inline constexpr std::uint32_t kEngineCompute = 0, kEngineGfx = 4, kEngineMes = 5;
}  // namespace map_queues
namespace unmap_queues {  // action, doorbell, fence lo, hi, value
inline constexpr std::uint32_t kBody = 5;
inline constexpr Bits<1, 0> ACTION{};
inline constexpr Bits<27, 2> DOORBELL_OFFSET{};  // body dword 1
inline constexpr std::uint32_t kPreempt = 0, kReset = 1, kDisable = 2, kPreemptNoUnmap = 3;
}  // namespace unmap_queues

}  // namespace hcq::am::abi::pm4
