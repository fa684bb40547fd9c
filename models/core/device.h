// SPDX-License-Identifier: MIT
// models::Device: a software device as seen from the bus. The host's accesses arrive through config and BAR calls from
// any thread; the device reaches host memory only through HostPort, and time passes on the device's own threads.
//
// A broken rule is a Violation. The default policy stops the program with a message, so that no test can overlook it;
// tests that provoke one switch to recording, and users may choose the hardware's own consequence.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "drivers/pci/function.h"

namespace hcq::models {

// A rule of the hardware that the host broke.
struct Violation {
  std::string block{};  // "psp", "gmc", "cp", "sdma", "pci"
  std::string rule{};   // short and stable, tests compare it: "psp.bootloader_order"
  std::string where{};  // register, packet or address
  std::uint64_t value = 0;
  std::string text{};    // one sentence: what was done and why silicon rejects it
  std::string source{};  // document, header or manual section that states the rule
};

enum class Policy : std::uint8_t {
  abort,    // print the violation and abort the program
  record,   // keep it for violations(), then behave as the hardware would
  silicon,  // behave as the hardware would, only trace
};

// One line for people.
std::string describe(const Violation& v);

// Collects violations. Thread-safe.
class Referee {
 public:
  explicit Referee(Policy policy) : policy_(policy) {}
  void report(Violation v);
  std::vector<Violation> violations() const;
  bool saw(std::string_view rule) const;
  void clear();
  void set_policy(Policy p);
  Policy policy() const;
  // Told of every violation, whatever the policy, from the thread that caused it; it must neither call the device nor
  // add or remove listeners. Once remove_listener() has returned, the listener is not running any more.
  unsigned add_listener(std::function<void(const Violation&)> listener);
  void remove_listener(unsigned id);

 private:
  mutable std::mutex mutex_;
  Policy policy_;
  std::vector<Violation> list_;
  std::shared_mutex listener_mutex_;
  std::map<unsigned, std::function<void(const Violation&)>> listeners_;
  unsigned next_listener_ = 1;
};

// The device's way to host memory and interrupts; made by whoever plugs the device in. Thread-safe.
class HostPort {
 public:
  virtual ~HostPort() = default;
  // A stable pointer to the host memory behind bus addresses [bus, bus + size) (never crossing 4 KiB), or nullptr when
  // the IOMMU blocks it: not mapped, or bus mastering off. The memory stays readable until the device is closed even
  // when the host frees it, so that a stale access is a reportable fault and not a crash of the model.
  virtual std::byte* translate(std::uint64_t bus, std::size_t size, bool write) = 0;
  // Changes whenever a translation handed out earlier is no longer valid; no two ports ever share a value.
  virtual std::uint64_t generation() const = 0;
  virtual void interrupt(unsigned vector) = 0;
};

// Faults that can be switched on from outside, because they happen to real devices.
struct FaultPlan {
  std::atomic<std::uint64_t> lose_after_accesses =
      ~0ull;  // from this host access on (config and BARs counted) all reads are all ones
  std::function<bool(std::string_view point)> hook;  // named points in the model: true means "fail here"
};

// A BAR that is plain memory in a file, for hosts in other processes to map. Owned by the device.
struct SharedBar {
  int fd = -1;                // a memfd sealed against shrinking; -1: this BAR is not shared
  std::byte* data = nullptr;  // the same memory in this process
  std::uint64_t size = 0;     // of the file; the BAR may be smaller, or larger, and then reads as all ones beyond
};

class Device {
 public:
  virtual ~Device() = default;
  virtual void plug(HostPort* port) = 0;  // before any access; again after unplug() (a new host process)
  virtual void unplug() = 0;              // no HostPort call after it returns; device state otherwise stays

  virtual std::uint32_t config_read(std::uint16_t offset, unsigned size) = 0;
  virtual void config_write(std::uint16_t offset, unsigned size, std::uint32_t value) = 0;
  virtual std::uint64_t bar_size(unsigned bar) const = 0;
  virtual std::uint64_t read(unsigned bar, std::uint64_t offset, unsigned size) = 0;
  virtual void write(unsigned bar, std::uint64_t offset, unsigned size, std::uint64_t value) = 0;
  virtual void read_block(unsigned bar, std::uint64_t offset, MutableBytes out) = 0;
  virtual void write_block(unsigned bar, std::uint64_t offset, Bytes in) = 0;
  // Resizable BAR: sizes as a bit mask (bit n = 2^n MiB), and the switch. False when the device refuses.
  virtual std::uint64_t resizable_sizes(unsigned bar) const = 0;
  virtual bool resize_bar(unsigned bar, unsigned log2_mib) = 0;
  virtual void function_reset() = 0;

  virtual Referee& referee() = 0;
  virtual FaultPlan& faults() = 0;
  // Host accesses (config and BARs) since the last plug(), as FaultPlan::lose_after_accesses counts them.
  virtual std::uint64_t accesses() const { return 0; }
  // What is at an offset of a BAR, for traces: the register's name, or nothing.
  virtual std::string describe(unsigned /*bar*/, std::uint64_t /*offset*/) const { return {}; }
  virtual SharedBar shared_bar(unsigned /*bar*/) const { return {}; }
};

// Options of a model address: "model:navi31?vram=512M&fault=...&seed=7".
struct Options {
  std::uint64_t vram_bytes = 0;  // 0: the model's default
  std::uint64_t bar0_bytes = 0;  // 0: as large as VRAM; 256 MiB gives a small BAR
  std::uint64_t seed = 1;        // of every random choice
  Policy policy = Policy::abort;
  bool interrupts = true;                                  // false: the function has no usable interrupt
  bool shared_vram = false;                                // VRAM is a file that hosts can map, see Device::shared_bar
  std::vector<std::pair<std::string, std::string>> extra;  // model-specific; unknown names are an error
};

// Makes a pci::Function out of a model in this process: config and BAR calls go straight to the device, DMA memory is
// handed out with invented bus addresses behind an IOMMU that knows exactly what is mapped. `name` is what name() says.
// The device may outlive the function: closing it and attaching again is what a second process would see.
Result<std::unique_ptr<pci::Function>> attach(std::string name, std::shared_ptr<Device> device, const Options& options);

}  // namespace hcq::models
