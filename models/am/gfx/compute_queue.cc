// SPDX-License-Identifier: MIT
#include "models/am/gfx/compute_queue.h"

#include <fmt/format.h>

#include <algorithm>

namespace hcq::models::am {

namespace {

using namespace std::chrono_literals;

// Dwords of the MQD that the microcode itself writes, or that change while the queue runs.
bool changes_on_its_own(std::uint32_t dword) {
  constexpr std::uint32_t kDwords[] = {
      mqd::cp_hqd_active,          mqd::cp_hqd_pq_rptr,      mqd::cp_hqd_ib_control - 1,  mqd::cp_hqd_iq_timer + 1,
      mqd::cp_hqd_dequeue_request, mqd::cp_hqd_hq_status0,   mqd::cp_hqd_hq_control0 + 2, mqd::cp_hqd_eop_rptr,
      mqd::cp_hqd_eop_wptr,        mqd::cp_hqd_eop_wptr + 1, mqd::cp_hqd_error,           mqd::cp_hqd_pq_wptr_lo,
      mqd::cp_hqd_pq_wptr_hi};
  return std::find(std::begin(kDwords), std::end(kDwords), dword) != std::end(kDwords);
}

template <class R>
regs::Value<R> decode(Chip& chip, std::uint32_t raw) {
  return chip.registers.map().decode<R>(raw);
}

}  // namespace

ComputeQueue::~ComputeQueue() {
  stop_waves_.store(true, std::memory_order_release);
  if (worker_) worker_->stop();
}

void ComputeQueue::violation(std::string rule, std::uint64_t value, std::string text) const {
  shared_.chip.report("cp", std::move(rule), fmt::format("me {} pipe {} queue {}", name_.me, name_.pipe, name_.queue),
                      value, std::move(text), "gfx_v11_0.c (Linux 6.12), v11_structs.h");
}

std::uint32_t ComputeQueue::read(std::uint32_t dword) const { return regs_[dword]; }

void ComputeQueue::write(std::uint32_t dword, std::uint32_t value) {
  if (dword == mqd::cp_hqd_dequeue_request) {
    if (value & 0xf && active()) {
      regs_.set(dword, value);
      if ((value & 0xf) >= 2) stop_waves_.store(true, std::memory_order_release);
      dequeue_.store(value & 0xf, std::memory_order_release);
      worker_->kick();
    }
    return;
  }
  if (dword == mqd::cp_hqd_active) {
    if (value & 1) return activate();
    if (active()) {
      violation("cp.hqd_deactivated", value, "ACTIVE was cleared by hand instead of through DEQUEUE_REQUEST");
      reset();
    }
    return;
  }
  if (active()) violation("cp.hqd_write_while_active", dword, "a register of an active queue was changed");
  regs_.set(dword, value);
}

std::optional<std::uint32_t> ComputeQueue::doorbell_dword() const {
  using D = regs::CP_HQD_PQ_DOORBELL_CONTROL;
  const auto d = decode<D>(shared_.chip, regs_[mqd::cp_hqd_pq_doorbell_control]);
  if (!d[D::DOORBELL_EN]) return std::nullopt;
  return d[D::DOORBELL_OFFSET];
}

void ComputeQueue::check_before_activation() {
  using Q = regs::CP_HQD_PQ_CONTROL;
  using E = regs::CP_HQD_EOP_CONTROL;
  using M = regs::CP_MQD_CONTROL;
  using V = regs::CP_HQD_VMID;
  Chip& chip = shared_.chip;
  const std::uint32_t size = decode<Q>(chip, regs_[mqd::cp_hqd_pq_control])[Q::QUEUE_SIZE];
  if (size < 5 || size > 30) violation("cp.queue_size", size, "QUEUE_SIZE is log2 of the ring's dwords minus one");
  if (decode<V>(chip, regs_[mqd::cp_hqd_vmid])[V::VMID])
    violation("cp.hqd_vmid", regs_[mqd::cp_hqd_vmid], "only VMID 0 has an address space here");
  const std::uint64_t base = regs_.wide(mqd::cp_mqd_base_addr_lo);
  if (base & 0xff) violation("cp.mqd_base", base, "the MQD is 256-byte aligned");
  if (name_.me != QueueName::kCompute) return;
  const std::uint32_t eop = decode<E>(chip, regs_[mqd::cp_hqd_eop_control])[E::EOP_SIZE];
  if (eop > mqd::kMaxEopSize) violation("cp.eop_size", eop, "EOP_SIZE above 0xA makes the microcode misbehave");
  if (!decode<M>(chip, regs_[mqd::cp_mqd_control])[M::PRIV_STATE])
    violation("cp.mqd_priv", regs_[mqd::cp_mqd_control], "the MQD of a kernel queue needs PRIV_STATE");
}

void ComputeQueue::activate() {
  const std::lock_guard lock(mutex_);
  if (active()) return violation("cp.hqd_already_active", 1, "a queue that is active was activated again");
  using Q = regs::CP_HQD_PQ_CONTROL;
  check_before_activation();
  const std::uint32_t size = decode<Q>(shared_.chip, regs_[mqd::cp_hqd_pq_control])[Q::QUEUE_SIZE];
  ring_ = {.base = regs_.wide(mqd::cp_hqd_pq_base_lo) << 8,
           .dwords = 2ull << std::min(size, 30u),
           .rptr = regs_[mqd::cp_hqd_pq_rptr],
           .wptr = regs_.wide(graphics() ? mqd::cp_gfx_hqd_wptr_lo : mqd::cp_hqd_pq_wptr_lo)};
  doorbell_.store(ring_.wptr, std::memory_order_release);
  connected_ = stuck_ = dequeuing_ = false;
  stop_waves_.store(false, std::memory_order_release);
  dequeue_.store(0, std::memory_order_release);
  rung_.store(false, std::memory_order_release);
  if (!worker_) worker_ = std::make_unique<Worker>([this] { step(); });
  regs_.set(mqd::cp_hqd_active, 1);
  active_.store(true, std::memory_order_release);
}

bool ComputeQueue::load(std::uint64_t mqd_base) {
  if (active()) {
    violation("cp.hqd_already_active", mqd_base, "a queue that is active was mapped again");
    return false;
  }
  std::array<std::uint32_t, mqd::kDwords> m{};
  if (mqd_base & 0xff ||
      !shared_.memory.read({.client = ClientId::cpc}, mqd_base, std::as_writable_bytes(std::span(m)))) {
    violation("cp.mqd_base", mqd_base, "there is no MQD at this address");
    return false;
  }
  for (std::uint32_t d = mqd::kFirstRegister; d <= mqd::kLastRegister; ++d)
    if (d != mqd::cp_hqd_active) regs_.set(d, m[d]);
  activate();
  return active();
}

void ComputeQueue::unload(bool reset_it) {
  if (!active()) return;
  if (reset_it) return reset();
  write(mqd::cp_hqd_dequeue_request, 1);
}

// The hot path of a submission; runs on the thread that writes the doorbell.
void ComputeQueue::doorbell(std::uint64_t wptr) {
  const std::uint64_t before = doorbell_.load(std::memory_order_relaxed);
  if (wptr < before)
    return violation("cp.doorbell_backwards", wptr, fmt::format("the doorbell went back from {:#x}", before));
  doorbell_.store(wptr, std::memory_order_release);
  rung_.store(true, std::memory_order_release);
  worker_->kick();
}

bool ComputeQueue::check_mqd(const std::array<std::uint32_t, mqd::kDwords>& m) {
  bool ok = true;
  const auto bad = [&](std::string rule, std::uint64_t value, std::string text) {
    violation(std::move(rule), value, std::move(text));
    ok = false;
  };
  if (m[mqd::header] != mqd::kHeaderValue)
    bad("cp.mqd_header", m[mqd::header], "the MQD in memory has no valid header");
  else
    for (std::uint32_t d = mqd::kFirstRegister; d <= mqd::kLastRegister; ++d)
      if (!changes_on_its_own(d) && m[d] != regs_[d])
        bad("cp.mqd_mismatch", m[d], fmt::format("dword {} of the MQD differs from the register ({:#x})", d, regs_[d]));
  if (ok && !m[mqd::compute_static_thread_mgmt_se0])
    bad("cp.static_thread_mgmt", 0, "no compute unit of shader engine 0 is enabled for this queue");
  return ok;
}

// The first work after activation: the microcode reads the MQD.
bool ComputeQueue::connect() {
  const std::uint64_t base = regs_.wide(mqd::cp_mqd_base_addr_lo);
  std::array<std::uint32_t, mqd::kDwords> m{};
  // The MES starts from registers alone, and looks at no MQD of its own.
  if (name_.me == QueueName::kCompute) {
    if (!shared_.memory.read({.client = ClientId::cpc}, base, std::as_writable_bytes(std::span(m)))) {
      violation("cp.mqd_base", base, "there is no MQD at this address");
      return false;
    }
    if (!check_mqd(m)) return false;
  }
  Pm4Host host{.name = name_,
               .vmid = 0,
               .eop_base = graphics() ? 0 : regs_.wide(mqd::cp_hqd_eop_base_addr_lo) << 8,
               .interrupted = [this] { return worker_->interrupted() || dequeue_.load(std::memory_order_acquire); },
               .stop = &stop_waves_,
               .sh_mem_bases = shared_.sh_mem_bases,
               .eop_interrupt_enabled = [this] { return shared_.eop_interrupt_enabled(name_); }};
  processor_ = shared_.processor(std::move(host), shared_.chip.options.seed * 31 + name_.queue);
  reported_ = static_cast<std::uint32_t>(ring_.rptr);
  connected_ = true;
  return true;
}

// The doorbell says how far the ring is filled; memory must say so as well, or the driver rang before its writes were
// visible.
bool ComputeQueue::take_wptr() {
  const std::uint64_t wptr = doorbell_.load(std::memory_order_acquire);
  const std::uint64_t poll = regs_.wide(mqd::cp_hqd_pq_wptr_poll_addr_lo);
  std::uint64_t in_memory = 0;
  if (!shared_.memory.load64({.client = ClientId::cpf}, poll, in_memory)) return false;
  if (in_memory < wptr)
    violation("cp.wptr_mismatch", wptr, fmt::format("the doorbell is ahead of the wptr in memory ({:#x})", in_memory));
  if (wptr - ring_.rptr > ring_.dwords) {
    violation("cp.ring_overflow", wptr - ring_.rptr, "more dwords were queued than the ring holds");
    return false;
  }
  ring_.wptr = wptr;
  return true;
}

void ComputeQueue::report_rptr() {
  using Q = regs::CP_HQD_PQ_CONTROL;
  const auto rptr = static_cast<std::uint32_t>(ring_.rptr);
  if (rptr == reported_) return;
  reported_ = rptr;
  regs_.set(mqd::cp_hqd_pq_rptr, rptr);
  if (decode<Q>(shared_.chip, regs_[mqd::cp_hqd_pq_control])[Q::NO_UPDATE_RPTR]) return;
  constexpr Requester kWriter{.client = ClientId::cpc, .policy = CachePolicy::bypass};
  if (!shared_.memory.store32(kWriter, regs_.wide(mqd::cp_hqd_pq_rptr_report_addr_lo), rptr)) stuck_ = true;
}

void ComputeQueue::step() {
  if (!active() || hung_) return;
  if (dequeue_.load(std::memory_order_acquire)) return begin_dequeue();
  if (stuck_) return;
  while (rung_.exchange(false, std::memory_order_acq_rel)) {
    if (!shared_.running(name_))
      return violation("cp.mec_halted", doorbell_, "a doorbell was rung while the microcode does not run");
    if (shared_.chip.fault("cp/hang")) {
      hung_ = true;
      return;
    }
    if ((!connected_ && !connect()) || !take_wptr()) {
      stuck_ = true;
      return;
    }
    const Pm4Result r = processor_->run(ring_);
    report_rptr();
    if (r == Pm4Result::interrupted) {
      rung_.store(true, std::memory_order_release);
      if (dequeue_.load(std::memory_order_acquire)) begin_dequeue();
      return;
    }
    if (r == Pm4Result::stuck) {
      stuck_ = true;
      return;
    }
  }
}

void ComputeQueue::begin_dequeue() {
  if (std::exchange(dequeuing_, true)) return;
  shared_.chip.timer.after(5us, 60us, [this] {
    const std::lock_guard lock(mutex_);
    if (dequeue_.load(std::memory_order_acquire)) release();
  });
}

void ComputeQueue::release() {
  active_.store(false, std::memory_order_release);
  shared_.released(*this);
  regs_.set(mqd::cp_hqd_active, 0);
  regs_.set(mqd::cp_hqd_dequeue_request, 0);
  dequeue_.store(0, std::memory_order_release);
}

void ComputeQueue::reset_waves() { stop_waves_.store(true, std::memory_order_release); }

void ComputeQueue::reset() {
  stop_waves_.store(true, std::memory_order_release);
  if (worker_) worker_->pause(0ms, stop_waves_);
  {
    const std::lock_guard lock(mutex_);
    release();
    hung_ = stuck_ = connected_ = dequeuing_ = false;
    processor_.reset();
  }
  if (worker_) worker_->resume();
}

void ComputeQueue::clear() {
  reset();
  regs_.clear();
}

void ComputeQueue::pause() {
  if (worker_) worker_->pause(200ms, stop_waves_);
}

void ComputeQueue::resume() {
  if (worker_) worker_->resume();
}

}  // namespace hcq::models::am
