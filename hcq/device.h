// SPDX-License-Identifier: MIT
// hcq::Device and what it makes. This is the interface between a compute layer and any kind of hardware: a GPU behind
// its own driver, a GPU behind the vendor's kernel driver, or the CPU.
//
// Threads: a Device's own methods may be called from one thread at a time; two Queues may be fed by two threads; a
// Queue is fed by one thread at a time. Waiting (Signal::wait, Device::synchronize) is safe from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/deadline.h"
#include "base/error.h"

namespace hcq {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  bool operator==(const Dim3&) const = default;
};

// Facts about a device that a compiler and a user need.
struct DeviceInfo {
  std::string address;  // as opened: "model:navi31"
  std::string family;   // "am", "nv", "cpu"
  std::string arch;     // LLVM processor name: "gfx1100"; the host's for the CPU
  std::string chip;     // "Navi31"
  std::uint64_t memory_bytes = 0;
  std::uint32_t compute_units = 0;
  std::uint32_t wave_size = 1;  // lanes that run in lockstep
  std::uint32_t max_block = 1;  // work-items in a workgroup
  std::uint32_t lds_bytes = 0;  // local memory of one workgroup
  double timestamp_mhz = 0;     // ticks of Signal::timestamp per microsecond
  struct Firmware {
    std::string name, version, file;
  };
  std::vector<Firmware> firmware;
  struct BootStep {
    std::string name;
    double milliseconds;
  };
  std::vector<BootStep> boot;                                // in order; empty where nothing was booted
  std::vector<std::pair<std::string, std::string>> details;  // further "key: value" lines for people
};

enum class MemoryKind : std::uint8_t {
  device,  // the device's own memory: fast for it, reached by the host through copies only
  host,    // host memory that the device addresses; Buffer::host() is its CPU view; coherent
};

// Memory on one device. Reference-counted through shared_ptr; the storage is released only after the device's timeline
// has passed the last submission that used it, so dropping a Buffer never waits.
class Buffer {
 public:
  virtual ~Buffer() = default;
  std::uint64_t address() const { return address_; }  // device address of the first byte
  std::uint64_t size() const { return size_; }
  MemoryKind kind() const { return kind_; }
  std::byte* host() const { return host_; }  // nullptr for device memory

 protected:
  std::uint64_t address_ = 0, size_ = 0;
  MemoryKind kind_ = MemoryKind::device;
  std::byte* host_ = nullptr;
};
using BufferRef = std::shared_ptr<Buffer>;

// A loaded kernel. Immutable; may be used by several queues of its device.
class Program {
 public:
  virtual ~Program() = default;
  const std::string& name() const { return name_; }
  std::uint32_t kernarg_bytes() const { return kernarg_bytes_; }  // exact size exec() expects
  std::uint32_t lds_bytes() const { return lds_bytes_; }

 protected:
  std::string name_;
  std::uint32_t kernarg_bytes_ = 0, lds_bytes_ = 0;
};
using ProgramRef = std::shared_ptr<const Program>;

// A 64-bit value and a 64-bit timestamp in memory that the host and the device reach. Values only grow; a wait is
// satisfied when the value is >= its target. Losing the device ends all waits with its error.
class Signal {
 public:
  virtual ~Signal() = default;
  virtual std::uint64_t value() const = 0;      // as the host sees it now
  virtual void set(std::uint64_t value) = 0;    // from the host
  virtual std::uint64_t timestamp() const = 0;  // device ticks, written by Queue::timestamp
  // Ends with success, with the device's fault, or with Errc::timeout. The deadline counts from the last change of the
  // value (slow but alive is no timeout).
  virtual Status wait(std::uint64_t target, Clock::duration timeout) = 0;
};
using SignalRef = std::shared_ptr<Signal>;

enum class QueueKind : std::uint8_t { compute, copy };

// Records commands, then hands them to the hardware in one go. Commands of one queue run in order; each exec sees the
// memory effects of everything before it in its queue. Recording and submit() neither allocate, lock nor throw once
// warm (the first submissions of a queue may); an Error allocates, and means nothing of this submission was run.
//
// Every submission waits for all earlier submissions of the device (any queue) and then takes the next value of the
// device's timeline.
class Queue {
 public:
  virtual ~Queue() = default;
  virtual QueueKind kind() const = 0;

  // The queue stops until signal >= value.
  virtual Status wait(Signal& signal, std::uint64_t value) = 0;
  // Host and peer writes made before submit() become visible to the commands that follow.
  virtual Status barrier() = 0;
  // Runs `program` on `groups` workgroups of `block` work-items. `kernargs` is copied; it must be kernarg_bytes() long.
  virtual Status exec(const Program& program, Bytes kernargs, Dim3 groups, Dim3 block) = 0;
  // Copies `bytes`; the ranges must lie inside buffers of this device and must not overlap.
  virtual Status copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) = 0;
  // Stores a 32-bit value at a device address after all earlier commands.
  virtual Status write(std::uint64_t address, std::uint32_t value) = 0;
  // The queue stops until (*address & mask) == value (32 bits).
  virtual Status poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask) = 0;
  // Writes the device clock into the signal's timestamp after all earlier commands.
  virtual Status timestamp(Signal& signal) = 0;
  // Sets the signal after all earlier commands have finished and their writes are visible to host and peers.
  virtual Status signal(Signal& signal, std::uint64_t value) = 0;

  // Hands the recorded commands over and returns the value that the device's timeline reaches when they are done.
  virtual Result<std::uint64_t> submit() = 0;
};

class Device {
 public:
  virtual ~Device() = default;  // closes if close() was not called; waits at most a bounded time
  virtual const DeviceInfo& info() const = 0;

  virtual Result<BufferRef> alloc(std::uint64_t bytes, MemoryKind kind) = 0;
  // `code` is a code object for info().arch (ELF for GPUs); `name` selects a kernel in it, empty if it has only one.
  virtual Result<ProgramRef> load(Bytes code, std::string_view name) = 0;
  virtual Result<SignalRef> create_signal(std::uint64_t initial) = 0;
  // The queue lives as long as the device; kinds a device lacks are Errc::unsupported.
  virtual Result<Queue*> queue(QueueKind kind) = 0;

  // The newest value handed out by submit(), and a wait until the timeline has reached `point`. A device fault makes
  // this and every later call fail with the same Error.
  virtual std::uint64_t last_submitted() const = 0;
  virtual Status wait(std::uint64_t point, Clock::duration timeout) = 0;
  Status synchronize(Clock::duration timeout = std::chrono::seconds(30)) { return wait(last_submitted(), timeout); }

  // Blocking copies through staging memory; they take part in the timeline.
  virtual Status upload(Buffer& dst, std::uint64_t offset, Bytes data) = 0;
  virtual Status download(const Buffer& src, std::uint64_t offset, MutableBytes out) = 0;

  // Puts the device into its idle state. Idempotent; after it every other call fails.
  virtual Status close() = 0;
};

}  // namespace hcq
