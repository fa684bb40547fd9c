// SPDX-License-Identifier: MIT
#include "tools/flash/lib/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <sstream>

#include "base/bytes.h"

namespace hcq::flash {
namespace {

constexpr std::uint64_t kMostBytes = 16u << 20;
constexpr const char* kFirstWord = "hcq-flash-1";

std::string sum_of(const std::string& text) {
  return fmt::format("{:016x}", fnv1a(std::as_bytes(std::span(text.data(), text.size()))));
}

Error damaged(const std::string& path, std::size_t line, std::string detail) {
  return Error{.code = Errc::corrupt,
               .operation = "flash/journal",
               .subject = fmt::format("{}, line {}", path, line),
               .detail = std::move(detail)};
}

// The device's address comes last, because it may hold anything but a newline.
std::string header_text(const JournalHeader& h) {
  return fmt::format("{} {:02x}{:02x}{:02x} {:#x} {} {} {}", kFirstWord, h.jedec[0], h.jedec[1], h.jedec[2],
                     h.chip_bytes, h.image_sha256, h.unprotect ? "unprotect" : "protected", h.device);
}

bool parse_header(const std::string& text, JournalHeader& h) {
  std::istringstream in(text);
  std::string first, jedec, size, protection;
  if (!(in >> first >> jedec >> size >> h.image_sha256 >> protection) || first != kFirstWord) return false;
  unsigned a = 0, b = 0, c = 0;
  if (jedec.size() != 6 || std::sscanf(jedec.c_str(), "%2x%2x%2x", &a, &b, &c) != 3) return false;
  h.jedec = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c)};
  if (std::sscanf(size.c_str(), "0x%x", &h.chip_bytes) != 1) return false;
  h.unprotect = protection == "unprotect";
  in.get();
  std::getline(in, h.device);
  return h.image_sha256.size() == 64;
}

// What a line after the header adds. False: it means nothing.
bool apply_line(const std::string& text, JournalState& s) {
  std::istringstream in(text);
  std::string word;
  in >> word;
  std::uint32_t at = 0;
  const auto sector = [&] { return static_cast<bool>(in >> std::hex >> at) && at < s.header.chip_bytes; };
  if (word == "backup") return static_cast<bool>(in >> s.backup_sha256);
  if (word == "status") {
    unsigned a = 0, b = 0;
    if (!(in >> std::hex >> a >> b) || a > 0xff || b > 0xff) return false;
    // The first one counts: later ones may be values that a broken-off change left.
    if (!s.old_status) s.old_status = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
    s.status_restored = false;
    return true;
  }
  if (word == "status-restored") return s.status_restored = true;
  if (word == "end") {
    std::getline(in >> std::ws, s.end);
    return true;
  }
  if (word == "planned") {
    while (sector()) s.sectors.emplace(at, SectorState::planned);
    s.end.clear();
    return true;
  }
  if (word != "erasing" && word != "verified") return false;
  if (!sector()) return false;
  s.sectors[at] = word == "erasing" ? SectorState::erasing : SectorState::verified;
  return true;
}

}  // namespace

Result<JournalState> parse_journal(const std::string& text, const std::string& path, std::size_t* sound_bytes) {
  JournalState s;
  std::size_t at = 0, line = 1;
  for (; at < text.size(); ++line) {
    const std::size_t end = text.find('\n', at);
    const bool last = end == std::string::npos || end + 1 == text.size();
    const std::string whole = text.substr(at, end == std::string::npos ? end : end - at);
    const std::size_t blank = whole.rfind(' ');
    const bool sound = end != std::string::npos && blank != std::string::npos &&
                       whole.substr(blank + 1) == sum_of(whole.substr(0, blank));
    if (!sound && last && line > 1) break;  // cut off by a power loss
    if (!sound) return damaged(path, line, "the line's sum is wrong");
    const std::string content = whole.substr(0, blank);
    if (!(line == 1 ? parse_header(content, s.header) : apply_line(content, s)))
      return damaged(path, line, "the line makes no sense");
    at = end + 1;
  }
  if (line == 1) return damaged(path, 1, "the journal is empty");
  if (sound_bytes) *sound_bytes = at;
  return s;
}

Result<std::unique_ptr<Journal>> Journal::create(const std::string& path, const JournalHeader& header, bool durable) {
  std::unique_ptr<Journal> j(new Journal(path, durable));
  j->fd_ = HCQ_TRY(open_file(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND));
  j->state_.header = header;
  HCQ_TRY(j->append(header_text(header)));
  return j;
}

Result<std::unique_ptr<Journal>> Journal::open(const std::string& path, bool durable) {
  std::unique_ptr<Journal> j(new Journal(path, durable));
  const auto bytes = HCQ_TRY(read_file(path, kMostBytes));
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::size_t sound = 0;
  j->state_ = HCQ_TRY(parse_journal(text, path, &sound));
  j->fd_ = HCQ_TRY(open_file(path, O_WRONLY | O_APPEND));
  if (sound != text.size() && ::ftruncate(j->fd_.get(), static_cast<off_t>(sound)) != 0)
    return errno_error(errno, "shorten", path);
  return j;
}

Status Journal::append(const std::string& text) {
  const std::string line = fmt::format("{} {}\n", text, sum_of(text));
  const char* p = line.data();
  for (std::size_t left = line.size(); left > 0;) {
    const ssize_t n = ::write(fd_.get(), p, left);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno_error(errno, "write", path_);
    p += n;
    left -= static_cast<std::size_t>(n);
  }
  if (durable_ && ::fdatasync(fd_.get()) != 0) return errno_error(errno, "flush", path_);
  return {};
}

Status Journal::apply(const std::string& text) {
  HCQ_TRY(append(text));
  [[maybe_unused]] const bool known = apply_line(text, state_);
  assert(known);
  return {};
}

Status Journal::backup_taken(const std::string& sha256) { return apply("backup " + sha256); }
Status Journal::changing_status(std::uint8_t sr1, std::uint8_t sr2) {
  return apply(fmt::format("status {:02x} {:02x}", sr1, sr2));
}
Status Journal::status_restored() { return apply("status-restored"); }
Status Journal::planned(const std::vector<std::uint32_t>& sectors) {
  std::string text = "planned";
  for (const std::uint32_t s : sectors) text += fmt::format(" {:x}", s);
  return apply(text);
}
Status Journal::erasing(std::uint32_t sector) { return apply(fmt::format("erasing {:x}", sector)); }
Status Journal::verified(std::uint32_t sector) { return apply(fmt::format("verified {:x}", sector)); }
Status Journal::ended(const std::string& how) { return apply("end " + how); }

}  // namespace hcq::flash
