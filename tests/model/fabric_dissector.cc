// SPDX-License-Identifier: MIT
// What an independent program sees in our frames: a capture of every opcode, taken apart by tshark. It does not check
// ICRCs; Linux's soft RoCE does (tests/vm/scenarios/rxe).
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "tests/model/fabric_rig.h"

namespace hcq::models::fabric::test {
namespace {

constexpr const char* kFields[] = {"opcode=infiniband.bth.opcode",     "qp=infiniband.bth.destqp",
                                   "psn=infiniband.bth.psn",           "ack=infiniband.bth.a",
                                   "pad=infiniband.bth.padcnt",        "va=infiniband.reth.va",
                                   "key=infiniband.reth.r_key",        "length=infiniband.reth.dmalen",
                                   "swap=infiniband.atomiceth.swapdt", "compare=infiniband.atomiceth.cmpdt",
                                   "msn=infiniband.aeth.msn",          "original=infiniband.atomicacketh.origremdt",
                                   "malformed=_ws.malformed"};

// One line a frame: the fields that it has, as numbers.
std::vector<std::string> dissect(const std::string& capture) {
  std::string command = "tshark -n -r " + capture + " -T fields -E separator=,";
  for (const char* f : kFields) command += std::string(" -e ") + (std::strchr(f, '=') + 1);
  command += " 2>/dev/null";
  std::vector<std::string> lines;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  for (char line[1024]; std::fgets(line, sizeof line, pipe) != nullptr;) {
    std::istringstream in(std::string(line, std::strcspn(line, "\n")));
    std::string text, value;
    for (const char* f : kFields) {
      if (!std::getline(in, value, ',') || value.empty()) continue;
      const bool number = value.find_first_not_of("0123456789abcdefx") == std::string::npos;
      text += fmt::format("{}={} ", std::string(f, std::strchr(f, '=')),
                          number ? fmt::format("{:#x}", std::stoull(value, nullptr, 0)) : value);
    }
    lines.push_back(text);
  }
  ::pclose(pipe);
  return lines;
}

std::string expected(const Packet& p) {
  const OpcodeTraits& t = traits(p.bth.opcode);
  const std::size_t pad = (4 - p.payload.size() % 4) % 4;
  std::string s = fmt::format("opcode={:#x} qp={:#x} psn={:#x} ack={:#x} pad={:#x} ", static_cast<int>(p.bth.opcode),
                              p.bth.destination_qp, p.bth.psn, p.bth.ack_request ? 1 : 0, pad);
  // tshark shows the address and the key of an AtomicETH under the names of the RETH.
  if (t.reth) s += fmt::format("va={:#x} key={:#x} length={:#x} ", p.reth.address, p.reth.key, p.reth.length);
  if (t.atomic_eth)
    s += fmt::format("va={:#x} key={:#x} swap={:#x} compare={:#x} ", p.atomic.address, p.atomic.key,
                     p.atomic.swap_or_add, p.atomic.compare);
  if (t.aeth) s += fmt::format("msn={:#x} ", p.aeth.msn);
  if (t.atomic_ack_eth) s += fmt::format("original={:#x} ", p.original);
  return s;
}

TEST(FabricDissector, TsharkSeesWhatWasMeant) {
  if (std::system("tshark --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "tshark is not installed";
  const std::string capture = testing::TempDir() + "fabric_dissector_" + std::to_string(::getpid()) + ".pcap";
  std::vector<std::string> meant;
  {
    Fabric fabric;
    Port& port = fabric.attach("a");
    ASSERT_TRUE(fabric.capture(capture).ok());
    std::mt19937_64 rng(3);
    const auto u32 = [&] { return static_cast<std::uint32_t>(rng()); };
    for (unsigned o = 0; o <= 0x17; ++o) {
      const OpcodeTraits& t = traits(static_cast<Opcode>(o));
      if (t.kind == OpcodeTraits::unknown) continue;
      for (const bool v6 : {false, true}) {
        Packet p;
        p.route = config_a().route;
        if (v6) p.route.source.bytes[0] = p.route.destination.bytes[0] = 0xfd;
        p.bth = {.opcode = static_cast<Opcode>(o),
                 .ack_request = (rng() & 1) != 0,
                 .destination_qp = u32() & kPsnMask,
                 .psn = u32() & kPsnMask};
        p.reth = {rng(), u32(), u32()};
        p.atomic = {rng(), u32(), rng(), rng()};
        p.aeth = {kAckUnlimited, u32() & kPsnMask};
        p.original = rng();
        std::vector<std::byte> data(t.payload ? 64 + o % 4 : 0, std::byte{0xee});
        p.payload = data;
        Frame f = port.buffer();
        f.resize(encode(p, f.room()));
        port.send(std::move(f), 1s);
        meant.push_back(expected(p));
      }
    }
  }
  const auto seen = dissect(capture);
  ASSERT_EQ(seen.size(), meant.size());
  for (std::size_t i = 0; i < meant.size(); ++i) EXPECT_EQ(seen[i], meant[i]);
  std::filesystem::remove(capture);
}

}  // namespace
}  // namespace hcq::models::fabric::test
