// SPDX-License-Identifier: MIT
#include "drivers/am/firmware/container.h"

#include <fmt/format.h>

#include <array>

#include "drivers/am/abi/firmware.h"

namespace hcq::am {

namespace fw = abi::firmware;

namespace {

Error bad(Errc code, const std::string& path, std::string detail) {
  return Error{.code = code, .operation = "firmware/parse", .subject = path, .detail = std::move(detail)};
}

// Whether the kind's crc32 field means something; the vendor's RLC and SMU files hold another value.
enum class Crc : std::uint8_t { check, ignore };

// A file with its common header checked.
struct File {
  ByteReader reader;
  fw::CommonHeader header;

  // [offset, offset + size) of the file; an empty image is an error.
  Result<Bytes> part(std::uint64_t offset, std::uint64_t size, const char* what) const {
    if (size == 0) return bad(Errc::corrupt, reader.subject(), fmt::format("{} is empty", what));
    if (auto s = reader.slice(offset, size); s.ok()) return s;
    Error e =
        bad(Errc::corrupt, reader.subject(),
            fmt::format("{} lies at {:#x} with {:#x} bytes, the file has {:#x}", what, offset, size, reader.size()));
    e.address = offset;
    return e;
  }
  Error unknown_version() const {
    return bad(Errc::unsupported, reader.subject(),
               fmt::format("header version {}.{} is not known for this kind of file", header.header_version_major,
                           header.header_version_minor));
  }
  bool version(unsigned major, unsigned minor) const {
    return header.header_version_major == major && header.header_version_minor == minor;
  }
  Container container() const {
    return {.version = header.ucode_version,
            .header_major = header.header_version_major,
            .header_minor = header.header_version_minor,
            .images = {}};
  }
};

Result<File> open(Bytes data, const std::string& path, Crc crc) {
  if (data.empty()) return bad(Errc::corrupt, path, "the file is empty");
  if (data.size() < sizeof(fw::CommonHeader))
    return bad(Errc::corrupt, path, fmt::format("{} bytes are too few for a header", data.size()));
  ByteReader reader(data, path);
  const auto h = HCQ_TRY(reader.get<fw::CommonHeader>(0));
  if (h.size_bytes != data.size()) {
    Error e = bad(Errc::corrupt, path,
                  h.size_bytes > data.size() ? "the file is cut short" : "the file is longer than its header says");
    e.expected = h.size_bytes;
    e.actual = data.size();
    return e;
  }
  if (h.ucode_array_offset_bytes > data.size() || h.ucode_size_bytes > data.size() - h.ucode_array_offset_bytes) {
    Error e = bad(Errc::corrupt, path, fmt::format("payload of {:#x} bytes ends beyond the file", h.ucode_size_bytes));
    e.address = h.ucode_array_offset_bytes;
    return e;
  }
  if (crc == Crc::check && h.crc32 != 0) {
    const std::uint32_t actual = crc32(data.subspan(sizeof(h)));
    if (actual != h.crc32) {
      Error e = bad(Errc::corrupt, path, "checksum differs: the file was changed or damaged");
      e.expected = h.crc32;
      e.actual = actual;
      return e;
    }
  }
  return File{std::move(reader), h};
}

}  // namespace

std::uint32_t crc32(Bytes data) {
  static constexpr auto kTable = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  std::uint32_t c = ~0u;
  for (const std::byte b : data) c = c >> 8 ^ kTable[(c ^ static_cast<std::uint32_t>(b)) & 0xff];
  return ~c;
}

Result<Container> parse_psp(Bytes data, const std::string& path) {
  const File f = HCQ_TRY(open(data, path, Crc::check));
  Container c = f.container();
  std::uint64_t at = 0;
  std::uint32_t count = 0;
  if (f.version(2, 0)) {
    count = HCQ_TRY(f.reader.get<fw::PspHeaderV2_0>(0)).psp_fw_bin_count;
    at = sizeof(fw::PspHeaderV2_0);
  } else if (f.version(2, 1)) {
    // Entries from the aux index on are a second set for older board firmware; the first is taken.
    const auto h = HCQ_TRY(f.reader.get<fw::PspHeaderV2_1>(0));
    if (h.psp_aux_fw_bin_index > h.psp_fw_bin_count)
      return bad(Errc::corrupt, path, "the second set begins behind the last entry");
    count = h.psp_aux_fw_bin_index ? h.psp_aux_fw_bin_index : h.psp_fw_bin_count;
    at = sizeof(fw::PspHeaderV2_1);
  } else {
    return f.unknown_version();
  }
  for (std::uint32_t i = 0; i < count; ++i, at += sizeof(fw::PspBinDesc)) {
    const auto d = HCQ_TRY(f.reader.get<fw::PspBinDesc>(at));
    const std::uint64_t offset = std::uint64_t{f.header.ucode_array_offset_bytes} + d.offset_bytes;
    const Bytes part = HCQ_TRY(f.part(offset, d.size_bytes, "a component"));
    c.images.push_back({d.fw_type, d.fw_version, part});
  }
  return c;
}

Result<Container> parse_gfx(Bytes data, const std::string& path) {
  const File f = HCQ_TRY(open(data, path, Crc::check));
  if (!f.version(2, 0)) return f.unknown_version();
  const auto h = HCQ_TRY(f.reader.get<fw::GfxHeaderV2_0>(0));
  Container c = f.container();
  c.start_address = h.ucode_start_addr_lo | std::uint64_t{h.ucode_start_addr_hi} << 32;
  const Bytes code = HCQ_TRY(f.part(f.header.ucode_array_offset_bytes, h.ucode_size_bytes, "code"));
  const Bytes stack = HCQ_TRY(f.part(h.data_offset_bytes, h.data_size_bytes, "data"));
  c.images = {{kGfxCode, c.version, code}, {kGfxData, c.version, stack}};
  return c;
}

Result<Container> parse_sdma(Bytes data, const std::string& path) {
  const File f = HCQ_TRY(open(data, path, Crc::check));
  Container c = f.container();
  if (!f.version(2, 0)) return f.unknown_version();
  const auto h = HCQ_TRY(f.reader.get<fw::SdmaHeaderV2_0>(0));
  const Bytes context = HCQ_TRY(f.part(f.header.ucode_array_offset_bytes, h.ctx_ucode_size_bytes, "context thread"));
  const Bytes control = HCQ_TRY(f.part(h.ctl_ucode_offset, h.ctl_ucode_size_bytes, "control thread"));
  c.images = {{kSdmaContext, c.version, context}, {kSdmaControl, c.version, control}};
  return c;
}

Result<Container> parse_imu(Bytes data, const std::string& path) {
  const File f = HCQ_TRY(open(data, path, Crc::check));
  if (!f.version(1, 0)) return f.unknown_version();
  const auto h = HCQ_TRY(f.reader.get<fw::ImuHeaderV1_0>(0));
  Container c = f.container();
  const std::uint64_t iram_at = f.header.ucode_array_offset_bytes;
  const Bytes iram = HCQ_TRY(f.part(iram_at, h.imu_iram_ucode_size_bytes, "IRAM"));
  const Bytes dram = HCQ_TRY(f.part(iram_at + h.imu_iram_ucode_size_bytes, h.imu_dram_ucode_size_bytes, "DRAM"));
  c.images = {{kImuIram, c.version, iram}, {kImuDram, c.version, dram}};
  return c;
}

Result<Container> parse_rlc(Bytes data, const std::string& path) {
  const File f = HCQ_TRY(open(data, path, Crc::ignore));
  if (f.header.header_version_major != 2 || f.header.header_version_minor < 2 || f.header.header_version_minor > 4)
    return f.unknown_version();
  Container c = f.container();
  const auto h2 = HCQ_TRY(f.reader.get<fw::RlcHeaderV2_2>(0));
  const Bytes g = HCQ_TRY(f.part(f.header.ucode_array_offset_bytes, f.header.ucode_size_bytes, "RLC_G"));
  const Bytes iram = HCQ_TRY(f.part(h2.rlc_iram_ucode_offset_bytes, h2.rlc_iram_ucode_size_bytes, "RLC IRAM"));
  const Bytes dram = HCQ_TRY(f.part(h2.rlc_dram_ucode_offset_bytes, h2.rlc_dram_ucode_size_bytes, "RLC DRAM"));
  c.images = {{kRlcG, c.version, g}, {kRlcIram, c.version, iram}, {kRlcDram, c.version, dram}};
  if (f.header.header_version_minor >= 3) {
    const auto h3 = HCQ_TRY(f.reader.get<fw::RlcHeaderV2_3>(0));
    const Bytes p = HCQ_TRY(f.part(h3.rlcp_ucode_offset_bytes, h3.rlcp_ucode_size_bytes, "RLC_P"));
    const Bytes v = HCQ_TRY(f.part(h3.rlcv_ucode_offset_bytes, h3.rlcv_ucode_size_bytes, "RLC_V"));
    c.images.push_back({kRlcP, h3.rlcp_ucode_version, p});
    c.images.push_back({kRlcV, h3.rlcv_ucode_version, v});
  }
  return c;
}

Result<Container> parse_smu(Bytes data, const std::string& path) {
  const File f = HCQ_TRY(open(data, path, Crc::ignore));
  if (!f.version(2, 0) && !f.version(2, 1) && !f.version(1, 0)) return f.unknown_version();
  Container c = f.container();
  const Bytes code = HCQ_TRY(f.part(f.header.ucode_array_offset_bytes, f.header.ucode_size_bytes, "code"));
  c.images = {{0, c.version, code}};
  return c;
}

}  // namespace hcq::am
