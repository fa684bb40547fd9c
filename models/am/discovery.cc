// SPDX-License-Identifier: MIT
#include "models/am/discovery.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "drivers/am/abi/discovery.h"

namespace hcq::models::am {

namespace {

namespace d = hcq::am::abi::discovery;
namespace regs = hcq::am::regs;

struct Record {
  std::uint16_t hw_id;
  std::uint8_t instance, major, minor, revision;
  std::vector<std::uint32_t> bases;
};

// Bases of the Navi family. SMUIO, THM and the like are there as on the board, for a parser to skip.
const std::vector<Record>& records() {
  static const std::vector<Record> kRecords{
      {d::MP0_HWID, 0, 13, 0, 0, {0x16000, 0xdc0000, 0xe00000, 0xe40000, 0x243fc00}},
      {d::MP1_HWID, 0, 13, 0, 0, {0x16000, 0xdc0000, 0xe00000, 0xe40000, 0x243fc00}},
      {d::THM_HWID, 0, 13, 0, 2, {0x16600, 0x2400c00}},
      {d::SMUIO_HWID, 0, 13, 0, 6, {0x16800, 0x16a00, 0x440000, 0x2401000}},
      {d::CLKA_HWID, 0, 5, 0, 0, {0x16c00, 0x2401800}},
      {d::GC_HWID, 0, 11, 0, 0, {0x1260, 0xa000, 0x1c000, 0x2402c00}},
      {d::MMHUB_HWID, 0, 3, 0, 0, {0x1a000, 0x2408800}},
      {d::ATHUB_HWID, 0, 3, 0, 0, {0xc00, 0x2408c00}},
      {d::OSSSYS_HWID, 0, 6, 0, 0, {0x10a0, 0x240a000}},
      {d::HDP_HWID, 0, 6, 0, 0, {0xf20, 0x240a400}},
      {d::SDMA0_HWID, 0, 6, 0, 0, {0x1260, 0xa000, 0x2402c00}},
      {d::SDMA1_HWID, 0, 6, 0, 0, {0x1260, 0xa000, 0x2402c00}},
      {d::DF_HWID, 0, 4, 3, 0, {0x7000, 0x240b800, 0x7c00000, 0x7c40000, 0x7c80000}},
      {d::NBIF_HWID, 0, 4, 3, 0, {0x0, 0x14, 0xd20, 0x10400, 0x241b000, 0x4040000}},
      {d::LSDMA_HWID, 0, 6, 0, 0, {0x45000, 0x244a000}},
      {d::VCN_HWID, 0, 4, 0, 0, {0x7800, 0x7e00, 0x2403000}},
      {d::VCN_HWID, 1, 4, 0, 0, {0x7a00, 0x9000, 0x2445000}},
      {d::DMU_HWID, 0, 3, 2, 0, {0x12, 0xc0, 0x34c0, 0x9000, 0x2403c00}},
      {d::UMC_HWID, 0, 8, 10, 0, {0x14000, 0x2425800}},
      {d::UMC_HWID, 1, 8, 10, 0, {0x54000, 0x2425c00}},
  };
  return kRecords;
}

// A board whose blocks lie elsewhere. NBIO, PSP and SMU stay: some of their registers have fixed addresses.
std::vector<Record> moved_records() {
  std::vector<Record> moved = records();
  for (Record& r : moved) {
    if (r.hw_id == d::MMHUB_HWID) r.bases[0] = 0x1c000;
    if (r.hw_id == d::OSSSYS_HWID) r.bases[0] = 0x8000;
    if (r.hw_id == d::HDP_HWID) r.bases[0] = 0x9000;
  }
  return moved;
}

std::vector<Record> records_of(std::string_view variant) {
  return variant == "moved_blocks" ? moved_records() : records();
}

class Builder {
 public:
  explicit Builder(std::string_view variant) : variant_(variant) {}
  std::vector<std::byte> build();

 private:
  bool is(std::string_view v) const { return variant_ == v; }
  template <class T>
  void append(const T& v) {
    const auto* p = reinterpret_cast<const std::byte*>(&v);
    bytes_.insert(bytes_.end(), p, p + sizeof v);
  }
  template <class T>
  void put(std::size_t offset, const T& v) {
    std::memcpy(bytes_.data() + offset, &v, sizeof v);
  }
  std::uint16_t sum(std::size_t offset, std::size_t size) const {
    std::uint16_t s = 0;
    for (std::size_t i = 0; i < size; ++i)
      s = static_cast<std::uint16_t>(s + static_cast<std::uint8_t>(bytes_[offset + i]));
    return s;
  }
  void add_record(const Record& r, std::uint16_t version);
  void add_ip_table();
  void add_gc_table();
  void add_harvest_table();
  void finish();

  std::string_view variant_;
  std::vector<std::byte> bytes_;
  d::BinaryHeader header_{};
};

void Builder::add_record(const Record& r, std::uint16_t version) {
  const bool fused = is("harvested_sdma") && r.hw_id == d::SDMA1_HWID;
  const std::uint8_t minor = is("unknown_version") && r.hw_id == d::GC_HWID ? 7 : r.minor;
  append(d::IpRecord{.hw_id = r.hw_id,
                     .instance_number = r.instance,
                     .num_base_address = static_cast<std::uint8_t>(r.bases.size()),
                     .major = r.major,
                     .minor = minor,
                     .revision = r.revision,
                     .variant = static_cast<std::uint8_t>(version <= 2 && fused ? 1 : 0)});
  for (const std::uint32_t b : r.bases) {
    if (is("v4_64bit")) append(std::uint64_t{b});
    else append(b);
  }
}

void Builder::add_ip_table() {
  const std::uint16_t version = is("v2") ? 2 : is("v4") || is("v4_64bit") ? 4 : 3;
  const auto start = bytes_.size();
  const std::uint16_t dies = is("two_dies") ? 2 : 1;
  d::IpDiscoveryHeader h{.signature = d::DISCOVERY_TABLE_SIGNATURE,
                         .version = version,
                         .size = 0,
                         .id = 0x19,
                         .num_dies = dies,
                         .die_info = {},
                         .flags = static_cast<std::uint8_t>(is("v4_64bit") ? 1 : 0),
                         .reserved = 0};
  if (is("bad_table_signature")) h.signature ^= 0x20;
  append(h);
  const auto all = records_of(variant_);
  for (std::uint16_t die = 0; die < dies; ++die) {
    h.die_info[die] = {die, static_cast<std::uint16_t>(is("die_beyond") ? 0x27fe : bytes_.size())};
    std::vector<Record> mine;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i * dies / all.size() == die) mine.push_back(all[i]);
    const auto listed = static_cast<std::uint16_t>(mine.size() + (is("records_beyond") ? 2000 : 0));
    append(d::DieHeader{.die_id = die, .num_ips = listed});
    for (const Record& r : mine) add_record(r, version);
  }
  h.size = static_cast<std::uint16_t>(bytes_.size() - start);
  put(start, h);
  header_.table_list[d::IP_DISCOVERY] = {static_cast<std::uint16_t>(start), 0, h.size, 0};
}

void Builder::add_gc_table() {
  // 6 shader engines with 2 arrays of 4 work group processors: 96 compute units.
  const auto start = bytes_.size();
  d::GcInfoV1_2 g{};
  g.v1_0.header = {d::GC_TABLE_ID, 1, 2, sizeof g};
  g.v1_0.gc_num_se = 6;
  g.v1_0.gc_num_wgp0_per_sa = 4;
  g.v1_0.gc_num_wgp1_per_sa = 0;
  g.v1_0.gc_num_rb_per_se = 4;
  g.v1_0.gc_num_gl2c = 24;
  g.v1_0.gc_num_gprs = 1536;
  g.v1_0.gc_num_max_gs_thds = 32;
  g.v1_0.gc_gs_table_depth = 32;
  g.v1_0.gc_gsprim_buff_depth = 1792;
  g.v1_0.gc_parameter_cache_depth = 1024;
  g.v1_0.gc_double_offchip_lds_buffer = 1;
  g.v1_0.gc_wave_size = 32;
  g.v1_0.gc_max_waves_per_simd = 16;
  g.v1_0.gc_max_scratch_slots_per_cu = 32;
  g.v1_0.gc_lds_size = 64;
  g.v1_0.gc_num_sc_per_se = 2;
  g.v1_0.gc_num_sa_per_se = 2;
  g.v1_0.gc_num_packer_per_sc = 4;
  g.v1_0.gc_num_gl2a = 4;
  g.gc_num_tcp_per_sa = 8;
  g.gc_num_sdp_interface = 24;
  g.gc_num_tcps = 96;
  g.gc_num_tcp_per_wpg = 2;
  g.gc_tcp_l1_size = 32;
  g.gc_num_sqc_per_wgp = 1;
  g.gc_l1_instruction_cache_size_per_sqc = 32;
  g.gc_l1_data_cache_size_per_sqc = 16;
  g.gc_gl1c_per_sa = 8;
  g.gc_gl1c_size_per_instance = 256;
  g.gc_gl2c_per_gpu = 6;
  append(g);
  header_.table_list[d::GC] = {static_cast<std::uint16_t>(start), 0, sizeof g, 0};
}

void Builder::add_harvest_table() {
  const auto start = bytes_.size();
  d::HarvestTable h{};
  h.signature = d::HARVEST_TABLE_SIGNATURE;
  if (is("harvested_sdma")) h.list[0] = {d::SDMA1_HWID, 0, 0};
  append(h);
  header_.table_list[d::HARVEST_INFO] = {static_cast<std::uint16_t>(start), 0, sizeof h, 0};
}

void Builder::finish() {
  for (d::TableInfo& t : header_.table_list)
    if (t.offset) t.checksum = sum(t.offset, t.size);
  if (is("bad_table_checksum")) header_.table_list[d::IP_DISCOVERY].checksum ^= 1;
  if (is("bad_gc_checksum")) header_.table_list[d::GC].checksum ^= 1;
  if (is("offset_beyond")) header_.table_list[d::IP_DISCOVERY].offset = 0x2900;
  if (is("size_beyond")) header_.table_list[d::GC].size = 0x3000;
  header_.binary_size = static_cast<std::uint16_t>(bytes_.size());
  put(0, header_);
  constexpr std::size_t kCovered = offsetof(d::BinaryHeader, binary_size);
  header_.binary_checksum =
      static_cast<std::uint16_t>(sum(kCovered, bytes_.size() - kCovered) + (is("bad_checksum") ? 1 : 0));
  if (is("bad_signature")) header_.binary_signature ^= 0x100;
  put(0, header_);
}

std::vector<std::byte> Builder::build() {
  header_.binary_signature = d::BINARY_SIGNATURE;
  header_.version_major = 1;
  append(header_);
  add_ip_table();
  if (!is("no_gc")) add_gc_table();
  if (!is("no_harvest")) add_harvest_table();
  finish();
  return std::move(bytes_);
}

regs::Ip ip_of(std::uint16_t hw_id, bool& known) {
  known = true;
  switch (hw_id) {
    case d::GC_HWID:
      return regs::Ip::gc;
    case d::MMHUB_HWID:
      return regs::Ip::mmhub;
    case d::NBIF_HWID:
      return regs::Ip::nbio;
    case d::HDP_HWID:
      return regs::Ip::hdp;
    case d::OSSSYS_HWID:
      return regs::Ip::osssys;
    case d::MP0_HWID:
      return regs::Ip::mp0;
    case d::MP1_HWID:
      return regs::Ip::mp1;
    case d::SMUIO_HWID:
      return regs::Ip::smuio;
    default:
      known = false;
      return regs::Ip::gc;
  }
}

constexpr std::string_view kVariants[] = {"",
                                          "bad_signature",
                                          "bad_table_signature",
                                          "bad_checksum",
                                          "bad_table_checksum",
                                          "bad_gc_checksum",
                                          "v2",
                                          "v3",
                                          "v4",
                                          "v4_64bit",
                                          "offset_beyond",
                                          "size_beyond",
                                          "die_beyond",
                                          "records_beyond",
                                          "no_gc",
                                          "no_harvest",
                                          "harvested_sdma",
                                          "two_dies",
                                          "moved_blocks",
                                          "unknown_version"};

}  // namespace

std::vector<regs::IpBlock> navi31_blocks(const std::string& variant) {
  std::vector<regs::IpBlock> blocks;
  for (const Record& r : records_of(variant)) {
    bool known = false;
    const regs::Ip ip = ip_of(r.hw_id, known);
    if (known) blocks.push_back({ip, r.instance, r.major, r.minor, r.revision, r.bases});
  }
  return blocks;
}

std::span<const std::uint32_t> block_bases(std::uint16_t hw_id) {
  for (const Record& r : records())
    if (r.hw_id == hw_id) return r.bases;
  return {};
}

Result<std::vector<std::byte>> discovery_binary(const std::string& variant) {
  if (std::find(std::begin(kVariants), std::end(kVariants), variant) == std::end(kVariants))
    return Error{.code = Errc::invalid_argument,
                 .operation = "model/discovery",
                 .subject = variant,
                 .detail = "no such variant of the discovery table"};
  return Builder(variant).build();
}

}  // namespace hcq::models::am
