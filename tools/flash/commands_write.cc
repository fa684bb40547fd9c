// SPDX-License-Identifier: MIT
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <ctime>

#include "base/file.h"
#include "drivers/am/abi/ifwi.h"
#include "drivers/am/flash/checksum.h"
#include "drivers/am/flash/mailbox.h"
#include "tools/flash/commands.h"
#include "tools/flash/lib/image_check.h"
#include "tools/flash/lib/store.h"
#include "tools/flash/lib/unverified.h"
#include "tools/flash/lib/update.h"

namespace hcq::flash {
namespace {

using am::flash::sha256_hex;

// While it lives, SIGINT and SIGTERM ask the job to end after the sector at hand.
class StopSignals {
 public:
  StopSignals() {
    struct sigaction a{};
    a.sa_handler = [](int) { stop_requested = true; };
    sigaction(SIGINT, &a, &old_int_);
    sigaction(SIGTERM, &a, &old_term_);
  }
  ~StopSignals() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
  }

 private:
  struct sigaction old_int_{}, old_term_{};
};

// Named by board and time.
std::string job_directory(const WriteOptions& o, const Device& d, Bytes image) {
  if (!o.state.empty()) return o.state;
  const auto roms = am::flash::find_expansion_roms(image);
  std::string board = roms.empty() ? d.address() : roms.front().part_number;
  for (char& c : board)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  const std::time_t now = std::time(nullptr);
  std::string path = fmt::format("{}/{}-{:%Y%m%d-%H%M%S}", state_directory(), board, fmt::gmtime(now));
  for (unsigned n = 2; path_exists(path); ++n)
    path = fmt::format("{}/{}-{:%Y%m%d-%H%M%S}-{}", state_directory(), board, fmt::gmtime(now), n);
  return path;
}

std::vector<std::string> warnings(const Device& d, std::span<const char* const> notes) {
  std::vector<std::string> lines{fmt::format("device {}: what follows is not verified on silicon:", d.address())};
  for (const char* n : notes) lines.push_back(fmt::format("  - {}", n));
  return lines;
}

Result<int> finish(const Common& c, Device& d, const JobReport& r) {
  const Status closed = d.close();
  if (c.json) {
    HCQ_TRY(print(job_json(r)));
  } else {
    if (!r.backup_sha256.empty()) HCQ_TRY(print(fmt::format("backup   {} (SHA-256 {})\n", r.backup, r.backup_sha256)));
    HCQ_TRY(print(fmt::format("image    SHA-256 {}\n", r.image_sha256)));
    HCQ_TRY(print(fmt::format("sectors  {} differed, {} written\n", r.sectors.size(), r.sectors_written)));
    HCQ_TRY(print(r.last_line() + "\n"));
  }
  if (r.cause) tell("hcq-flash: " + describe(*r.cause));
  if (r.ok()) HCQ_TRY(Status(closed.ok() ? Status() : Status(closed.error())));
  return r.ok() ? kOk : kFailed;
}

Result<int> resume_job(const Common& c, const WriteOptions& o, Device& d, JobOptions options) {
  options.directory = o.resume;
  if (d.gated()) {
    const auto content = HCQ_TRY(read_flash(d, HCQ_TRY(rom_order(c)), options.progress));
    return finish(c, d, HCQ_TRY(prove(o.resume, content)));
  }
  const StopSignals signals;
  return finish(c, d, HCQ_TRY(resume({d.nor(), d.board().identity(), d.address()}, options)));
}

Error usage(std::string detail) {
  return Error{.code = Errc::invalid_argument, .operation = "flash", .detail = std::move(detail)};
}

}  // namespace

Result<int> flash(const Common& c, const WriteOptions& o) {
  if (o.image.empty() == o.resume.empty()) return usage("name an image, or a job with --resume");
  HCQ_TRY(need_named_device(c));
  const auto image = o.image.empty() ? std::vector<std::byte>() : HCQ_TRY(read_file(o.image, 64u << 20));
  spi::Pacer pacer;
  const auto d = HCQ_TRY(open_device(c, pacer));
  JobOptions options{
      .accept = o.accept, .yes = o.yes, .unprotect = o.unprotect, .progress = progress_bar(c), .say = tell};
  options.stop = &stop_requested;
  options.notes = warnings(*d, kUnverifiedRaw);
  if (!o.resume.empty()) return resume_job(c, o, *d, options);
  HCQ_TRY(d->need_engine());
  options.directory = job_directory(o, *d, image);
  const StopSignals signals;
  return finish(c, *d, HCQ_TRY(write_image({d->nor(), d->board().identity(), d->address()}, image, options)));
}

Result<int> ifwi_all(const Common& c, const WriteOptions& o) {
  HCQ_TRY(need_named_device(c));
  const auto image = HCQ_TRY(read_file(o.image, 64u << 20));
  HCQ_TRY(check_size(image.size(), am::abi::ifwi::kImageBytes));
  HCQ_TRY(check_items(image));
  spi::Pacer pacer;
  const auto d = HCQ_TRY(open_device(c, pacer));
  am::flash::FlashMailbox box(d->board());
  if (!d->gated() || !HCQ_TRY(box.ready()))
    return Error{.code = Errc::refused,
                 .device = d->address(),
                 .operation = "flash/ifwi-all",
                 .detail = "the board did not start from its flash, so that no firmware is there to write it",
                 .hint = "use flash, which works through the raw engine"};
  const auto current = HCQ_TRY(read_flash(*d, HCQ_TRY(rom_order(c)), progress_bar(c)));
  HCQ_TRY(accept(check_image(image, d->board().identity(), current), o.accept));
  if (!o.yes)
    return Error{.code = Errc::refused,
                 .device = d->address(),
                 .operation = "flash/ifwi-all",
                 .detail = "writing needs --yes",
                 .hint = "nothing has been changed"};
  for (const std::string& line : warnings(*d, kUnverifiedMailbox)) tell(line);
  const std::string directory = job_directory(o, *d, image), backup = backup_path(directory);
  HCQ_TRY(make_directory(directory));
  HCQ_TRY(store_file(backup, current, true));
  tell(fmt::format("backup of the present content: {} (SHA-256 {})", backup, sha256_hex(current)));
  const UpdateReport r = HCQ_TRY(update_all(box, image, progress_bar(c)));
  HCQ_TRY(d->close());
  constexpr const char* kDone =
      "The firmware has taken the image. Power-cycle the board (not a reboot), then: hcq-flash verify --after-update";
  if (c.json)
    HCQ_TRY(print(nlohmann::json{{"outcome", "taken"},
                                 {"backup", backup},
                                 {"backup_sha256", sha256_hex(current)},
                                 {"image_sha256", sha256_hex(image)},
                                 {"items", r.items},
                                 {"bytes", r.bytes},
                                 {"message", kDone}}));
  else
    HCQ_TRY(print(fmt::format("backup   {} (SHA-256 {})\nsent     {} items, {} bytes\n{}\n", backup,
                              sha256_hex(current), r.items.size(), r.bytes, kDone)));
  return kOk;
}

Result<int> disabled(const std::string& command) {
  return Error{.code = Errc::refused,
               .operation = command,
               .detail =
                   "this way of writing is disabled: on the one board where it was tried with a stock image the "
                   "result did not validate (the live update ends with error 0xC)",
               .hint = "use ifwi-all on a board that boots, and flash on one that does not"};
}

}  // namespace hcq::flash
