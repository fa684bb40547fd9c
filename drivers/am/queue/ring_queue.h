// SPDX-License-Identifier: MIT
// RingQueue: what the compute queue and the copy queue have in common. Commands are recorded straight into the ring;
// submit() adds the wait for the previous submission and the step of the timeline, and rings the doorbell.
//
// Room is reclaimed by the timeline, not by the read pointer that the device reports: a submission that has reached its
// timeline value has been read. So it does not matter how late, how rarely or in how many bits the pointer is reported.
//
// A call that fails spoils the recording: nothing of it will run, and submit() says why and starts afresh.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "drivers/am/dword_writer.h"
#include "drivers/am/queue/core.h"
#include "drivers/am/queue/host_ring.h"
#include "hcq/device.h"

namespace hcq::am {

class RingQueue : public Queue {
 public:
  QueueKind kind() const override { return kind_; }
  Result<std::uint64_t> submit() final;

  // What of this queue is not done when the timeline has reached `done`: "submission 7 on the compute queue (kernel
  // store)"; empty if nothing is. May be called from other threads, for reports: it tolerates races.
  std::string describe_running(std::uint64_t done) const;

  // Takes out what has been recorded so far, so that something else can be submitted first, and puts it back. Every
  // set_aside() is followed by a put_back().
  std::vector<std::uint32_t> set_aside();
  Status put_back(std::span<const std::uint32_t> recorded);

 protected:
  RingQueue(std::shared_ptr<Core> core, QueueKind kind, HostRing ring);

  // Room for a command of at most `dwords`, contiguous; everything needed before the first command is recorded first.
  Status reserve(std::uint32_t dwords, DwordWriter* out);
  void commit(const DwordWriter& w) { put_ += w.size(); }
  Status spoil(Error e);
  Error bad(const char* operation, std::string subject, std::string detail) const;
  // The slot of a signal of this device; other devices' signals cannot be reached.
  Result<std::uint64_t> signal_address(Signal& signal, std::uint64_t value, const char* operation) const;
  void note_program(const std::string* name) { pending_program_ = name; }

  // What begins a submission: a wait for the timeline whose reference word is at the returned index, and so on.
  virtual std::uint32_t prologue_dwords() const = 0;
  virtual std::uint32_t prologue(DwordWriter& w) = 0;
  // What ends it: the step of the timeline to `raw`, with an interrupt.
  virtual std::uint32_t epilogue_dwords() const = 0;
  virtual void epilogue(DwordWriter& w, std::uint32_t raw) = 0;
  // Fills ring words that will be skipped.
  virtual void fill(DwordWriter& w, std::uint32_t dwords) = 0;

  // Storage besides the ring that a submission uses up, in order (the argument ring of the compute queue).
  virtual std::uint64_t extra_position() const { return 0; }
  virtual void extra_freed(std::uint64_t position) { (void)position; }
  // The recording has ended. `submitted`: what it used counts; else it is free again.
  virtual void extra_closed(bool submitted) { (void)submitted; }

  // Frees the room of finished submissions. Then waits, if `enough` is not true yet, until it is.
  template <class Enough>
  Status wait_for_room(Enough&& enough, const char* what);
  void reclaim();

  std::shared_ptr<Core> core_;

 private:
  // Written by the thread that feeds the queue, read also by reports from other threads.
  struct Submission {
    std::atomic<std::uint64_t> point{0};               // timeline value
    std::atomic<const std::string*> program{nullptr};  // the last kernel in it
    std::uint64_t end = 0;                             // ring position behind it
    std::uint64_t extra = 0;                           // extra_position() behind it
  };
  static constexpr std::uint32_t kInFlight = 1024;  // a power of two
  // Kept free: the timeline may be stepped just before the read pointer moves over the last packet.
  static constexpr std::uint32_t kSlack = 64;

  Status open();
  void close_recording(bool submitted);
  Status make_room(std::uint64_t end);

  QueueKind kind_;
  HostRing ring_;
  std::uint64_t capacity_;
  std::uint64_t begin_ = 0;      // of the recording
  std::uint64_t put_ = 0;        // end of the recording
  std::uint64_t freed_ = 0;      // everything before is done
  std::uint64_t reference_ = 0;  // position of the prologue's reference word
  bool open_ = false;            // the prologue has been recorded
  bool aside_ = false;           // between set_aside() of something and put_back()
  std::optional<Error> spoiled_;
  const std::string* pending_program_ = nullptr;

  std::vector<Submission> in_flight_;  // kInFlight entries, indexed modulo
  std::atomic<std::uint64_t> oldest_{0}, newest_{0};
};

template <class Enough>
Status RingQueue::wait_for_room(Enough&& enough, const char* what) {
  reclaim();
  if (enough()) return {};
  // One step of progress at a time: wait for the oldest submission, free what it held, look again.
  while (oldest_ != newest_) {
    if (Status s = core_->wait(in_flight_[oldest_ % kInFlight].point, core_->options().ring_timeout); !s) {
      Error e = std::move(s).error();
      if (e.code == Errc::timeout) e.subject = what;
      return spoil(std::move(e));
    }
    reclaim();
    if (enough()) return {};
  }
  return spoil(core_->error(Errc::no_memory, "record", what, "one submission is larger than what there is"));
}

}  // namespace hcq::am
