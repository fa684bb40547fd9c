// SPDX-License-Identifier: MIT
#include "models/fabric/rc.h"

namespace hcq::models::fabric {

namespace {

// IBTA table 45, in units of 10 us.
constexpr std::array<std::uint32_t, 32> kRnrTimes{65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
                                                  48,    64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
                                                  2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};

}  // namespace

Time rnr_time(std::uint8_t code) { return std::chrono::microseconds(10) * kRnrTimes[code & 31]; }

const char* name_of(RcOp op) {
  switch (op) {
    case RcOp::send:
      return "SEND";
    case RcOp::send_imm:
      return "SEND with immediate";
    case RcOp::send_invalidate:
      return "SEND with invalidate";
    case RcOp::write:
      return "RDMA WRITE";
    case RcOp::write_imm:
      return "RDMA WRITE with immediate";
    case RcOp::read:
      return "RDMA READ";
    case RcOp::compare_swap:
      return "CMP_SWAP";
    case RcOp::fetch_add:
      return "FETCH_ADD";
  }
  return "?";
}

const char* name_of(RcStatus s) {
  switch (s) {
    case RcStatus::success:
      return "success";
    case RcStatus::local_length:
      return "local length error";
    case RcStatus::local_protection:
      return "local protection error";
    case RcStatus::local_operation:
      return "local QP operation error";
    case RcStatus::bad_response:
      return "bad response";
    case RcStatus::remote_invalid:
      return "remote invalid request";
    case RcStatus::remote_access:
      return "remote access error";
    case RcStatus::remote_operation:
      return "remote operation error";
    case RcStatus::retry_exceeded:
      return "transport retries exceeded";
    case RcStatus::rnr_retry_exceeded:
      return "RNR retries exceeded";
    case RcStatus::flushed:
      return "flushed";
  }
  return "?";
}

}  // namespace hcq::models::fabric
