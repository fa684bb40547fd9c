// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/file.h"
#include "devices/address.h"
#include "drivers/am/flash/checksum.h"
#include "drivers/am/flash/mailbox.h"
#include "tools/flash/commands.h"
#include "tools/flash/lib/image_check.h"
#include "tools/flash/lib/store.h"

namespace hcq::flash {
namespace {

namespace v = am::abi::vbflash;
using nlohmann::json;

// 4096, 0x1000 or 4K.
Result<std::uint32_t> number(const std::string& text, const char* what) {
  std::uint32_t n = 0;
  const bool hex = text.starts_with("0x");
  const char* const first = text.data() + (hex ? 2 : 0);
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, n, hex ? 16 : 10);
  if (error == std::errc{} && end == last && first != last) return n;
  if (const auto size = devices::parse_size(text); size.ok() && *size <= 0xffffffffu)
    return static_cast<std::uint32_t>(*size);
  return Error{.code = Errc::invalid_argument,
               .operation = "flash/read",
               .subject = text,
               .detail = std::string("not ") + what,
               .hint = "write 4096, 0x1000 or 4K"};
}

// The part of the flash that was asked for, read twice.
Result<std::vector<std::byte>> read_range(Device& d, const Common& c, std::uint32_t at, std::uint32_t size) {
  if (d.gated()) {
    const auto all = HCQ_TRY(read_flash(d, HCQ_TRY(rom_order(c)), progress_bar(c)));
    const auto part = HCQ_TRY(ByteReader(all, "the flash").slice(at, size));
    return std::vector<std::byte>(part.begin(), part.end());
  }
  const std::uint32_t bytes = d.nor().identity().bytes;
  if (at > bytes || size > bytes - at)
    return Error{.code = Errc::invalid_argument,
                 .device = d.address(),
                 .operation = "flash/read",
                 .address = at,
                 .detail = fmt::format("{} bytes from there do not lie inside the chip's {}", size, bytes)};
  std::vector<std::byte> first(size), second(size);
  HCQ_TRY(d.nor().read(at, first));
  HCQ_TRY(d.nor().read(at, second));
  if (first == second) return first;
  Error e = d.nor().error(Errc::refused, "flash/read", at, "two reads of the chip differ");
  e.hint = "try a slower clock with --prescale 15";
  return e;
}

Status write_output(const std::string& path, Bytes content) { return store_file(path, content, true); }

}  // namespace

Result<int> info(const Common& c) {
  spi::Pacer pacer;
  const auto d = HCQ_TRY(open_device(c, pacer));
  const Info i = HCQ_TRY(collect_info(*d));
  HCQ_TRY(d->close());
  HCQ_TRY(c.json ? print(info_json(i)) : print(info_text(i)));
  return kOk;
}

Result<int> read(const Common& c, const ReadOptions& o) {
  const std::uint32_t at = HCQ_TRY(number(o.address, "an offset")), size = HCQ_TRY(number(o.size, "a size"));
  spi::Pacer pacer;
  const auto d = HCQ_TRY(open_device(c, pacer));
  const auto content = HCQ_TRY(read_range(*d, c, at, size));
  HCQ_TRY(d->close());
  if (!o.output.empty()) HCQ_TRY(write_output(o.output, content));
  if (c.json)
    HCQ_TRY(print(json{{"offset", at},
                       {"size_bytes", size},
                       {"sha256", am::flash::sha256_hex(content)},
                       {"data", o.output.empty() ? json(am::flash::hex(content)) : json(nullptr)}}));
  else if (o.output.empty()) HCQ_TRY(print(hex_dump(at, content)));
  else HCQ_TRY(print(fmt::format("{} bytes, SHA-256 {}\n", size, am::flash::sha256_hex(content))));
  return kOk;
}

Result<int> dump(const Common& c, const std::string& file) {
  spi::Pacer pacer;
  const auto d = HCQ_TRY(open_device(c, pacer));
  const auto content = HCQ_TRY(read_flash(*d, HCQ_TRY(rom_order(c)), progress_bar(c)));
  HCQ_TRY(d->close());
  HCQ_TRY(write_output(file, content));
  const std::string hash = am::flash::sha256_hex(content);
  const std::size_t findings = am::flash::parse_ifwi(content).findings.size();
  if (c.json)
    HCQ_TRY(print(json{{"file", file}, {"size_bytes", content.size()}, {"sha256", hash}, {"findings", findings}}));
  else
    HCQ_TRY(print(fmt::format("{} bytes read twice, SHA-256 {}\n{}", content.size(), hash,
                              findings ? fmt::format("{} things are wrong with this content as an image; see "
                                                     "hcq-flash ifwi {}\n",
                                                     findings, file)
                                       : "It is a whole firmware image.\n")));
  return kOk;
}

Result<int> verify(const Common& c, const VerifyOptions& o) {
  const auto image = HCQ_TRY(read_file(o.image, 64u << 20));
  spi::Pacer pacer;
  const auto d = HCQ_TRY(open_device(c, pacer));
  const auto content = HCQ_TRY(read_flash(*d, HCQ_TRY(rom_order(c)), progress_bar(c)));
  HCQ_TRY(d->close());
  HCQ_TRY(check_size(image.size(), content.size()));
  const ImageDifference difference = compare_images(image, content, o.after_update);
  const bool same = difference.regions.empty() || (o.after_update && difference.only_expected());
  if (c.json) {
    json j = difference_json(difference);
    j["sha256"] = am::flash::sha256_hex(content);
    HCQ_TRY(print(j));
  } else if (difference.regions.empty()) {
    HCQ_TRY(print(fmt::format("The flash holds this image, SHA-256 {}\n", am::flash::sha256_hex(content))));
  } else {
    const auto first = *compare(image, content);
    HCQ_TRY(print(fmt::format("first difference at {:#x}: image {:02x}, flash {:02x}\n{}", first.offset, first.expected,
                              first.actual, difference_text(difference))));
  }
  return same ? kOk : kFailed;
}

Result<int> probe(const Common& c) {
  spi::Pacer pacer;
  const auto d = HCQ_TRY(open_device(c, pacer));
  am::flash::FlashMailbox box(d->board());
  if (!HCQ_TRY(box.ready())) {
    Error e{.code = Errc::busy, .device = d->address(), .operation = "flash/probe", .subject = "MP0_SMN_C2PMSG_115"};
    e.detail = "the firmware's mailbox is not ready";
    e.hint =
        d->gated() ? "power-cycle the board" : "the board did not start from its flash; the raw engine is available";
    return e;
  }
  struct Question {
    const char* key;
    const char* text;
    v::Command command;
  };
  constexpr Question kQuestions[] = {{"boot_partition", "boot partition", v::kGetBootPartition},
                                     {"frame_buffer_state", "frame buffer", v::kGetFrameBufferState},
                                     {"spi_model", "SPI model", v::kGetSpiModel},
                                     {"transfer_type", "transfer type", v::kGetTransferType}};
  std::string text;
  json j{{"address", d->address()}};
  bool gated = false;
  for (const Question& q : kQuestions) {
    const auto a = HCQ_TRY(box.command(q.command));
    gated = gated || (q.command == v::kGetTransferType && a.error == v::kPartitionUpdate);
    j[q.key] = {{"error", a.error}, {"data", a.error ? json(nullptr) : json(a.data)}};
    text +=
        fmt::format("{:<15} {}\n", q.text,
                    a.error ? fmt::format("error {:#x}, {}", a.error, am::flash::mailbox_error_name(a.error))
                    : q.command == v::kGetTransferType
                        ? fmt::format("wants item {:#04x}, phase {}", v::WantedItem::in(a.data), v::Phase::in(a.data))
                        : fmt::format("{:#x}", a.data));
  }
  j["updates_gated"] = gated;
  text += gated ? "Updates are gated: power-cycle the board and start no driver before ifwi-all.\n"
                : "The firmware takes updates.\n";
  HCQ_TRY(d->close());
  HCQ_TRY(c.json ? print(j) : print(text));
  return kOk;
}

}  // namespace hcq::flash
