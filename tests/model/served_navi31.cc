// SPDX-License-Identifier: MIT
// The Navi31 model in a process of its own (hcq-model serve), driven by programs in others: whole jobs, the death of
// either side at any moment, and the trace of what was done to it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "base/file.h"
#include "devices/devices.h"
#include "tests/support/child.h"

namespace hcq {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Child;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class ServedNavi31 : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/hcq-served-XXXXXX";
    dir_ = ::mkdtemp(name);
    ASSERT_EQ(run({"generate", "--shape", "64x64", "--seed", "1", "-o", dir_ + "/A.npy"}).code, 0);
    ASSERT_EQ(run({"generate", "--shape", "64x64", "--seed", "2", "-o", dir_ + "/B.npy"}).code, 0);
  }
  void TearDown() override {
    server_.reset();
    fs::remove_all(dir_);
  }

  void serve(std::vector<std::string> more = {}) {
    std::vector<std::string> c{HCQ_MODEL_PROGRAM, "serve", "navi31?vram=256M", "--listen", "unix:" + socket()};
    c.insert(c.end(), more.begin(), more.end());
    server_ = std::make_unique<Child>(c);
    ASSERT_TRUE(server_->until("ready navi31 pid ", Deadline::in(seconds(30)))) << server_->err;
  }
  std::string socket() const { return dir_ + "/navi31.sock"; }
  std::string address() const { return "model:unix:" + socket(); }

  struct Outcome {
    int code = -1;
    std::string out, err;
  };
  static std::vector<std::string> command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), HCQ_RUN_PROGRAM);
    return arguments;
  }
  Outcome run(std::vector<std::string> arguments) {
    Child c(command(std::move(arguments)));
    const int code = c.wait(Deadline::in(seconds(60)));
    return {code, c.out, c.err};
  }
  std::vector<std::string> matmul() const {
    return {"matmul", dir_ + "/A.npy", dir_ + "/B.npy", "--verify", "--device", address()};
  }
  void expect_works(const std::string& after) {
    const Outcome o = run(matmul());
    ASSERT_EQ(o.code, 0) << "after " << after << ": " << o.err << "\nserver: " << server_->err;
  }

  std::string dir_;
  std::unique_ptr<Child> server_;
};

TEST_F(ServedNavi31, OneModelServesOneProcessAfterTheOther) {
  serve();
  for (int i = 0; i < 3; ++i) expect_works("nothing");
  server_->signal(SIGTERM);
  EXPECT_EQ(server_->wait(Deadline::in(seconds(10))), 0);
  EXPECT_FALSE(fs::exists(socket()));
  EXPECT_THAT(server_->err, Not(HasSubstr("broken"))) << "no rule of the hardware was broken";
  EXPECT_EQ(run(matmul()).code, 3) << "nobody is there: not found";
}

TEST_F(ServedNavi31, VramAsSharedMemory) {
  serve({"--shared-vram"});
  {
    const auto f = devices::open_function(address());
    ASSERT_TRUE(f.ok()) << describe(f.error());
    const pci::Mmio vram = *(*f)->map_bar(0, pci::Caching::write_combining);
    vram.write32(0x1000, 0x12345678);
    EXPECT_EQ(vram.read32(0x1000), 0x12345678u);
  }
  {
    const auto f = devices::open_function(address() + "?shared=off");
    ASSERT_TRUE(f.ok()) << describe(f.error());
    const pci::Mmio vram = *(*f)->map_bar(0, pci::Caching::write_combining);
    EXPECT_EQ(vram.read32(0x1000), 0x12345678u) << "the same memory through messages";
    vram.write32(0x1004, 0x9abcdef0);
  }
  {
    const auto f = devices::open_function(address());
    ASSERT_TRUE(f.ok());
    EXPECT_EQ((*f)->map_bar(0, pci::Caching::write_combining)->read32(0x1004), 0x9abcdef0u);
  }
  expect_works("mapping");
}

TEST_F(ServedNavi31, TheSecondProcessIsToldWhoIsThere) {
  serve();
  const auto f = devices::open_function(address());
  ASSERT_TRUE(f.ok()) << describe(f.error());
  const Outcome o = run(matmul());
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.err, HasSubstr("busy"));
  EXPECT_THAT(o.err, HasSubstr(fmt::format("process {}", ::getpid())));
}

TEST_F(ServedNavi31, AServerKilledInMidRunIsADeviceLostWithinASecond) {
  for (int round = 0; round < 3; ++round) {
    serve();
    auto arguments = matmul();
    arguments.insert(arguments.end(), {"--repeat", "1000000"});
    Child client(command(arguments), {"HCQ_TRACE=boot"});
    // Booted, and then somewhere in its million launches.
    ASSERT_TRUE(client.until_lines(10, Deadline::in(seconds(30)))) << client.err;
    std::this_thread::sleep_for(milliseconds(1500 + 300 * round));
    ASSERT_EQ(::kill(client.pid(), 0), 0) << client.err;
    const auto start = Clock::now();
    server_->signal(SIGKILL);
    EXPECT_EQ(client.wait(Deadline::in(seconds(20))), 1);
    EXPECT_LT(Clock::now() - start, seconds(1));
    EXPECT_THAT(client.err, HasSubstr("device lost"));
  }
}

TEST_F(ServedNavi31, AStaleSocketFileIsReplacedAndALiveOneIsNot) {
  serve();
  Child second({HCQ_MODEL_PROGRAM, "serve", "navi31?vram=128M", "--listen", "unix:" + socket()});
  EXPECT_EQ(second.wait(Deadline::in(seconds(30))), 1);
  EXPECT_THAT(second.err, HasSubstr("another server listens"));
  server_->signal(SIGKILL);
  server_->wait(Deadline::in(seconds(10)));
  ASSERT_TRUE(fs::exists(socket()));
  serve();
  expect_works("a stale socket");
}

// HCQ_SERVED_ROUNDS: how many (the slow label runs 200).
TEST_F(ServedNavi31, AClientKilledAtAnyPointLeavesADeviceThatStarts) {
  const char* rounds_text = std::getenv("HCQ_SERVED_ROUNDS");
  const unsigned rounds = rounds_text ? static_cast<unsigned>(std::atoi(rounds_text)) : 12;
  serve();
  std::mt19937 rng(1);
  // How many lines a boot traces, cold, and how long a run takes.
  Child whole(command(matmul()), {"HCQ_TRACE=boot"});
  const auto begin = Clock::now();
  ASSERT_EQ(whole.wait(Deadline::in(seconds(60))), 0) << whole.err;
  const auto length = std::chrono::duration_cast<milliseconds>(Clock::now() - begin).count();
  const auto lines = static_cast<unsigned>(std::count(whole.err.begin(), whole.err.end(), '\n'));
  ASSERT_GT(lines, 10u);
  for (unsigned i = 0; i < rounds; ++i) {
    const int signal = rng() % 3 == 0 ? SIGINT : SIGKILL;
    const bool reset = rng() % 4 == 0;  // a start that does all steps
    std::vector<std::string> environment{"HCQ_TRACE=boot"};
    if (reset) environment.emplace_back("HCQ_AM_RESET=1");
    std::string where;
    {
      Child c(command(matmul()), environment);
      if (i % 2 == 0) {
        const unsigned line = 1 + (i / 2) % lines;
        where = fmt::format("line {} of the boot", line);
        (void)c.until_lines(line, Deadline::in(seconds(30)));
      } else {
        const auto ms = milliseconds(rng() % static_cast<unsigned>(length));
        where = fmt::format("{} ms", ms.count());
        std::this_thread::sleep_for(ms);
      }
      c.signal(signal);
      ASSERT_NE(c.wait(Deadline::in(seconds(20))), -1) << "the client does not end";
    }
    where += fmt::format(", signal {}{}, round {}", signal, reset ? ", reset" : "", i);
    if (i % 3 != 0 || i + 1 == rounds) expect_works(where);  // now and then killed again before it worked
    if (HasFatalFailure()) return;
  }
}

// What the device had been told when each host process was gone: the command register as the server read it then.
std::vector<bool> bus_master_at_the_end(const std::string& trace) {
  std::vector<bool> sessions;
  bool on = false;
  for (std::size_t at = 0; at < trace.size();) {
    const std::size_t end = std::min(trace.find('\n', at), trace.size());
    const std::string_view line(trace.data() + at, end - at);
    at = end + 1;
    constexpr std::string_view kRead = R"("op":"config_read","offset":"0x4","size":2,"value":"0x)";
    if (const auto p = line.find(kRead); p != std::string_view::npos)
      on = std::stoul(std::string(line.substr(p + kRead.size(), 4)), nullptr, 16) & pci::kCommandBusMaster;
    if (line.find(R"("op":"unplug")") != std::string_view::npos) sessions.push_back(on);
  }
  return sessions;
}

TEST_F(ServedNavi31, AnInterruptAfterAnyBootStepLeavesBusMasteringOff) {
  const std::string path = dir_ + "/trace.jsonl";
  serve({"--record", path});
  const std::vector<std::string> info{HCQ_RUN_PROGRAM, "info", "--device", address()};
  unsigned lines = 0;
  {
    Child whole(info, {"HCQ_TRACE=boot"});
    ASSERT_EQ(whole.wait(Deadline::in(seconds(60))), 0) << whole.err;
    lines = static_cast<unsigned>(std::count(whole.err.begin(), whole.err.end(), '\n'));
  }
  ASSERT_GT(lines, 20u);
  unsigned interrupted = 0;
  for (unsigned line = 1; line <= lines; ++line) {
    Child c(info, {"HCQ_TRACE=boot"});
    ASSERT_TRUE(c.until_lines(line, Deadline::in(seconds(30)))) << c.err;
    c.signal(SIGINT);
    const int code = c.wait(Deadline::in(seconds(20)));
    EXPECT_TRUE(code == 128 + SIGINT || code == 0) << "after line " << line << ": " << code << "\n" << c.err;
    if (code == 0) continue;
    ++interrupted;
    // Once the device is closed there is nothing to switch off.
    const bool closed = c.err.find("undo pci/bus_master") != std::string::npos;
    EXPECT_THAT(c.err,
                HasSubstr(closed ? "hcq-run: SIGINT" : "hcq-run: SIGINT; " + address() + ": bus mastering is off"))
        << line;
  }
  EXPECT_GT(interrupted, lines / 2);
  {
    auto arguments = command(matmul());
    arguments.insert(arguments.end(), {"--repeat", "1000000"});
    Child c(arguments, {"HCQ_TRACE=boot"});
    ASSERT_TRUE(c.until("boot/mark_booted", Deadline::in(seconds(30)))) << c.err;
    std::this_thread::sleep_for(milliseconds(500));
    c.signal(SIGTERM);
    EXPECT_EQ(c.wait(Deadline::in(seconds(20))), 128 + SIGTERM) << c.err;
  }
  expect_works("interrupts");
  server_->signal(SIGTERM);
  ASSERT_EQ(server_->wait(Deadline::in(seconds(10))), 0);
  const auto sessions = bus_master_at_the_end(*read_text(path, 1u << 30));
  ASSERT_EQ(sessions.size(), lines + 3);
  for (std::size_t i = 0; i < sessions.size(); ++i) EXPECT_FALSE(sessions[i]) << "process " << i;
}

// The same check does see a process that had no chance to.
TEST_F(ServedNavi31, AKilledProcessLeavesBusMasteringToTheHost) {
  const std::string path = dir_ + "/trace.jsonl";
  serve({"--record", path});
  {
    Child c({HCQ_RUN_PROGRAM, "info", "--device", address()}, {"HCQ_TRACE=boot"});
    ASSERT_TRUE(c.until_lines(3, Deadline::in(seconds(30)))) << c.err;
    c.signal(SIGKILL);
    EXPECT_EQ(c.wait(Deadline::in(seconds(20))), 128 + SIGKILL);
  }
  expect_works("a kill");
  server_->signal(SIGTERM);
  ASSERT_EQ(server_->wait(Deadline::in(seconds(10))), 0);
  EXPECT_EQ(bus_master_at_the_end(*read_text(path, 1u << 30)), (std::vector<bool>{true, false}));
}

TEST_F(ServedNavi31, TracesNameRegistersAndCanBeCompared) {
  const std::string a = dir_ + "/a.jsonl", b = dir_ + "/b.jsonl";
  serve({"--record", a});
  ASSERT_EQ(run(matmul()).code, 0);
  server_->signal(SIGINT);
  ASSERT_EQ(server_->wait(Deadline::in(seconds(10))), 0);
  const std::string trace = *read_text(a, 1u << 30);
  for (const char* what : {"\"op\":\"plug\"", "\"op\":\"config_read\"", "\"name\":\"MP0_SMN_C2PMSG_", "\"op\":\"dma\"",
                           "\"op\":\"interrupt\"", "\"op\":\"unplug\""})
    EXPECT_THAT(trace.find(what), ::testing::Ne(std::string::npos)) << what;

  Child same({HCQ_MODEL_PROGRAM, "diff", a, a});
  EXPECT_EQ(same.wait(Deadline::in(seconds(20))), 0) << same.out << same.err;
  // One write changed, one left out.
  std::string other = trace;
  const auto write = other.find("\"op\":\"write\",\"bar\":5");
  const auto value = other.find("\"value\":\"", write) + 9;
  other.insert(value, "0xdead0000\",\"was\":\"");
  const auto second = other.rfind("\"op\":\"write\",\"bar\":5");
  const auto line = other.rfind('\n', second) + 1;
  other.erase(line, other.find('\n', line) + 1 - line);
  ASSERT_TRUE(replace_file(b, std::as_bytes(std::span(other))).ok());
  Child different({HCQ_MODEL_PROGRAM, "diff", a, b});
  EXPECT_EQ(different.wait(Deadline::in(seconds(20))), 1) << different.err;
  EXPECT_THAT(different.out, HasSubstr(", 2 differences"));
  EXPECT_THAT(different.out, HasSubstr("= 0xdead0000"));
  EXPECT_THAT(different.out, HasSubstr("only in A line "));
}

TEST_F(ServedNavi31, WrongUseIsSaid) {
  const auto model = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), HCQ_MODEL_PROGRAM);
    Child c(arguments);
    const int code = c.wait(Deadline::in(seconds(20)));
    return Outcome{code, c.out, c.err};
  };
  EXPECT_THAT(model({"list"}).out, HasSubstr("navi31"));
  EXPECT_EQ(model({"serve", "navi99", "--listen", "unix:" + socket()}).code, 3);
  EXPECT_EQ(model({"serve", "navi31", "--listen", "tcp:1"}).code, 2);
  EXPECT_EQ(model({"serve", "navi31?vram=3", "--listen", "unix:" + socket()}).code, 2);
  EXPECT_EQ(model({"diff", "/nowhere/a", "/nowhere/b"}).code, 3);
  EXPECT_EQ(run({"info", "--device", address() + "?vram=1G"}).code, 2) << "VRAM is the server's business";
}

}  // namespace
}  // namespace hcq
