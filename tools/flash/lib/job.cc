// SPDX-License-Identifier: MIT
#include "tools/flash/lib/job.h"

#include <fmt/format.h>

#include <algorithm>

#include "drivers/am/flash/checksum.h"
#include "tools/flash/lib/chip_read.h"
#include "tools/flash/lib/image_check.h"
#include "tools/flash/lib/store.h"

namespace hcq::flash {
namespace {

using am::flash::sha256_hex;
using Content = std::vector<std::byte>;
using Order = std::vector<std::uint32_t>;  // of write_order()

Error refused(const Target& t, std::string detail, std::string hint = {}) {
  return Error{.code = Errc::refused,
               .device = t.address,
               .operation = "flash",
               .detail = std::move(detail),
               .hint = std::move(hint)};
}

class Job {
 public:
  Job(const Target& target, const JobOptions& options) : target_(target), nor_(target.nor), options_(options) {}

  Result<JobReport> begin(Bytes image);
  Result<JobReport> resume();

 private:
  std::uint32_t bytes() const { return nor_.identity().bytes; }
  void say(const std::string& line) const {
    if (options_.say) options_.say(line);
  }
  Status open_job();
  Status check_protection(const Order& order);
  Status save_backup(Bytes current);
  JobReport run(const Order& order);
  Status write_all(const Order& order);
  Status take_protection_off(const Order& order);
  Status put_protection_back();
  Status verify(Bytes wanted, const char* phase);
  JobReport go_back(Error cause);
  Status write_backup();
  JobReport finish(Outcome outcome, std::optional<Error> cause = {});

  const Target& target_;
  spi::Nor& nor_;
  const JobOptions& options_;
  Content image_, backup_;
  std::unique_ptr<Journal> journal_;
  JobReport report_;
  bool stopped_ = false;
};

// Whether anything that has to be written is protected now, and whether that can be changed.
Status Job::check_protection(const Order& order) {
  const spi::StatusRegisters now = HCQ_TRY(nor_.status());
  const spi::ProtectedRange range = spi::protected_range(now, bytes());
  report_.protected_before = describe(range, bytes());
  const bool hit = std::ranges::any_of(order, [&](std::uint32_t s) { return range.hits(s, kSector); });
  if (!hit) return {};
  const std::string what =
      fmt::format("status registers {:02x} {:02x} protect {}", now.sr1, now.sr2, describe(range, bytes()));
  const spi::RegisterLock lock = spi::register_lock(now);
  if (lock != spi::RegisterLock::none && lock != spi::RegisterLock::pin)
    return refused(target_, fmt::format("{}, and they are {}", what, describe(lock)));
  if (options_.unprotect || (journal_ && journal_->state().header.unprotect)) return {};
  std::string hint = "--unprotect takes the protection off for the time of writing";
  if (const auto warning = spi::warn_about_clearing_cmp(now, bytes()); !warning.empty()) hint += "; " + warning;
  return refused(target_, what, hint);
}

Status Job::open_job() {
  HCQ_TRY(make_directory(options_.directory));
  HCQ_TRY(store_file(image_path(options_.directory), image_, options_.durable));
  const JournalHeader header{.device = target_.address,
                             .jedec = nor_.identity().jedec,
                             .chip_bytes = bytes(),
                             .image_sha256 = report_.image_sha256,
                             .unprotect = options_.unprotect};
  journal_ = HCQ_TRY(Journal::create(journal_path(options_.directory), header, options_.durable));
  return {};
}

Status Job::save_backup(Bytes current) {
  backup_.assign(current.begin(), current.end());
  report_.backup_sha256 = sha256_hex(backup_);
  HCQ_TRY(store_file(report_.backup, backup_, options_.durable));
  HCQ_TRY(journal_->backup_taken(report_.backup_sha256));
  say(fmt::format("backup of the present content: {} (SHA-256 {})", report_.backup, report_.backup_sha256));
  return {};
}

Result<JobReport> Job::begin(Bytes image) {
  HCQ_TRY(nor_.check_writable_kind());
  HCQ_TRY(check_size(image.size(), bytes()));
  image_.assign(image.begin(), image.end());
  report_.image_sha256 = sha256_hex(image_);
  report_.directory = options_.directory;
  report_.backup = backup_path(options_.directory);
  const Content current = HCQ_TRY(read_stable(nor_, options_.progress));
  if (options_.firmware_image) HCQ_TRY(accept(check_image(image_, target_.board, current), options_.accept));
  report_.sectors = differing_sectors(current, image_);
  if (report_.sectors.empty()) return report_;
  const Order order = write_order(report_.sectors);
  HCQ_TRY(check_protection(order));
  say(fmt::format("{} of {} sectors differ; {} will be erased and written", report_.sectors.size(), bytes() / kSector,
                  order.size()));
  if (!options_.yes) return refused(target_, "writing needs --yes", "nothing has been changed");
  for (const std::string& n : options_.notes) say(n);
  HCQ_TRY(open_job());
  say("this job: " + options_.directory);
  HCQ_TRY(save_backup(current));
  HCQ_TRY(journal_->planned(order));
  return run(order);
}

Result<JobReport> Job::resume() {
  HCQ_TRY(nor_.check_writable_kind());
  const std::string& directory = options_.directory;
  journal_ = HCQ_TRY(Journal::open(journal_path(directory), options_.durable));
  const JournalState& state = journal_->state();
  if (state.header.jedec != nor_.identity().jedec || state.header.chip_bytes != bytes())
    return refused(target_, "the job in " + directory + " belongs to another flash chip");
  image_ = HCQ_TRY(read_job_file(image_path(directory), state.header.image_sha256, bytes()));
  report_.image_sha256 = state.header.image_sha256;
  report_.directory = directory;
  report_.backup = backup_path(directory);
  const bool changed = !state.backup_sha256.empty();
  if (changed) backup_ = HCQ_TRY(read_job_file(report_.backup, state.backup_sha256, bytes()));
  report_.backup_sha256 = state.backup_sha256;
  // What was being written may read differently each time; nothing else may.
  std::vector<std::uint32_t> unstable;
  const Content current = HCQ_TRY(read_both(nor_, options_.progress, unstable));
  for (const std::uint32_t s : unstable)
    if (!changed || !state.sectors.contains(s)) return unstable_error(nor_, s);
  report_.sectors = differing_sectors(current, image_);
  report_.sectors.insert(report_.sectors.end(), unstable.begin(), unstable.end());
  // A sector that was at work when it ended may read right and not be.
  for (const auto& [sector, how_far] : state.sectors)
    if (changed && how_far == SectorState::erasing) report_.sectors.push_back(sector);
  std::ranges::sort(report_.sectors);
  const auto twice = std::ranges::unique(report_.sectors);
  report_.sectors.erase(twice.begin(), twice.end());
  const Order order = write_order(report_.sectors);
  HCQ_TRY(check_protection(order));
  const bool status_open = state.old_status && !state.status_restored;
  if (order.empty() && !status_open && state.end == "written") return report_;
  say(fmt::format("{} of {} sectors are still to be written", order.size(), bytes() / kSector));
  if (!options_.yes) return refused(target_, "writing needs --yes", "nothing has been changed by this call");
  for (const std::string& n : options_.notes) say(n);
  if (!changed) HCQ_TRY(save_backup(current));
  HCQ_TRY(journal_->planned(order));
  return run(order);
}

JobReport Job::run(const Order& order) {
  Status s = write_all(order);
  if (s.ok() && !stopped_) s = verify(image_, "verify");
  if (!s.ok()) return go_back(s.error());
  if (Status back = put_protection_back(); !back.ok()) return finish(Outcome::interrupted, back.error());
  if (stopped_) return finish(Outcome::interrupted);
  return finish(Outcome::written);
}

Status Job::write_all(const Order& order) {
  HCQ_TRY(take_protection_off(order));
  if (!order.empty()) {
    HCQ_TRY(journal_->erasing(0));
    HCQ_TRY(erase_with_retries(nor_, 0));
  }
  for (const std::uint32_t sector : order) {
    if (options_.stop && options_.stop->load()) {
      stopped_ = true;
      return {};
    }
    HCQ_TRY(journal_->erasing(sector));
    HCQ_TRY(write_sector(nor_, sector, Bytes(image_).subspan(sector, kSector)));
    HCQ_TRY(journal_->verified(sector));
    ++report_.sectors_written;
    if (options_.progress)
      options_.progress("write", std::uint64_t{report_.sectors_written} * kSector, order.size() * kSector);
  }
  return {};
}

Status Job::take_protection_off(const Order& order) {
  const spi::StatusRegisters now = HCQ_TRY(nor_.status());
  const spi::ProtectedRange range = spi::protected_range(now, bytes());
  if (std::ranges::none_of(order, [&](std::uint32_t s) { return range.hits(s, kSector); })) return {};
  const spi::StatusRegisters open = spi::without_protection(now, bytes());
  say(fmt::format("status registers {:02x} {:02x} (protected: {}) become {:02x} {:02x} (protected: {}) until the end",
                  now.sr1, now.sr2, describe(range, bytes()), open.sr1, open.sr2,
                  describe(spi::protected_range(open, bytes()), bytes())));
  HCQ_TRY(journal_->changing_status(now.sr1, now.sr2));
  report_.protection_changed = true;
  return nor_.write_status(open.sr1, open.sr2);
}

Status Job::put_protection_back() {
  const JournalState& state = journal_->state();
  if (!state.old_status) return {};
  report_.protection_changed = true;
  if (!state.status_restored) {
    const auto [sr1, sr2] = *state.old_status;
    const spi::StatusRegisters now = HCQ_TRY(nor_.status());
    if (now.sr1 != sr1 || now.sr2 != sr2) HCQ_TRY(nor_.write_status(sr1, sr2));
    HCQ_TRY(journal_->status_restored());
  }
  report_.protection_restored = true;
  return {};
}

Status Job::verify(Bytes wanted, const char* phase) {
  Content now(bytes());
  for (unsigned pass = 0; pass < 2; ++pass) {
    HCQ_TRY(read_chip(nor_, now, phase, options_.progress));
    const auto d = compare(wanted, now);
    if (!d) continue;
    Error e = nor_.error(Errc::device_fault, "flash/verify", d->offset,
                         fmt::format("{} of {} bytes are wrong", d->count, bytes()));
    e.expected = d->expected;
    e.actual = d->actual;
    return e;
  }
  return {};
}

// The old content again, in an order in which it does not look whole before it is.
Status Job::write_backup() {
  Content now(bytes());
  HCQ_TRY(read_chip(nor_, now, "read", options_.progress));
  const Order order = write_order(differing_sectors(now, backup_));
  if (!order.empty()) HCQ_TRY(erase_with_retries(nor_, 0));
  for (const std::uint32_t sector : order) HCQ_TRY(write_sector(nor_, sector, Bytes(backup_).subspan(sector, kSector)));
  HCQ_TRY(verify(backup_, "verify"));
  return put_protection_back();
}

JobReport Job::go_back(Error cause) {
  // A chip that is gone, or stays busy, cannot be given its old content.
  if (cause.code == Errc::device_lost || cause.code == Errc::timeout)
    return finish(Outcome::not_restored, std::move(cause));
  say("failed: " + describe(cause));
  say("putting the old content back");
  const Status s = write_backup();
  return finish(s.ok() ? Outcome::restored : Outcome::not_restored, std::move(cause));
}

JobReport Job::finish(Outcome outcome, std::optional<Error> cause) {
  report_.outcome = outcome;
  report_.cause = std::move(cause);
  if (outcome == Outcome::interrupted) return report_;
  if (const Status s = journal_->ended(outcome_name(outcome)); !s.ok() && !report_.cause) report_.cause = s.error();
  return report_;
}

}  // namespace

const char* outcome_name(Outcome o) {
  switch (o) {
    case Outcome::written:
      return "written";
    case Outcome::unchanged:
      return "unchanged";
    case Outcome::restored:
      return "restored";
    case Outcome::not_restored:
      return "not restored";
    case Outcome::interrupted:
      return "interrupted";
  }
  return "unknown";
}

std::string JobReport::last_line() const {
  std::string text;
  switch (outcome) {
    case Outcome::written:
      text = "WRITTEN and verified twice. It is safe to power-cycle the board.";
      break;
    case Outcome::unchanged:
      text = "UNCHANGED: the flash holds this image already. It is safe to power-cycle the board.";
      break;
    case Outcome::restored:
      text = "FAILED, RESTORED: the flash holds what it held before. It is safe to power-cycle the board.";
      break;
    case Outcome::not_restored:
    case Outcome::interrupted:
      text = fmt::format("{}: do NOT start the board with this flash. Go on with: hcq-flash flash --resume {} --yes",
                         outcome == Outcome::interrupted ? "INTERRUPTED" : "FAILED, NOT RESTORED", directory);
      break;
  }
  if (protection_changed && !protection_restored) text += " The status registers do not have their old values.";
  return text;
}

Result<JobReport> write_image(const Target& target, Bytes image, const JobOptions& options) {
  return Job(target, options).begin(image);
}

Result<JobReport> resume(const Target& target, const JobOptions& options) { return Job(target, options).resume(); }

Result<JobReport> prove(const std::string& directory, Bytes content) {
  const auto journal = HCQ_TRY(Journal::open(journal_path(directory), false));
  const JournalState& state = journal->state();
  JobReport r{.outcome = Outcome::unchanged, .directory = directory};
  r.backup = backup_path(directory);
  r.backup_sha256 = state.backup_sha256;
  r.image_sha256 = state.header.image_sha256;
  r.protection_changed = state.old_status.has_value();
  r.protection_restored = state.status_restored;
  const std::string now = sha256_hex(content);
  if (now == state.header.image_sha256) return r;
  Error e{.code = Errc::refused, .device = state.header.device, .operation = "flash/resume"};
  e.detail = now == state.backup_sha256
                 ? "the board boots from its old content, which is whole: nothing has been written"
                 : "the board booted from a content that is neither the job's image nor its backup";
  e.hint = "while the board runs from its flash the raw engine is gated; use ifwi-all";
  return e;
}

}  // namespace hcq::flash
