// SPDX-License-Identifier: MIT
// NorChip: a serial NOR flash of the GD25LQ16 kind, seen from its pins. Erase and program take time, need the
// write-enable latch, respect the protection of the status registers, and can be cut short by a power loss that leaves
// what silicon leaves: a mix of old content, erased cells and cells that read differently each time.
//
// Time comes from a clock given by whoever builds it, so that a test can turn it. Written from the chip's description,
// never from a driver. Thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/deadline.h"
#include "models/core/device.h"

namespace hcq::models::spi {

struct NorOptions {
  std::uint32_t bytes = 2u << 20;
  std::array<std::uint8_t, 3> jedec{0xc8, 0x60, 0x15};
  std::uint64_t seed = 1;
  bool one_byte_wrsr_clears_sr2 = true;  // as on some parts
  double time_scale = 1;                 // of erase, program and register writes; for demonstrations
};

// What can be wrong with a chip or its wiring.
struct NorFaults {
  std::uint32_t bit_error_one_in = 0;  // reads: one bit in so many is wrong; 0: none
  std::uint32_t dead_sector = ~0u;     // address of a sector whose erase leaves bits behind
  std::uint32_t stuck_page = ~0u;      // address of a page that does not program
  bool ignore_write_enable = false;
  bool stuck_busy = false;  // an operation that starts never ends
  bool no_sfdp = false;
  bool absent = false;           // nothing drives the data line
  std::uint64_t sfdp_bytes = 0;  // the size it claims; 0: the true one
};

class NorChip {
 public:
  using Now = std::function<Clock::time_point()>;
  NorChip(NorOptions options, Now now, Referee& referee);

  // One transaction: chip select falls, `out` goes in, then `in` comes out, chip select rises.
  void transact(Bytes out, MutableBytes in);

  void cut_power();  // an operation in progress is cut short; volatile state is gone

  // From outside the machine, as with a clip on the chip. Content includes no unstable cell's luck.
  std::vector<std::byte> content() const;
  void set_content(Bytes content);
  std::uint8_t status1() const, status2() const;  // non-volatile bits only
  void set_status(std::uint8_t sr1, std::uint8_t sr2);
  bool protected_at(std::uint32_t address) const;
  void set_faults(const NorFaults& f);
  // Counts of completed operations.
  struct Counts {
    std::uint64_t write_enables = 0, erases = 0, programs = 0, status_writes = 0;
  };
  Counts counts() const;
  const NorOptions& options() const { return options_; }

 private:
  enum class Work : std::uint8_t { none, erase, program, status };
  struct Operation {
    Work work = Work::none;
    Clock::time_point end;
    std::uint32_t address = 0, size = 0;
    std::vector<std::byte> data;  // program: the page as it will be; status: the two registers
  };
  void command(Bytes out, MutableBytes in);
  void settle();  // finishes an operation whose time has come
  void finish(const Operation& op);
  void interrupt(const Operation& op);
  bool may_write(const char* what, std::uint32_t address, std::uint32_t size);
  void start(Work work, std::uint32_t address, std::uint32_t size, std::vector<std::byte> data, unsigned least_us,
             unsigned most_us);
  void erase(Bytes out, std::uint32_t size, unsigned least_us, unsigned most_us);
  void program(Bytes out);
  void write_status(Bytes out);
  void read(std::uint32_t address, MutableBytes out);
  void fill(MutableBytes in, std::uint8_t value);
  std::pair<std::uint32_t, std::uint32_t> protection() const;  // offset and size
  void report(const char* rule, std::uint64_t value, std::string text);
  std::vector<std::byte> sfdp() const;
  std::uint64_t random(std::uint64_t bound) { return rng_() % bound; }

  const NorOptions options_;
  const Now now_;
  Referee& referee_;
  mutable std::mutex mutex_;
  std::mt19937_64 rng_;
  NorFaults faults_;
  std::vector<std::byte> cells_;
  std::map<std::uint32_t, std::uint8_t> unstable_;  // address to mask of bits that read at random
  std::uint8_t sr1_ = 0, sr2_ = 0, sr3_ = 0;        // without WIP and WEL
  bool latch_ = false, asleep_ = false;
  Operation op_;
  Counts counts_;
};

}  // namespace hcq::models::spi
