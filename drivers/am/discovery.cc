// SPDX-License-Identifier: MIT
#include "drivers/am/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/log.h"
#include "drivers/am/abi/discovery.h"

namespace hcq::am {

namespace abi_d = abi::discovery;
using regs::Ip;

namespace {

Error corrupt(const std::string& subject, std::string detail) {
  return Error{.code = Errc::corrupt, .operation = "discovery", .subject = subject, .detail = std::move(detail)};
}

Error mismatch(const std::string& subject, const char* what, std::uint64_t expected, std::uint64_t actual) {
  Error e = corrupt(subject, fmt::format("wrong {}", what));
  e.expected = expected;
  e.actual = actual;
  return e;
}

std::uint16_t byte_sum(Bytes data) {
  std::uint16_t sum = 0;
  for (const std::byte b : data) sum = static_cast<std::uint16_t>(sum + static_cast<std::uint8_t>(b));
  return sum;
}

struct HwKind {
  std::uint16_t hw_id;
  Ip ip;
  std::uint8_t first_instance;
};
constexpr HwKind kKinds[] = {
    {abi_d::GC_HWID, Ip::gc, 0},      {abi_d::MMHUB_HWID, Ip::mmhub, 0},   {abi_d::NBIF_HWID, Ip::nbio, 0},
    {abi_d::HDP_HWID, Ip::hdp, 0},    {abi_d::OSSSYS_HWID, Ip::osssys, 0}, {abi_d::MP0_HWID, Ip::mp0, 0},
    {abi_d::MP1_HWID, Ip::mp1, 0},    {abi_d::SDMA0_HWID, Ip::sdma, 0},    {abi_d::SDMA1_HWID, Ip::sdma, 1},
    {abi_d::SDMA2_HWID, Ip::sdma, 2}, {abi_d::SDMA3_HWID, Ip::sdma, 3},
};

const HwKind* kind_of(std::uint16_t hw_id) {
  for (const HwKind& k : kKinds)
    if (k.hw_id == hw_id) return &k;
  return nullptr;
}

// A block as recorded, before harvesting.
struct Found {
  std::uint16_t hw_id;
  std::uint8_t instance;
  regs::IpBlock block;
};

class Parser {
 public:
  Parser(Bytes table, const std::string& subject) : r_(table, subject) {}

  Result<Discovery> run() {
    HCQ_TRY(header());
    HCQ_TRY(ip_table());
    HCQ_TRY(harvest());
    Discovery d = number();
    d.gfx = HCQ_TRY(gc_info());
    return d;
  }

 private:
  const std::string& subject() const { return r_.subject(); }

  Status header() {
    h_ = HCQ_TRY(r_.get<abi_d::BinaryHeader>(0));
    if (h_.binary_signature != abi_d::BINARY_SIGNATURE)
      return mismatch(subject(), "binary signature", abi_d::BINARY_SIGNATURE, h_.binary_signature);
    constexpr std::size_t kSummed = offsetof(abi_d::BinaryHeader, binary_size);
    if (h_.binary_size < sizeof(h_)) return corrupt(subject(), "size smaller than its header");
    const Bytes body = HCQ_TRY(r_.slice(kSummed, h_.binary_size - kSummed));
    if (byte_sum(body) != h_.binary_checksum)
      return mismatch(subject(), "sum of the binary", h_.binary_checksum, byte_sum(body));
    r_ = ByteReader(r_.data().first(h_.binary_size), subject());
    return {};
  }

  // The bytes of one table, its sum checked; nothing when the binary has no such table.
  Result<std::optional<Bytes>> table(abi_d::Table which, std::uint32_t size, const char* name) {
    const abi_d::TableInfo& info = h_.table_list[which];
    HCQ_TRY(r_.slice(info.offset, info.size));  // the directory's own size is not used, but must make sense
    const Bytes data = HCQ_TRY(r_.slice(info.offset, size));
    if (byte_sum(data) != info.checksum)
      return mismatch(subject(), fmt::format("sum of the {} table", name).c_str(), info.checksum, byte_sum(data));
    return std::optional(data);
  }

  Status ip_table() {
    const std::uint16_t offset = h_.table_list[abi_d::IP_DISCOVERY].offset;
    if (offset == 0) return corrupt(subject(), "no IP table");
    const auto ip = HCQ_TRY(r_.get<abi_d::IpDiscoveryHeader>(offset));
    if (ip.signature != abi_d::DISCOVERY_TABLE_SIGNATURE)
      return mismatch(subject(), "signature of the IP table", abi_d::DISCOVERY_TABLE_SIGNATURE, ip.signature);
    HCQ_TRY(table(abi_d::IP_DISCOVERY, ip.size, "IP"));
    version_ = ip.version;
    wide_ = ip.version >= 4 && (ip.flags & 1);
    constexpr unsigned kMaxDies = std::size(decltype(ip.die_info){});
    if (ip.num_dies > kMaxDies) return mismatch(subject(), "number of dies", kMaxDies, ip.num_dies);
    for (unsigned die = 0; die < ip.num_dies; ++die) HCQ_TRY(read_die(ip.die_info[die].die_offset));
    return {};
  }

  Status read_die(std::uint64_t at) {
    const auto die = HCQ_TRY(r_.get<abi_d::DieHeader>(at));
    at += sizeof(die);
    const std::size_t width = wide_ ? 8 : 4;
    for (unsigned i = 0; i < die.num_ips; ++i) {
      const auto rec = HCQ_TRY(r_.get<abi_d::IpRecord>(at));
      at += sizeof(rec);
      Found f{rec.hw_id, rec.instance_number, {}};
      for (unsigned b = 0; b < rec.num_base_address; ++b, at += width) {
        // Of a 64-bit base only the low part addresses registers; the rest selects the die.
        const auto base = wide_ ? HCQ_TRY(r_.get<std::uint64_t>(at)) : HCQ_TRY(r_.get<std::uint32_t>(at));
        f.block.bases.push_back(wide_ ? lo32(base) & 0x3fffffffu : lo32(base));
      }
      const HwKind* kind = kind_of(rec.hw_id);
      const bool harvested = version_ <= 2 && (rec.variant & 0xf) != 0;
      if (!kind || harvested) continue;
      f.block.ip = kind->ip;
      f.block.major = rec.major;
      f.block.minor = rec.minor;
      f.block.revision = rec.revision;
      f.block.instance = static_cast<std::uint8_t>(kind->first_instance + rec.instance_number);
      found_.push_back(std::move(f));
    }
    return {};
  }

  Status harvest() {
    const std::uint16_t offset = h_.table_list[abi_d::HARVEST_INFO].offset;
    if (version_ <= 2 || offset == 0) return {};
    const auto t = HCQ_TRY(r_.get<abi_d::HarvestTable>(offset));
    if (t.signature != abi_d::HARVEST_TABLE_SIGNATURE)
      return mismatch(subject(), "signature of the harvest table", abi_d::HARVEST_TABLE_SIGNATURE, t.signature);
    HCQ_TRY(table(abi_d::HARVEST_INFO, sizeof(t), "harvest"));
    for (const abi_d::HarvestInfo& info : t.list) {
      if (info.hw_id == 0) break;
      std::erase_if(found_,
                    [&](const Found& f) { return f.hw_id == info.hw_id && f.instance == info.number_instance; });
    }
    return {};
  }

  Discovery number() {
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return std::pair(a.block.ip, a.block.instance) < std::pair(b.block.ip, b.block.instance);
    });
    Discovery d;
    unsigned next[regs::kIpCount] = {};
    for (Found& f : found_) {
      f.block.instance = static_cast<std::uint8_t>(next[static_cast<unsigned>(f.block.ip)]++);
      if (f.block.ip == Ip::sdma) {
        d.sdma = {f.block.major, f.block.minor, f.block.revision};
        ++d.sdma_count;
        if (f.block.major > 4) continue;  // from SDMA 5 on the registers are part of GC
      }
      d.blocks.push_back(std::move(f.block));
    }
    return d;
  }

  Result<GfxConfig> gc_info() {
    const std::uint16_t offset = h_.table_list[abi_d::GC].offset;
    if (offset == 0) return corrupt(subject(), "no GC table");
    const auto h = HCQ_TRY(r_.get<abi_d::GpuInfoHeader>(offset));
    if (h.table_id != abi_d::GC_TABLE_ID)
      return mismatch(subject(), "id of the GC table", abi_d::GC_TABLE_ID, h.table_id);
    HCQ_TRY(table(abi_d::GC, h.size, "GC"));
    GfxConfig g;
    if (h.version_major == 1) {
      const auto v = HCQ_TRY(r_.get<abi_d::GcInfoV1_0>(offset));
      g = {.shader_engines = v.gc_num_se,
           .arrays_per_engine = v.gc_num_sa_per_se,
           .cus_per_array = 2 * (v.gc_num_wgp0_per_sa + v.gc_num_wgp1_per_sa),
           .wave_size = v.gc_wave_size,
           .max_waves_per_simd = v.gc_max_waves_per_simd,
           .max_scratch_slots_per_cu = v.gc_max_scratch_slots_per_cu,
           .lds_bytes = v.gc_lds_size * 1024};
    } else if (h.version_major == 2) {
      const auto v = HCQ_TRY(r_.get<abi_d::GcInfoV2_0>(offset));
      g = {.shader_engines = v.gc_num_se,
           .arrays_per_engine = v.gc_num_sh_per_se,
           .cus_per_array = v.gc_num_cu_per_sh,
           .wave_size = v.gc_wave_size,
           .max_waves_per_simd = v.gc_max_waves_per_simd,
           .max_scratch_slots_per_cu = v.gc_max_scratch_slots_per_cu,
           .lds_bytes = v.gc_lds_size * 1024};
    } else {
      return Error{.code = Errc::unsupported,
                   .operation = "discovery",
                   .subject = subject(),
                   .detail = fmt::format("GC table version {}.{}", h.version_major, h.version_minor)};
    }
    // Sizes are multiplied and used as loop counts later; refuse what no chip can have.
    if (g.shader_engines == 0 || g.shader_engines > 64 || g.arrays_per_engine == 0 || g.arrays_per_engine > 16 ||
        g.cus_per_array == 0 || g.cus_per_array > 128 || g.lds_bytes == 0 || g.lds_bytes > 1u << 20 ||
        (g.wave_size != 32 && g.wave_size != 64) || g.max_scratch_slots_per_cu > 1024 || g.max_waves_per_simd > 1024)
      return corrupt(subject(), fmt::format("impossible GC configuration: {} engines x {} arrays x {} CUs, wave {}",
                                            g.shader_engines, g.arrays_per_engine, g.cus_per_array, g.wave_size));
    g.compute_units = g.shader_engines * g.arrays_per_engine * g.cus_per_array;
    return g;
  }

  ByteReader r_;
  abi_d::BinaryHeader h_{};
  unsigned version_ = 0;
  bool wide_ = false;
  std::vector<Found> found_;
};

}  // namespace

Result<Discovery> parse_discovery(Bytes table, const std::string& subject) { return Parser(table, subject).run(); }

Result<std::uint64_t> read_vram_size(RegisterIo& io) {
  using namespace std::chrono_literals;
  // A device that is just coming out of reset answers all ones here while config space is back already; amdgpu allows
  // the boot firmware up to two seconds.
  const Deadline deadline = Deadline::in(io.link().limit(2s));
  Backoff backoff;
  std::uint32_t mib = 0;
  while (true) {
    const bool last = deadline.expired();
    mib = HCQ_TRY(io.probe_fixed(regs::fixed::RCC_CONFIG_MEMSIZE));
    if (mib != 0xffffffffu || last) break;
    HCQ_TRY(io.link().verify(mib, regs::fixed::RCC_CONFIG_MEMSIZE.name));
    backoff.pause();
  }
  if (mib == 0 || mib > 0x1000000) {
    Error e = io.link().error(Errc::timeout, regs::fixed::RCC_CONFIG_MEMSIZE.name, "no plausible memory size");
    e.actual = mib;
    e.hint = "the card's boot firmware did not finish; power-cycle it";
    return e;
  }
  return std::uint64_t{mib} << 20;
}

Result<Discovery> read_discovery(Link& link, RegisterIo& io, Vram& vram) {
  using namespace std::chrono_literals;
  // The table is written by the boot firmware. It has long finished unless the card was just plugged in.
  const Deadline deadline = Deadline::in(io.link().limit(2s));
  for (Backoff backoff; !(HCQ_TRY(io.read_fixed(regs::fixed::MP0_SMN_C2PMSG_33)) & regs::fixed::kIfwiInitDone);
       backoff.pause())
    if (deadline.expired()) {
      log::info("{}: boot firmware has not reported that it is done; continuing", link.name());
      break;
    }
  if (vram.size() < abi_d::kOffsetFromEndOfVram)
    return link.error(Errc::corrupt, "VRAM", "smaller than the discovery area");
  std::vector<std::byte> bytes(abi_d::kMaxBytes);
  HCQ_TRY(vram.read(vram.size() - abi_d::kOffsetFromEndOfVram, bytes));
  auto d = parse_discovery(bytes, "IP discovery table");
  if (d.ok()) return d;
  Error e = std::move(d).error();
  e.device = link.name();
  return e;
}

Result<ChipInfo> chip_info(const Discovery& d, std::uint16_t device_id, std::uint64_t vram_bytes) {
  ChipInfo c;
  c.device_id = device_id;
  c.vram_bytes = vram_bytes;
  c.gfx = d.gfx;
  struct Needed {
    Ip ip;
    IpVersion ChipInfo::*version;
  };
  constexpr Needed kNeeded[] = {{Ip::gc, &ChipInfo::gc},   {Ip::mmhub, &ChipInfo::mmhub},   {Ip::nbio, &ChipInfo::nbio},
                                {Ip::hdp, &ChipInfo::hdp}, {Ip::osssys, &ChipInfo::osssys}, {Ip::mp0, &ChipInfo::mp0},
                                {Ip::mp1, &ChipInfo::mp1}};
  const auto count = [&](Ip ip) {
    return static_cast<unsigned>(
        std::count_if(d.blocks.begin(), d.blocks.end(), [ip](const regs::IpBlock& b) { return b.ip == ip; }));
  };
  for (const Needed& n : kNeeded) {
    const auto it = std::find_if(d.blocks.begin(), d.blocks.end(), [&](const auto& b) { return b.ip == n.ip; });
    if (it == d.blocks.end())
      return Error{.code = Errc::corrupt,
                   .operation = "discovery/chip",
                   .subject = regs::ip_name(n.ip),
                   .detail = "the discovery table lists no such block"};
    c.*n.version = {it->major, it->minor, it->revision};
  }
  c.sdma = d.sdma;
  c.sdma_count = d.sdma_count;
  c.xcc_count = count(Ip::gc);
  c.mmhub_count = count(Ip::mmhub);
  const Architecture arch = HCQ_TRY(architecture_of(c.gc));
  c.arch = arch.name;
  c.generation = arch.generation;
  const KnownDevice* known = find_device(device_id);
  c.chip = known ? known->chip : fmt::format("GC {}", c.gc.text());
  if (c.generation == Generation::gfx9) c.gfx.compute_units *= c.xcc_count;
  return c;
}

}  // namespace hcq::am
