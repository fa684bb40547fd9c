// SPDX-License-Identifier: MIT
// RegisterBank: the registers of a model, addressed in dwords. A block of the model describes its registers (reset
// value, which bits exist, which can be written) and hangs behaviour on them; the bank checks every access of the host
// and of the model's own command processors against that description and reports what silicon would not take.
//
// Description happens while the model is built, by one thread. After that, accesses may come from any thread: values
// are atomic, and a hook runs without a lock of the bank, so it must take the lock of its own block.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/core/device.h"

namespace hcq::models {

struct RegisterSpec {
  std::string name;
  std::string block;                     // Violation::block of its violations
  std::uint32_t reset = 0;               // value after power-on and after reset()
  std::uint32_t fields = ~0u;            // bits that exist; setting another one is the violation "register.reserved"
  std::uint32_t writable = ~0u;          // bits a write changes; the others keep their value
  std::uint32_t write_one_to_clear = 0;  // of these, a one written clears the bit
  std::uint32_t self_clearing = 0;       // of these, what is written reaches the write hook but reads back as zero
  bool readable = true;                  // false: reading it is the violation "register.write_only"
  bool keeps_value = false;              // reset() leaves it alone
};

// A condition that must hold for a register to answer: its block has a clock, power, or firmware.
struct Gate {
  std::function<bool()> open;
  std::string rule, text, source;  // of the violation when it is not
};

class RegisterBank {
 public:
  // Runs on a read; gets the stored value, returns what the reader sees.
  using ReadHook = std::function<std::uint32_t(std::uint32_t stored)>;
  // Runs after a write was stored. `value` is what was written to the bits that exist.
  using WriteHook = std::function<void(std::uint32_t value, std::uint32_t before)>;
  // Asked about addresses that hold no register; returns true when it has handled the access.
  using Fallback = std::function<bool(std::uint32_t dword, bool write, std::uint32_t& value)>;

  explicit RegisterBank(Referee& referee) : referee_(referee) {}
  RegisterBank(const RegisterBank&) = delete;
  RegisterBank& operator=(const RegisterBank&) = delete;

  // Description. Adding an address twice keeps the first register.
  void add(std::uint32_t dword, RegisterSpec spec);
  bool has(std::uint32_t dword) const { return find(dword) != nullptr; }
  RegisterSpec& spec(std::uint32_t dword);                   // must exist
  const RegisterSpec* find_spec(std::uint32_t dword) const;  // nullptr: no register there
  // Calls visit(dword, spec) for every register, in no particular order.
  void for_each(const std::function<void(std::uint32_t dword, const RegisterSpec& spec)>& visit) const;
  void on_read(std::uint32_t dword, ReadHook hook);
  void on_write(std::uint32_t dword, WriteHook hook);
  void set_gate(std::uint32_t dword, const Gate* gate);  // nullptr: always answers; the gate must outlive the bank
  void set_fallback(Fallback f) { fallback_ = std::move(f); }

  // Accesses with all rules. A register that does not exist or does not answer reads zero.
  std::uint32_t read(std::uint32_t dword);
  void write(std::uint32_t dword, std::uint32_t value);

  // The model's own view: no rules, no hooks. The register must exist.
  std::uint32_t peek(std::uint32_t dword) const;
  void poke(std::uint32_t dword, std::uint32_t value);

  // Every register back to its reset value, hooks not run.
  void reset();

 private:
  struct Entry {
    RegisterSpec spec;
    ReadHook read;
    WriteHook write;
    const Gate* gate = nullptr;
    std::atomic<std::uint32_t> value{0};
  };
  // Addresses below this are looked up in a flat table: all that a 1 MiB register BAR can reach.
  static constexpr std::uint32_t kFlat = 0x40000;

  Entry* find(std::uint32_t dword) const;
  void report(const Entry& e, std::uint32_t value, std::string rule, std::string text) const;
  bool answers(const Entry& e, std::uint32_t value) const;

  Referee& referee_;
  std::deque<Entry> entries_;
  std::vector<Entry*> flat_ = std::vector<Entry*>(kFlat, nullptr);
  std::unordered_map<std::uint32_t, Entry*> far_;
  Fallback fallback_;
};

}  // namespace hcq::models
