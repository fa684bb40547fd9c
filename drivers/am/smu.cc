// SPDX-License-Identifier: MIT
// Protocol: smu_cmn.c and smu_v13_0.c of Linux 6.12.
#include "drivers/am/smu.h"

#include <fmt/format.h>

#include "base/log.h"
#include "drivers/am/gpu.h"
#include "drivers/am/metrics/tables.h"

namespace hcq::am {

using namespace regs;
using namespace std::chrono_literals;
namespace smu = abi::smu13_0_0;

namespace {

// smu13_driver_if_v13_0_0.h: the version of the tables that abi/smu.h describes.
constexpr std::uint32_t kDriverIfVersion = 0x3d;
constexpr auto kAliveTimeout = 100ms, kFirstIdle = 5ms;
// A clock request that the firmware does not answer at once has no effect on correctness.
constexpr auto kClockTimeout = 20ms;
// A viewer waits for it.
constexpr auto kMetricsTimeout = 500ms;

const char* message_name(Smu::Message m) {
  switch (m) {
    case smu::PPSMC_MSG_TestMessage:
      return "TestMessage";
    case smu::PPSMC_MSG_GetSmuVersion:
      return "GetSmuVersion";
    case smu::PPSMC_MSG_GetDriverIfVersion:
      return "GetDriverIfVersion";
    case smu::PPSMC_MSG_EnableAllSmuFeatures:
      return "EnableAllSmuFeatures";
    case smu::PPSMC_MSG_SetDriverDramAddrHigh:
      return "SetDriverDramAddrHigh";
    case smu::PPSMC_MSG_SetDriverDramAddrLow:
      return "SetDriverDramAddrLow";
    case smu::PPSMC_MSG_SetSoftMinByFreq:
      return "SetSoftMinByFreq";
    case smu::PPSMC_MSG_SetSoftMaxByFreq:
      return "SetSoftMaxByFreq";
    case smu::PPSMC_MSG_GetDpmFreqByIndex:
      return "GetDpmFreqByIndex";
    case smu::PPSMC_MSG_TransferTableSmu2Dram:
      return "TransferTableSmu2Dram";
    case smu::PPSMC_MSG_Mode1Reset:
      return "Mode1Reset";
    default:
      return "message";
  }
}

const char* answer_text(std::uint32_t answer) {
  switch (answer) {
    case smu::PPSMC_Result_Failed:
      return "the SMU says: failed";
    case smu::PPSMC_Result_UnknownCmd:
      return "the SMU does not know this message";
    case smu::PPSMC_Result_CmdRejectedPrereq:
      return "the SMU says: a prerequisite is missing";
    case smu::PPSMC_Result_CmdRejectedBusy:
      return "the SMU says: busy";
    default:
      return "the SMU gave an answer that has no meaning";
  }
}

constexpr std::uint32_t kClocks[] = {smu::PPCLK_UCLK, smu::PPCLK_FCLK, smu::PPCLK_SOCCLK, smu::PPCLK_GFXCLK};

}  // namespace

// The answer register is cleared with each message; non-zero means that the last one is done. Before the first message
// of a session it may be zero because nobody has asked anything since the firmware started; then the message register
// is zero as well.
Status Smu::wait_idle(Clock::duration timeout) {
  const bool first = !asked_;
  asked_ = true;
  const auto idle = gpu_.io().poll_nonzero<MP1_SMN_C2PMSG_90>(~0u, first ? kFirstIdle : timeout, "smu/wait_idle");
  if (idle.ok()) return {};
  if (first && idle.error().code == Errc::timeout && HCQ_TRY(gpu_.io().read<MP1_SMN_C2PMSG_66>()).raw == 0) return {};
  return idle.error();
}

Result<std::uint32_t> Smu::send(Message message, std::uint32_t argument, Clock::duration timeout) {
  RegisterIo& io = gpu_.io();
  HCQ_TRY(wait_idle(timeout));
  HCQ_TRY(io.write_raw<MP1_SMN_C2PMSG_90>(0));
  HCQ_TRY(io.write_raw<MP1_SMN_C2PMSG_82>(argument));
  HCQ_TRY(io.write_raw<MP1_SMN_C2PMSG_66>(message));
  auto answered = io.poll_nonzero<MP1_SMN_C2PMSG_90>(~0u, timeout, "smu/send");
  const std::string what =
      fmt::format("{} ({:#x}) argument {:#x}", message_name(message), static_cast<std::uint32_t>(message), argument);
  if (!answered.ok()) {
    Error e = std::move(answered).error();
    if (e.code == Errc::timeout) e.detail = "no answer to " + what;
    return e;
  }
  log::trace(log::Area::smu, "{}: answer {:#x}", what, answered->raw);
  if (answered->raw != smu::PPSMC_Result_OK) {
    Error e = gpu_.link().error(Errc::device_fault, what, answer_text(answered->raw));
    e.expected = smu::PPSMC_Result_OK;
    e.actual = answered->raw;
    return e;
  }
  return HCQ_TRY(io.read<MP1_SMN_C2PMSG_82>()).raw;
}

Result<bool> Smu::alive() {
  const auto v = send(smu::PPSMC_MSG_GetSmuVersion, 0, kAliveTimeout);
  asked_ = false;  // what follows may be another firmware
  if (!v.ok() && v.error().code == Errc::device_lost) return v.error();
  return v.ok() && *v != 0;
}

Status Smu::start() {
  version_ = HCQ_TRY(send(smu::PPSMC_MSG_GetSmuVersion));
  driver_if_ = HCQ_TRY(send(smu::PPSMC_MSG_GetDriverIfVersion));
  tables_known_ = driver_if_ == kDriverIfVersion;
  if (!tables_known_)
    log::warn("{}: SMU firmware {:#x} has driver interface {:#x}, this driver knows {:#x}: no metrics", gpu_.name(),
              version_, driver_if_, kDriverIfVersion);
  const std::uint64_t table = gpu_.mc(gpu_.layout().smu_table.paddr);
  HCQ_TRY(send(smu::PPSMC_MSG_SetDriverDramAddrHigh, hi32(table)));
  HCQ_TRY(send(smu::PPSMC_MSG_SetDriverDramAddrLow, lo32(table)));
  // Still enabled where the firmware of an earlier session runs on.
  if (!gpu_.warm()) HCQ_TRY(send(smu::PPSMC_MSG_EnableAllSmuFeatures));
  return {};
}

Result<std::uint32_t> Smu::dpm_level(std::uint32_t clock, bool highest) {
  const std::uint32_t count =
      HCQ_TRY(send(smu::PPSMC_MSG_GetDpmFreqByIndex, clock << 16 | smu::kDpmCountIndex)) & smu::kDpmFreqMask;
  if (count == 0 || count > 64) {
    Error e = gpu_.link().error(Errc::corrupt, "GetDpmFreqByIndex", "impossible number of clock levels");
    e.actual = count;
    return e;
  }
  const std::uint32_t index = highest ? count - 1 : 0;
  return HCQ_TRY(send(smu::PPSMC_MSG_GetDpmFreqByIndex, clock << 16 | index)) & smu::kDpmFreqMask;
}

Status Smu::set_clock(std::uint32_t clock, bool highest) {
  const std::uint32_t mhz = HCQ_TRY(dpm_level(clock, highest));
  const auto min = send(smu::PPSMC_MSG_SetSoftMinByFreq, clock << 16 | mhz, highest ? kClockTimeout : kTimeout);
  if (min.ok()) return {};
  if (min.error().code == Errc::device_lost) return min.error();
  log::info("{}", hcq::describe(min.error()));
  return {};
}

Status Smu::raise_clocks() {
  for (const std::uint32_t clock : kClocks) HCQ_TRY(set_clock(clock, true));
  return {};
}

void Smu::lower_clocks() {
  for (const std::uint32_t clock : kClocks) {
    Status s = set_clock(clock, false);
    const bool stop = !s.ok();
    gpu_.note_undo(std::move(s));
    if (stop) return;
  }
}

Result<Metrics> Smu::metrics() {
  if (!tables_known_) {
    Error e = gpu_.link().error(Errc::unsupported, "SMU metrics table",
                                fmt::format("driver interface {:#x} is not supported by this build", driver_if_));
    e.expected = kDriverIfVersion;
    e.actual = driver_if_;
    return e;
  }
  HCQ_TRY(send(smu::PPSMC_MSG_TransferTableSmu2Dram, smu::TABLE_SMU_METRICS, kMetricsTimeout));
  std::array<std::byte, smu::kMetricsTableBytes> table{};
  HCQ_TRY(gpu_.vram().read(gpu_.layout().smu_table.paddr, table));
  Metrics m = HCQ_TRY(decode_smu13_0_0(table));
  const std::uint64_t total = gpu_.vram().size(), free = gpu_.memory().vram_free();
  m.add("memory_total_bytes", static_cast<double>(total));
  if (free <= total) m.add("memory_used_bytes", static_cast<double>(total - free));
  return m;
}

// The answer is not waited for: the chip may be in reset, where no access is allowed, before it could be read. Whether
// the reset took place is seen by what runs afterwards.
Status Smu::request_mode1_reset() {
  RegisterIo& io = gpu_.io();
  HCQ_TRY(wait_idle(kTimeout));
  HCQ_TRY(io.write_raw<MP1_SMN_C2PMSG_90>(0));
  HCQ_TRY(io.write_raw<MP1_SMN_C2PMSG_82>(0));
  asked_ = false;
  return io.write_raw<MP1_SMN_C2PMSG_66>(smu::PPSMC_MSG_Mode1Reset);
}

}  // namespace hcq::am
