// SPDX-License-Identifier: MIT
#include "drivers/am/flash/ifwi.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "drivers/am/abi/ifwi.h"
#include "drivers/am/flash/checksum.h"

namespace hcq::am::flash {
namespace {

namespace f = abi::ifwi;

constexpr std::uint32_t kMostEntries = 512;

std::string magic_text(std::uint32_t magic) {
  std::string s;
  for (unsigned i = 0; i < 4; ++i) {
    const char c = static_cast<char>(magic >> 8 * i);
    s += c >= 0x20 && c < 0x7f ? c : '?';
  }
  return s;
}

class Parser {
 public:
  explicit Parser(Bytes image) : image_(image), in_(image, "image") {}

  Ifwi run() {
    fixed_parts();
    directory("psp_a", f::kPspDirectory[0], f::kPsp, 0);
    directory("psp_b", f::kPspDirectory[1], f::kPsp, 0);
    slot_header("a", f::kIsh[0]);
    slot_header("b", f::kIsh[1]);
    signature_table();
    expansion_roms();
    judge_digests();
    std::ranges::sort(out_.regions, {}, [](const Region& r) { return std::pair(r.offset, r.name); });
    drop_overlaps();
    return std::move(out_);
  }

 private:
  void finding(std::string name, std::uint64_t offset, std::string text) {
    out_.findings.push_back({std::move(name), std::move(text), static_cast<std::uint32_t>(offset)});
  }
  bool inside(std::uint64_t at, std::uint64_t size) const { return at <= image_.size() && size <= image_.size() - at; }
  void region(std::string name, std::uint64_t at, std::uint64_t size) {
    if (size != 0 && inside(at, size))
      out_.regions.push_back({std::move(name), static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(size)});
  }

  void fixed_parts() {
    if (image_.size() != f::kImageBytes)
      finding("image_size", 0, fmt::format("the image has {} bytes, not {}", image_.size(), f::kImageBytes));
    const auto magic = in_.get<std::uint32_t>(f::kEfsOffset);
    if (!magic.ok() || *magic != f::kEfsMagic)
      finding("efs_magic", 0, "the image does not begin with the embedded firmware structure");
    region("efs", f::kEfsOffset, f::kEfsBytes);
    region("sgn_pointer", f::kSgnPointer, 4);
    region("descriptor_a", f::kDescriptor[0], f::kDescriptorBytes);
    region("descriptor_b", f::kDescriptor[1], f::kDescriptorBytes);
    region("update_metadata", f::kUpdateMetadata, f::kUpdateMetadataBytes);
    region("trailer", f::kTrailer, f::kTrailerBytes);
  }

  // Where an entry's content lies, by its address mode.
  std::uint64_t place(const f::PspEntry& e, std::uint32_t directory, std::uint32_t slot) const {
    switch (e.mode >> f::kEntryModeShift) {
      case f::kPhysical:
        return e.offset & (f::kImageBytes - 1);
      case f::kFromDirectory:
        return std::uint64_t{directory} + e.offset;
      case f::kFromSlot:
        return std::uint64_t{slot} + e.offset;
      default:
        return e.offset;
    }
  }

  bool directory(const std::string& name, std::uint32_t at, std::uint32_t magic, std::uint32_t slot) {
    const auto h = in_.get<f::DirectoryHeader>(at);
    if (!h.ok() || h->magic != magic) {
      finding(name + "_magic", at, fmt::format("no {} directory is there", magic_text(magic)));
      return false;
    }
    const std::uint64_t bytes = std::uint64_t{h->count} * sizeof(f::PspEntry);
    if (h->count == 0 || h->count > kMostEntries || !inside(at + sizeof *h, bytes)) {
      finding(name + "_count", at, fmt::format("its directory claims {} entries", h->count));
      return false;
    }
    IfwiDirectory d{.name = name,
                    .magic = magic_text(magic),
                    .offset = at,
                    .count = h->count,
                    .checksum = h->checksum,
                    .computed = fletcher32(image_.subspan(at + 8, 8 + bytes)),
                    .files = {}};
    if (!d.checksum_matches())
      finding(name + "_checksum", at,
              fmt::format("its checksum is {:#010x}, it should be {:#010x}", d.checksum, d.computed));
    for (std::uint32_t i = 0; i < h->count; ++i) {
      const auto e = in_.get<f::PspEntry>(at + sizeof *h + std::uint64_t{i} * sizeof(f::PspEntry));
      if (e.ok()) d.files.push_back(file(name, *e, at, slot));
    }
    if (name.starts_with("psp_")) region(name, at, sizeof *h + bytes);
    out_.directories.push_back(std::move(d));
    return true;
  }

  IfwiFile file(const std::string& directory, const f::PspEntry& e, std::uint32_t at, std::uint32_t slot) {
    IfwiFile info{.type = e.type, .size = e.size};
    if (e.type == f::kEntryFuseChain) {
      info.value = e.offset;
      info.size = 0;
      return info;
    }
    const std::uint64_t where = place(e, at, slot);
    if (!inside(where, e.size)) {
      finding(fmt::format("{}_file_{:02x}_place", directory, e.type), at,
              fmt::format("file {:#04x} of {} bytes at {:#x} lies outside the image", e.type, e.size, where));
      return info;
    }
    info.offset = static_cast<std::uint32_t>(where);
    const auto header = in_.get<f::FileHeader>(where);
    if (e.size < sizeof(f::FileHeader) || !header.ok() || header->magic != f::kPs1) return info;
    info.has_header = true;
    info.version =
        fmt::format("{}.{}.{}.{}", header->version[3], header->version[2], header->version[1], header->version[0]);
    info.encrypted = header->encrypted != 0;
    info.compressed = header->compressed != 0;
    info.is_signed = header->is_signed != 0;
    if (header->size_signed <= e.size - sizeof(f::FileHeader)) {
      const auto digest = sha256(image_.subspan(where + sizeof(f::FileHeader), header->size_signed));
      info.digest_matches = std::ranges::equal(digest, std::as_bytes(std::span(header->digest)).first(32));
    }
    return info;
  }

  void slot_header(const std::string& which, std::uint32_t at) {
    const std::string name = "ish_" + which;
    const auto h = in_.get<f::ImageSlotHeader>(at);
    if (!h.ok()) return finding(name + "_missing", at, "the image ends before it");
    IfwiSlotHeader s{.name = name,
                     .offset = at,
                     .checksum = h->checksum,
                     .computed = fletcher32(image_.subspan(at + 4, f::kIshBytes - 4)),
                     .boot_priority = h->boot_priority,
                     .update_retry_count = h->update_retry_count,
                     .location = h->location,
                     .psp_id = h->psp_id,
                     .slot_size = h->slot_size};
    s.present = std::ranges::any_of(image_.subspan(at, f::kIshBytes), [](std::byte b) { return b != std::byte{0xff}; });
    out_.slots.push_back(s);
    if (!s.present) return finding(name + "_missing", at, "the slot header is erased");
    region(name, at, f::kIshBytes);
    if (!s.checksum_matches())
      finding(name + "_checksum", at,
              fmt::format("its checksum is {:#010x}, it should be {:#010x}", s.checksum, s.computed));
    if (s.slot_size == 0 || !inside(s.location, s.slot_size))
      return finding(name + "_place", at,
                     fmt::format("its slot of {} bytes at {:#x} lies outside the image", s.slot_size, s.location));
    if (directory("slot_" + which, s.location, f::kPl2, s.location)) region("slot_" + which, s.location, s.slot_size);
  }

  void signature_table() {
    const auto at = in_.get<std::uint32_t>(f::kSgnPointer);
    const auto h = at.ok() ? in_.get<f::SgnHeader>(*at) : Result<f::SgnHeader>(at.error());
    if (!h.ok() || h->magic != f::kSgn)
      return finding("sgn_magic", f::kSgnPointer, "it does not lead to a signature table");
    const std::uint64_t bytes = std::uint64_t{h->count} * sizeof(f::SgnEntry);
    if (h->count > kMostEntries || !inside(std::uint64_t{*at} + sizeof *h, bytes))
      return finding("sgn_count", *at, fmt::format("the signature table claims {} entries", h->count));
    out_.signature_table = *at;
    region("sgn", *at, sizeof *h + bytes);
    std::set<std::uint32_t> types;
    for (std::uint32_t i = 0; i < h->count; ++i) {
      const auto e = in_.get<f::SgnEntry>(*at + sizeof *h + std::uint64_t{i} * sizeof(f::SgnEntry));
      if (!e.ok()) continue;
      out_.signatures.push_back({e->type, e->offset, e->size});
      if (!types.insert(e->type).second)
        finding(fmt::format("sgn_{}_twice", e->type), *at, fmt::format("signature type {} is there twice", e->type));
      if (inside(e->offset, e->size)) region(fmt::format("signature_{}", e->type), e->offset, e->size);
      else
        finding(fmt::format("sgn_{}_place", e->type), *at,
                fmt::format("signature {} of {} bytes at {:#x} lies outside the image", e->type, e->size, e->offset));
    }
  }

  void expansion_roms() {
    out_.roms = find_expansion_roms(image_);
    if (out_.roms.empty()) finding("rom_missing", 0, "no expansion ROM says which board the image is for");
    for (std::size_t i = 0; i < out_.roms.size(); ++i) {
      const ExpansionRom& r = out_.roms[i];
      region(fmt::format("rom_{}", i), r.offset, r.size);
      if (!r.checksum_matches)
        finding(fmt::format("rom_{}_checksum", i), r.offset, "the bytes of the expansion ROM do not add up to 0");
      if (!r.length_matches)
        finding(fmt::format("rom_{}_length", i), r.offset, "two places say different lengths of the expansion ROM");
    }
  }

  // That the digest covers a file's content is known of images for CPUs. Where it holds for one file of an image it
  // must hold for all of them; where it holds for none, the rule is another one, and nothing is said.
  void judge_digests() {
    bool holds = false;
    for (const auto& d : out_.directories)
      for (const auto& file : d.files) holds = holds || file.digest_matches.value_or(false);
    for (auto& d : out_.directories)
      for (auto& file : d.files) {
        if (!holds) file.digest_matches.reset();
        if (file.digest_matches.value_or(true)) continue;
        finding(fmt::format("{}_file_{:02x}_digest", d.name, file.type), file.offset,
                fmt::format("the content of file {:#04x} is not what its header's hash says", file.type));
      }
  }

  void drop_overlaps() {
    std::vector<Region> kept;
    for (Region& r : out_.regions)
      if (kept.empty() || r.offset >= kept.back().offset + kept.back().size) kept.push_back(std::move(r));
    out_.regions = std::move(kept);
  }

  Bytes image_;
  ByteReader in_;
  Ifwi out_;
};

Error no_item(std::uint8_t item, std::string detail) {
  return Error{.code = Errc::corrupt,
               .operation = "ifwi/item",
               .subject = fmt::format("item {:#04x}", item),
               .detail = std::move(detail)};
}

// The one entry of a type in the signature table.
Result<Bytes> signature_item(Bytes image, std::uint8_t item) {
  const ByteReader in(image, "image");
  const std::uint32_t at = HCQ_TRY(in.get<std::uint32_t>(f::kSgnPointer));
  const auto h = HCQ_TRY(in.get<f::SgnHeader>(at));
  if (h.magic != f::kSgn || h.count > kMostEntries) return no_item(item, "the signature table is not sound");
  std::optional<f::SgnEntry> found;
  for (std::uint32_t i = 0; i < h.count; ++i) {
    const auto e = HCQ_TRY(in.get<f::SgnEntry>(std::uint64_t{at} + sizeof h + std::uint64_t{i} * sizeof(f::SgnEntry)));
    if (e.type != std::uint32_t{item} - f::kItemSgn) continue;
    if (found) return no_item(item, "the signature table has two entries of this type");
    found = e;
  }
  if (!found) return no_item(item, "the signature table has no entry of this type");
  return in.slice(found->offset, found->size);
}

Result<Bytes> table_item(Bytes image, std::uint8_t item, std::uint32_t at, std::uint32_t magic) {
  const ByteReader in(image, "image");
  const auto h = HCQ_TRY(in.get<f::SgnHeader>(at));  // magic at +0 and count at +8, as directories have them
  if (h.magic != magic || h.count > kMostEntries) return no_item(item, "its table is not sound");
  return in.slice(at, (std::uint64_t{h.count} + 1) * sizeof(f::PspEntry));
}

}  // namespace

Ifwi parse_ifwi(Bytes image) { return Parser(image).run(); }

Result<Bytes> ifwi_item(Bytes image, std::uint8_t item) {
  const ByteReader in(image, "image");
  switch (item) {
    case f::kItemEfs:
      return in.slice(f::kEfsOffset, f::kEfsBytes);
    case f::kItemPspDirectoryA:
    case f::kItemPspDirectoryB:
      return table_item(image, item, f::kPspDirectory[item - f::kItemPspDirectoryA], f::kPsp);
    case f::kItemDescriptorA:
    case f::kItemDescriptorB:
      return in.slice(f::kDescriptor[item - f::kItemDescriptorA], f::kDescriptorBytes);
    case f::kItemIshA:
    case f::kItemIshB:
      return in.slice(f::kIsh[item - f::kItemIshA], f::kIshBytes);
    case f::kItemPayload: {
      const auto h = HCQ_TRY(in.get<f::ImageSlotHeader>(f::kIsh[0]));
      if (h.slot_size == 0 || h.slot_size % 4) return no_item(item, "the slot's size is no multiple of 4");
      return in.slice(h.location, h.slot_size);
    }
    case f::kItemSgnPointer:
      return in.slice(f::kSgnPointer, 4);
    case f::kItemSgn:
      return table_item(image, item, HCQ_TRY(in.get<std::uint32_t>(f::kSgnPointer)), f::kSgn);
    case f::kItemTrailer:
      return in.slice(f::kTrailer, f::kTrailerBytes);
    default:
      if (item >= f::kItemFirstSignature && item <= f::kItemLastSignature) return signature_item(image, item);
      return no_item(item, "no image has such an item");
  }
}

}  // namespace hcq::am::flash
