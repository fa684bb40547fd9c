// SPDX-License-Identifier: MIT
// A job: making a flash chip hold an image, so that whatever happens in between, the way forward (resume) and the way
// back (the backup) are there.
//
// Before the first write-enable: the chip is known, its content was read twice and was the same both times, the image
// was checked against chip and board, the ranges that the status registers protect were computed, the user agreed, and
// backup, image and journal are on disk. After that each sector is erased, seen to be blank, programmed and read back;
// an error that retries do not mend makes the job put the old content back. At the end everything is read twice again,
// and the status registers get their old values.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "drivers/pci/function.h"
#include "drivers/spi/nor.h"
#include "tools/flash/lib/journal.h"
#include "tools/flash/lib/plan.h"
#include "tools/flash/lib/writer.h"

namespace hcq::flash {

struct Target {
  spi::Nor& nor;  // probed
  pci::Identity board;
  std::string address;  // as the user named the device
};

struct JobOptions {
  std::string directory{};            // of the job: must not exist for a new one
  std::vector<std::string> accept{};  // image_check.h
  std::vector<std::string> notes{};   // said right before the first change
  bool yes = false;                   // write
  bool unprotect = false;             // change the status registers when they protect what has to be written
  bool firmware_image = true;         // false: any content, not checked (for chips without a board)
  bool durable = true;                // flush files
  Progress progress{};
  std::function<void(const std::string&)> say{};  // lines for the user, without newline
  const std::atomic<bool>* stop = nullptr;        // set: end after the sector at hand
};

enum class Outcome : std::uint8_t { written, unchanged, restored, not_restored, interrupted };
const char* outcome_name(Outcome o);  // "written", "not restored"

struct JobReport {
  Outcome outcome = Outcome::unchanged;
  std::string directory{}, backup{}, backup_sha256{}, image_sha256{};
  std::vector<std::uint32_t> sectors{};  // that had to be written
  unsigned sectors_written = 0;
  std::string protected_before{};  // in words
  bool protection_changed = false, protection_restored = false;
  std::optional<Error> cause{};   // why it was not written
  std::string last_line() const;  // whether the board may be power-cycled
  bool ok() const { return outcome == Outcome::written || outcome == Outcome::unchanged; }
};

// An Error: nothing was changed.
Result<JobReport> write_image(const Target& target, Bytes image, const JobOptions& options);

// Goes on with the job in options.directory. An Error: the chip was not touched by this call.
Result<JobReport> resume(const Target& target, const JobOptions& options);

// The same for a board that has booted, so that its flash can only be read: proves that the job in `directory` is
// done, or says what the flash holds instead.
Result<JobReport> prove(const std::string& directory, Bytes content);

inline std::string journal_path(const std::string& directory) { return directory + "/journal"; }
inline std::string image_path(const std::string& directory) { return directory + "/image.bin"; }
inline std::string backup_path(const std::string& directory) { return directory + "/backup.bin"; }

}  // namespace hcq::flash
