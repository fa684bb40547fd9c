// SPDX-License-Identifier: MIT
#include "models/am/synthetic_firmware.h"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "drivers/am/abi/firmware.h"

namespace hcq::models::am {

namespace {

namespace f = hcq::am::abi::firmware;
using File = std::vector<std::byte>;

constexpr std::size_t kHeaderBytes = 0x100;  // the vendor's files keep this much for the header

std::uint32_t crc32(Bytes data) {
  std::uint32_t c = ~0u;
  for (const std::byte b : data) {
    c ^= static_cast<std::uint8_t>(b);
    for (int i = 0; i < 8; ++i) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
  }
  return ~c;
}

// The checksum covers everything behind the common header, as in the vendor's files.
void seal(File& file) {
  const std::uint32_t crc = crc32(Bytes(file).subspan(sizeof(f::CommonHeader)));
  std::memcpy(file.data() + offsetof(f::CommonHeader, crc32), &crc, sizeof(crc));
}

// A payload whose bytes follow from its name (a splitmix64 sequence).
File content(const std::string& name, std::size_t size) {
  std::uint64_t x = fnv1a(std::as_bytes(std::span(name)));
  File out(size);
  for (std::size_t i = 0; i < size; i += 8) {
    x += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    std::memcpy(out.data() + i, &z, std::min<std::size_t>(8, size - i));
  }
  return out;
}

// Builds a file from behind: payload pieces first, then the header that describes them.
class Writer {
 public:
  Writer(std::string name, std::uint16_t ip_major) : name_(std::move(name)), ip_major_(ip_major) {}
  // Appends a piece and returns its offset in the file.
  std::uint32_t piece(const char* part, std::size_t size) {
    const File c = content(name_ + "/" + part, size);
    file_.insert(file_.end(), c.begin(), c.end());
    return static_cast<std::uint32_t>(file_.size() - size);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(file_.size()); }
  template <class H>
  f::CommonHeader common(std::uint16_t major, std::uint16_t minor, std::uint32_t ucode_size,
                         std::size_t header_size = sizeof(H)) {
    return {.size_bytes = size(),
            .header_size_bytes = static_cast<std::uint32_t>(header_size),
            .header_version_major = major,
            .header_version_minor = minor,
            .ip_version_major = ip_major_,
            .ip_version_minor = 0,
            .ucode_version = 0x00010000,
            .ucode_size_bytes = ucode_size,
            .ucode_array_offset_bytes = kHeaderBytes,
            .crc32 = 0};
  }
  File finish(const void* header, std::size_t size) {
    std::memcpy(file_.data(), header, size);
    seal(file_);
    return std::move(file_);
  }

 private:
  std::string name_;
  std::uint16_t ip_major_;
  File file_ = File(kHeaderBytes);
};

File psp_sos() {
  Writer w("psp_13_0_0_sos", 13);
  struct {
    f::PspHeaderV2_0 h;
    f::PspBinDesc bin[6];
  } header{};
  const std::array<std::tuple<f::PspFwType, const char*, std::uint32_t>, 6> parts{{
      {f::PSP_FW_TYPE_PSP_SYS_DRV, "sys", 0xe790},
      {f::PSP_FW_TYPE_PSP_SOS, "sos", 0x18380},
      {f::PSP_FW_TYPE_PSP_TOC, "toc", 0x900},
      {f::PSP_FW_TYPE_PSP_KDB, "kdb", 0x1700},
      {f::PSP_FW_TYPE_PSP_SPL, "spl", 0x2a0},
      {f::PSP_FW_TYPE_PSP_RL, "rl", 0x960},
  }};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [type, name, size] = parts[i];
    const std::uint32_t at = w.piece(name, size);
    header.bin[i] = {type, 0x00310000u + static_cast<std::uint32_t>(i), at - static_cast<std::uint32_t>(kHeaderBytes),
                     size};
  }
  header.h.header = w.common<f::PspHeaderV2_0>(2, 0, w.size() - kHeaderBytes);
  header.h.psp_fw_bin_count = 6;
  return w.finish(&header, sizeof header);
}

File smu() {
  Writer w("smu_13_0_0", 13);
  w.piece("ucode", 0x3fe00);
  const std::uint32_t entries = w.size();
  const std::uint32_t table = w.piece("entries", sizeof(f::SmcSoftPptableEntry));
  const std::uint32_t ppt = w.piece("pptable", 0x1400);
  f::SmcHeaderV2_1 h{};
  h.v1_0.header = w.common<f::SmcHeaderV2_1>(2, 1, 0x3fe00);
  h.v1_0.ucode_start_addr = 0x20000;
  h.pptable_count = 1;
  h.pptable_entry_offset = entries;
  File file = w.finish(&h, sizeof h);
  const f::SmcSoftPptableEntry e{.id = 3, .ppt_offset_bytes = ppt, .ppt_size_bytes = 0x1400};
  std::memcpy(file.data() + table, &e, sizeof e);
  seal(file);
  return file;
}

File sdma() {
  Writer w("sdma_6_0_0", 6);
  w.piece("ctx", 0x4400);
  f::SdmaHeaderV2_0 h{};
  h.ctl_ucode_offset = w.piece("ctl", 0x4200);
  h.header = w.common<f::SdmaHeaderV2_0>(2, 0, 0x8600);
  h.ucode_feature_version = 60;
  h.ctx_ucode_size_bytes = 0x4400;
  h.ctx_jt_offset = 0x1000;
  h.ctx_jt_size = 0x80;
  h.ctl_ucode_size_bytes = 0x4200;
  h.ctl_jt_offset = 0x1000;
  return w.finish(&h, sizeof h);
}

File rs64(const std::string& name, std::uint32_t code, std::uint32_t data) {
  Writer w(name, 11);
  f::GfxHeaderV2_0 h{};
  h.ucode_offset_bytes = w.piece("code", code);
  h.data_offset_bytes = w.piece("data", data);
  h.header = w.common<f::GfxHeaderV2_0>(2, 0, code + data);
  h.ucode_feature_version = 29;
  h.ucode_size_bytes = code;
  h.data_size_bytes = data;
  h.ucode_start_addr_lo = lo32(kSyntheticStart);
  h.ucode_start_addr_hi = hi32(kSyntheticStart);
  return w.finish(&h, sizeof h);
}

File mes(const std::string& name) {
  Writer w(name, 11);
  f::MesHeaderV1_0 h{};
  h.mes_ucode_offset_bytes = w.piece("code", 0x12000);
  h.mes_ucode_data_offset_bytes = w.piece("data", 0x8000);
  h.header = w.common<f::MesHeaderV1_0>(1, 0, 0x1a000);
  h.mes_ucode_size_bytes = 0x12000;
  h.mes_ucode_data_size_bytes = 0x8000;
  h.mes_uc_start_addr_lo = 0xf0005000;
  h.mes_uc_start_addr_hi = 0xffffffff;
  h.mes_data_start_addr_lo = 0xf0100000;
  h.mes_data_start_addr_hi = 0xffffffff;
  return w.finish(&h, sizeof h);
}

File imu() {
  Writer w("gc_11_0_0_imu", 11);
  w.piece("iram", 0x10200);
  w.piece("dram", 0x10200);
  f::ImuHeaderV1_0 h{};
  h.header = w.common<f::ImuHeaderV1_0>(1, 0, 0x20400);
  h.imu_iram_ucode_size_bytes = 0x10200;
  h.imu_dram_ucode_size_bytes = 0x10200;
  h.imu_dram_ucode_offset_bytes = 0x10200;
  return w.finish(&h, sizeof h);
}

File rlc() {
  Writer w("gc_11_0_0_rlc", 11);
  w.piece("rlc_g", 0x6200);
  f::RlcHeaderV2_3 h{};
  auto& v2 = h.v2_2;
  v2.rlc_iram_ucode_offset_bytes = w.piece("iram", 0x10200);
  v2.rlc_dram_ucode_offset_bytes = w.piece("dram", 0x8200);
  h.rlcp_ucode_offset_bytes = w.piece("rlcp", 0x2200);
  h.rlcv_ucode_offset_bytes = w.piece("rlcv", 0x3200);
  v2.v2_1.v2_0.header = w.common<f::RlcHeaderV2_3>(2, 3, 0x6200);
  v2.v2_1.v2_0.ucode_feature_version = 1;
  v2.rlc_iram_ucode_size_bytes = 0x10200;
  v2.rlc_dram_ucode_size_bytes = 0x8200;
  h.rlcp_ucode_size_bytes = 0x2200;
  h.rlcv_ucode_size_bytes = 0x3200;
  return w.finish(&h, sizeof h);
}

}  // namespace

const std::map<std::string, std::vector<std::byte>>& synthetic_firmware() {
  static const std::map<std::string, File> kFiles{
      {"psp_13_0_0_sos.bin", psp_sos()},
      {"smu_13_0_0.bin", smu()},
      {"sdma_6_0_0.bin", sdma()},
      {"gc_11_0_0_pfp.bin", rs64("gc_11_0_0_pfp", 0x16300, 0x22000)},
      {"gc_11_0_0_me.bin", rs64("gc_11_0_0_me", 0x14300, 0x22000)},
      {"gc_11_0_0_mec.bin", rs64("gc_11_0_0_mec", 0x41300, 0x22000)},
      {"gc_11_0_0_mes.bin", mes("gc_11_0_0_mes")},
      {"gc_11_0_0_mes1.bin", mes("gc_11_0_0_mes1")},
      {"gc_11_0_0_imu.bin", imu()},
      {"gc_11_0_0_rlc.bin", rlc()},
  };
  return kFiles;
}

Status write_synthetic_firmware(const std::string& directory) {
  for (const std::string& d : {directory, directory + "/amdgpu"})
    if (mkdir(d.c_str(), 0755) != 0 && errno != EEXIST) return errno_error(errno, "model/firmware", d);
  for (const auto& [name, bytes] : synthetic_firmware()) {
    const std::string path = directory + "/amdgpu/" + name;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) return errno_error(errno, "model/firmware", path);
  }
  return {};
}

std::vector<std::byte> damaged(std::vector<std::byte> file, Damage damage) {
  const auto set32 = [&](std::size_t offset, std::uint32_t v) { std::memcpy(file.data() + offset, &v, 4); };
  const auto set16 = [&](std::size_t offset, std::uint16_t v) { std::memcpy(file.data() + offset, &v, 2); };
  switch (damage) {
    case Damage::truncated:
      file.resize(file.size() / 2);
      break;
    case Damage::header_cut:
      file.resize(sizeof(f::CommonHeader) - 4);
      break;
    case Damage::payload_bit:
      file[kHeaderBytes + 16] ^= std::byte{0x10};
      break;
    case Damage::size_field:
      set32(offsetof(f::CommonHeader, size_bytes), static_cast<std::uint32_t>(file.size() + 4));
      break;
    case Damage::payload_offset:
      set32(offsetof(f::CommonHeader, ucode_array_offset_bytes), 0xfffffff0);
      break;
    case Damage::component_size: {
      set32(offsetof(f::CommonHeader, ucode_size_bytes), 0x7fffffff);
      // The first size field behind the common header of every format that has components.
      for (std::size_t at = sizeof(f::CommonHeader) + 4; at < kHeaderBytes; at += 4) {
        std::uint32_t v;
        std::memcpy(&v, file.data() + at, 4);
        if (v >= 0x1000 && v < 0x100000) {
          set32(at, 0x7fffffff);
          break;
        }
      }
      break;
    }
    case Damage::header_version:
      set16(offsetof(f::CommonHeader, header_version_major), 9);
      break;
    case Damage::empty:
      file.clear();
      break;
  }
  return file;
}

}  // namespace hcq::models::am
