// SPDX-License-Identifier: MIT
// The journal of one job: what was going to be done to which chip, and how far it came. A text file of lines, each with
// a sum; a line is flushed before what it announces is done. A line that was cut off by a power loss can only be the
// last one and is ignored.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace hcq::flash {

struct JournalHeader {
  std::string device{};                 // address, as the user gave it
  std::array<std::uint8_t, 3> jedec{};  // of the chip
  std::uint32_t chip_bytes = 0;
  std::string image_sha256{};
  bool unprotect = false;  // the user allowed protection to be taken off
};

enum class SectorState : std::uint8_t { planned, erasing, verified };

// What a journal says.
struct JournalState {
  JournalHeader header;
  std::string backup_sha256{};                              // empty: there is none yet, and nothing has been changed
  std::optional<std::array<std::uint8_t, 2>> old_status{};  // status registers 1 and 2 before they were changed
  bool status_restored = false;
  std::map<std::uint32_t, SectorState> sectors{};  // by address
  std::string end{};                               // "written", "restored", "not restored"; empty: still open
};

class Journal {
 public:
  // `path` must not exist.
  static Result<std::unique_ptr<Journal>> create(const std::string& path, const JournalHeader& header, bool durable);
  // Reads what is there and opens it for more. Errc::corrupt when a line in the middle is damaged.
  static Result<std::unique_ptr<Journal>> open(const std::string& path, bool durable);

  const JournalState& state() const { return state_; }

  Status backup_taken(const std::string& sha256);
  Status changing_status(std::uint8_t sr1, std::uint8_t sr2);  // the old values
  Status status_restored();
  Status planned(const std::vector<std::uint32_t>& sectors);
  Status erasing(std::uint32_t sector);
  Status verified(std::uint32_t sector);
  Status ended(const std::string& how);

 private:
  Journal(std::string path, bool durable) : path_(std::move(path)), durable_(durable) {}
  Status append(const std::string& text);
  Status apply(const std::string& text);

  std::string path_{};
  bool durable_;
  Fd fd_;
  JournalState state_;
};

// One damaged, one sound line: for tests and the fuzzer.
Result<JournalState> parse_journal(const std::string& text, const std::string& path,
                                   std::size_t* sound_bytes = nullptr);

}  // namespace hcq::flash
