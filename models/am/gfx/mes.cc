// SPDX-License-Identifier: MIT
#include "models/am/gfx/mes.h"

#include <fmt/format.h>

#include "base/deadline.h"
#include "drivers/am/abi/mes.h"

namespace hcq::models::am {

namespace mes = hcq::am::abi::mes;

namespace {
constexpr Requester kReader{.client = ClientId::cpc};
constexpr Requester kWriter{.client = ClientId::cpc, .policy = CachePolicy::bypass};
}  // namespace

std::uint64_t MesScheduler::wide(std::uint32_t dword) const {
  return frame_[dword] | static_cast<std::uint64_t>(frame_[dword + 1]) << 32;
}

MesScheduler::Next MesScheduler::refuse(std::string rule, std::uint64_t value, std::string text) {
  chip_.report("mes", std::move(rule), fmt::format("frame {:#010x}", frame_[0]), value, std::move(text),
               "mes_v11_api_def.h, mes_v11_0.c (Linux 6.12)");
  return Next::ignore;
}

bool MesScheduler::fetch(const Pm4Ring& ring) {
  for (std::uint32_t i = 0; i < mes::kFrameDwords; ++i)
    if (!memory_.load32(kReader, ring.base + ((ring.rptr + i) & (ring.dwords - 1)) * 4, frame_[i])) return false;
  return true;
}

Pm4Result MesScheduler::run(Pm4Ring& ring) {
  while (ring.rptr != ring.wptr) {
    if (interrupted_()) return Pm4Result::interrupted;
    if (ring.wptr - ring.rptr < mes::kFrameDwords) {
      (void)refuse("mes.truncated", ring.wptr - ring.rptr, "the ring holds less than a frame of 64 dwords");
      return Pm4Result::stuck;
    }
    if (!fetch(ring)) return Pm4Result::stuck;
    std::uint32_t status_at = 0;
    const Next n = execute(status_at);
    if (n == Next::again) return Pm4Result::interrupted;
    if (n == Next::confirm && !confirm(status_at)) return Pm4Result::stuck;
    ring.rptr += mes::kFrameDwords;
    written_ = false;
  }
  return Pm4Result::idle;
}

MesScheduler::Next MesScheduler::execute(std::uint32_t& status_at) {
  if (mes::TYPE.in(frame_[0]) != mes::MES_API_TYPE_SCHEDULER || mes::DWSIZE.in(frame_[0]) != mes::kFrameDwords)
    return refuse("mes.header", frame_[0], "a frame is of type 1 and 64 dwords long");
  const std::uint32_t op = mes::OPCODE.in(frame_[0]);
  if (!has_resources_ && op != mes::SET_HW_RSRC && op != mes::QUERY_SCHEDULER_STATUS)
    return refuse("mes.order", op, "SET_HW_RSRC must come first");
  switch (op) {
    case mes::SET_HW_RSRC:
      status_at = mes::set_hw_rsrc::status;
      has_resources_ = true;
      return Next::confirm;
    case mes::SET_HW_RSRC_1:
      status_at = mes::set_hw_rsrc_1::status;
      return Next::confirm;
    case mes::QUERY_SCHEDULER_STATUS:
      status_at = mes::query_status::status;
      return Next::confirm;
    case mes::ADD_QUEUE:
      status_at = mes::add_queue::status;
      return add_queue();
    case mes::REMOVE_QUEUE:
      status_at = mes::remove_queue::status;
      return remove_queue();
    case mes::SUSPEND:  // of the queues of processes, of which there are none
      status_at = mes::suspend::status;
      return Next::confirm;
    case mes::RESUME:
      status_at = mes::resume::status;
      return Next::confirm;
    case mes::MISC:
      status_at = mes::misc::status;
      return misc();
    default:
      return refuse("mes.not_modelled", op, "the scheduler of this model does not know the frame");
  }
}

MesScheduler::Next MesScheduler::add_queue() {
  namespace a = mes::add_queue;
  if (!a::MAP_LEGACY_KQ.in(frame_[a::flags]))
    return refuse("mes.not_modelled", frame_[a::doorbell_offset], "queues of processes are not modelled");
  QueueName q{.pipe = frame_[a::pipe_id], .queue = frame_[a::queue_id]};
  switch (frame_[a::queue_type]) {
    case mes::kGfx:
      q.me = QueueName::kGraphics;
      break;
    case mes::kCompute:
      q.me = QueueName::kCompute;
      break;
    default:
      return refuse("mes.queue_type", frame_[a::queue_type], "a kernel queue is for graphics or for compute");
  }
  return mapper_.map(q, wide(a::mqd_addr)) ? Next::confirm : Next::ignore;
}

MesScheduler::Next MesScheduler::remove_queue() {
  namespace r = mes::remove_queue;
  if (!r::UNMAP_LEGACY_QUEUE.in(frame_[r::flags]))
    return refuse("mes.not_modelled", frame_[r::flags], "only kernel queues can be removed");
  return mapper_.unmap(frame_[r::doorbell_offset], false) ? Next::confirm : Next::ignore;
}

MesScheduler::Next MesScheduler::misc() {
  namespace m = mes::misc;
  const ChipAccess from_chip;
  RegisterBank& bank = chip_.registers.bank();
  switch (frame_[m::opcode]) {
    case m::WRITE_REG:
      bank.write(frame_[m::data], frame_[m::data + 1]);
      return Next::confirm;
    case m::READ_REG:
      if (!memory_.store32(kWriter, wide(m::data + 1), bank.read(frame_[m::data]))) return Next::ignore;
      return Next::confirm;
    case m::WAIT_REG_MEM:
      return wait_register();
    default:
      return refuse("mes.not_modelled", frame_[m::opcode], "the scheduler of this model does not know the order");
  }
}

// Operation, reference, mask, first register, second register. Only masked bits are compared: the kernel gives the
// whole request word of a TLB invalidation as the reference, and one bit as the mask
// (amdgpu_gmc_fw_reg_write_reg_wait).
MesScheduler::Next MesScheduler::wait_register() {
  const std::uint32_t* d = &frame_[mes::misc::data];
  RegisterBank& bank = chip_.registers.bank();
  if (d[0] > mes::misc::kWriteWaitWrite) return refuse("mes.wait", d[0], "there is no such operation");
  const bool writes = d[0] == mes::misc::kWriteWaitWrite;
  if (writes && !std::exchange(written_, true)) bank.write(d[3], d[1]);
  Backoff backoff;
  while ((bank.read(writes ? d[4] : d[3]) & d[2]) != (d[1] & d[2])) {
    if (interrupted_()) return Next::again;
    backoff.pause();
  }
  return Next::confirm;
}

bool MesScheduler::confirm(std::uint32_t status_at) {
  const std::uint64_t fence = wide(status_at), value = wide(status_at + 2);
  if (fence == 0) return true;
  if (fence % 8) return refuse("mes.fence", fence, "a completion fence is 64 bits wide and aligned") == Next::confirm;
  return memory_.store64(kWriter, fence, value);
}

}  // namespace hcq::models::am
