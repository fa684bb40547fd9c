// SPDX-License-Identifier: MIT
// The protocol of served models: framing, what is malformed, and that nothing a host sends does more than end its own
// connection.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "base/log.h"
#include "models/core/shared_memory.h"
#include "models/served/client.h"
#include "models/served/server.h"
#include "tests/support/scratch_model.h"

namespace hcq::models::served {
namespace {

using std::chrono::seconds;
using test::ScratchModel;

template <class T>
Message message(Type t, const T& payload, std::uint16_t flags = 0) {
  Message m{.header = {sizeof(T), static_cast<std::uint16_t>(t), flags, 7}};
  const Bytes b = bytes_of(payload);
  m.payload.assign(b.begin(), b.end());
  return m;
}

std::vector<std::byte> wire(const Message& m) {
  std::vector<std::byte> out(sizeof(Header) + m.payload.size());
  std::memcpy(out.data(), &m.header, sizeof(Header));
  std::ranges::copy(m.payload, out.begin() + sizeof(Header));
  return out;
}

Hello good_hello() {
  Hello h{};
  h.magic = kMagic;
  h.version = kVersion;
  std::strcpy(h.name, "test");
  return h;
}

TEST(ModelProtocol, MessagesComeOutWholeHoweverTheBytesCome) {
  std::vector<std::byte> stream;
  for (std::uint16_t i = 0; i < 50; ++i) {
    const auto w = wire(message(Type::config_read, ConfigRead{static_cast<std::uint16_t>(4 * i), 4}));
    stream.insert(stream.end(), w.begin(), w.end());
  }
  for (std::size_t step : {1u, 3u, 12u, 13u, 400u, 4000u}) {
    MessageReader r;
    unsigned got = 0;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      r.feed(Bytes(stream).subspan(at, std::min(step, stream.size() - at)));
      for (;;) {
        auto m = r.next();
        ASSERT_TRUE(m.ok());
        if (!*m) break;
        EXPECT_EQ((*m)->as<ConfigRead>().offset, 4 * got++);
      }
    }
    EXPECT_EQ(got, 50u) << step;
  }
}

TEST(ModelProtocol, ALengthThatCannotBeEndsTheStream) {
  MessageReader r;
  const Header h{kMaxPayload + 1, 2, 0, 0};
  r.feed(bytes_of(h));
  EXPECT_EQ(r.next().error().code, Errc::corrupt);
}

TEST(ModelProtocol, ADescriptorThatBelongsToNoMessageEndsTheStream) {
  MessageReader r;
  std::vector<Fd> fds;
  fds.push_back(*sealed_memory("test", 4096));
  r.feed(wire(message(Type::config_read, ConfigRead{0, 4})), std::move(fds));
  EXPECT_EQ(r.next().error().code, Errc::corrupt);
}

TEST(ModelProtocol, GoodMessagesPass) {
  EXPECT_TRUE(check_message(message(Type::hello, good_hello()), Side::host).ok());
  EXPECT_TRUE(check_message(message(Type::config_read, ConfigRead{0xffc, 4}), Side::host).ok());
  EXPECT_TRUE(check_message(message(Type::bar_write, BarWrite{{5, 8, 0, 0, 16}, ~0ull}, kAck), Side::host).ok());
  EXPECT_TRUE(check_message(message(Type::invalidate, Invalidate{0, 0}), Side::host).ok());
  EXPECT_TRUE(check_message(message(Type::translate, Translate{0xff8, 8, 1}), Side::device).ok());
}

TEST(ModelProtocol, MalformedMessagesDoNot) {
  const auto bad = [](const Message& m, Side side = Side::host) {
    const Status s = check_message(m, side);
    EXPECT_FALSE(s.ok()) << type_name(m.type());
    if (!s.ok()) {
      EXPECT_EQ(s.error().code, Errc::corrupt);
    }
  };
  Hello h = good_hello();
  h.magic ^= 1;
  bad(message(Type::hello, h));
  h = good_hello();
  h.flags = 2;
  bad(message(Type::hello, h));
  h = good_hello();
  std::memset(h.name, 'x', sizeof h.name);
  bad(message(Type::hello, h));
  bad(message(Type::config_read, ConfigRead{1, 2}));
  bad(message(Type::config_read, ConfigRead{0, 3}));
  bad(message(Type::config_read, ConfigRead{0x1000, 4}));
  bad(message(Type::config_write, ConfigWrite{0, 1, 0x100}));
  bad(message(Type::config_read, ConfigRead{0, 4}, kAck));
  bad(message(Type::config_read, ConfigRead{0, 4}, 0x80));
  bad(message(Type::config_read, ConfigRead{0, 4}), Side::device);
  bad(message(Type::bar_read, BarAccess{6, 4, 0, 0, 0}));
  bad(message(Type::bar_read, BarAccess{0, 4, 0, 1, 0}));
  bad(message(Type::bar_read, BarAccess{0, 4, 0, 0, 2}));
  bad(message(Type::bar_read, BarAccess{0, 0, 0, 0, 0}));
  bad(message(Type::bar_write, BarAccess{0, 4, 0, 0, 0}));  // no value
  bad(message(Type::block_read, Block{0, 0, 0, 0, 0}));
  bad(message(Type::block_read, Block{0, 0, 0, kMaxBlock + 1, 0}));
  bad(message(Type::block_write, Block{0, 0, 0, 8, 0}));  // no bytes
  bad(message(Type::region_add, RegionAdd{0, 0, 4096}));  // no descriptor
  bad(message(Type::region_remove, RegionRemove{256, 0}));
  bad(message(Type::invalidate, Invalidate{~0ull, 2}));
  bad(message(Type::irq_enable, IrqEnable{2, 0}));
  bad(message(Type::translate, Translate{0xff9, 8, 0}), Side::device);
  bad(message(Type::translate, Translate{0, 8, 0}));
  bad(message(static_cast<Type>(99), IrqEnable{}));
  bad(message(Type::translate, TranslateReply{}, kReply), Side::device);  // replies to its own question
  bad(message(Type::config_read, std::uint32_t{0}, kReply | kError), Side::device);
}

TEST(ModelProtocol, RegionsAndTranslationsAreCheckedAndTakenBack) {
  Regions r;
  const Fd file = *sealed_memory("test", 4 * kPageBytes);
  ASSERT_TRUE(r.add({3, 0, 4 * kPageBytes}, file).ok());
  EXPECT_EQ(r.add({3, 0, kPageBytes}, file).error().code, Errc::corrupt) << "the id is in use";
  EXPECT_EQ(r.add({4, 0, 5 * kPageBytes}, file).error().code, Errc::corrupt) << "larger than the file";
  const Fd open_ended(memfd_create("unsealed", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(open_ended.get(), 4096), 0);
  EXPECT_EQ(r.add({4, 0, kPageBytes}, open_ended).error().code, Errc::refused) << "it could shrink under us";

  const Translate q{0x5010, 8, kTranslateWrite};
  const TranslateReply good{0, 3, 0x4000, 2 * kPageBytes, kPageBytes, kAccessRead | kAccessWrite, 0};
  EXPECT_EQ(r.find(0x5010, 8, true), nullptr);
  std::byte* p = *r.learn(q, good);
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(r.find(0x5010, 8, true), p);
  EXPECT_EQ(r.find(0x4000, 8, false), p - 0x1010);
  EXPECT_EQ(r.find(0x5ffc, 8, false), nullptr) << "beyond the extent";

  const auto refused = [&](TranslateReply a) { return !r.learn(q, a).ok(); };
  for (auto change : std::vector<std::function<void(TranslateReply&)>>{
           [](auto& a) { a.status = 3; }, [](auto& a) { a.region = 4; }, [](auto& a) { a.region = 1000; },
           [](auto& a) { a.bus = 0x6000; }, [](auto& a) { a.bus = 0x4001; }, [](auto& a) { a.size = 0; },
           [](auto& a) { a.size = ~0xfffull; }, [](auto& a) { a.offset = 3 * kPageBytes; },
           [](auto& a) { a.offset = ~0ull; }, [](auto& a) { a.access = 4; }, [](auto& a) { a.zero = 1; }}) {
    TranslateReply a = good;
    change(a);
    EXPECT_TRUE(refused(a));
  }
  r.invalidate(0x3000, 0x1000);
  EXPECT_EQ(r.find(0x5010, 8, true), p) << "an invalidation beside it";
  r.invalidate(0x5fff, 1);
  EXPECT_EQ(r.find(0x5010, 8, true), nullptr);
  EXPECT_EQ(r.find(0x4000, 8, false), nullptr) << "extents are forgotten as a whole";

  TranslateReply read_only = good;
  read_only.access = kAccessRead;
  EXPECT_EQ(*r.learn(q, read_only), nullptr);
  EXPECT_NE(r.find(0x5010, 8, false), nullptr);
  ASSERT_TRUE(r.remove(3).ok());
  EXPECT_EQ(r.find(0x5010, 8, false), nullptr);
  EXPECT_EQ(std::to_integer<int>(*p), 0) << "what was handed out stays readable";
  EXPECT_FALSE(r.remove(3).ok());
}

class ServedScratch : public ::testing::Test {
 protected:
  void SetUp() override {
    log::set_level(log::Level::error);
    auto s = Server::start(path_, "scratch", model_);
    ASSERT_TRUE(s.ok()) << describe(s.error());
    server_ = std::move(*s);
  }
  void TearDown() override { log::set_level(log::Level::warn); }

  std::unique_ptr<pci::Function> attach() {
    auto f = connect("model:unix:" + path_, path_);
    EXPECT_TRUE(f.ok()) << describe(f.error());
    return f.ok() ? std::move(*f) : nullptr;
  }
  // A host of its own making, already greeted.
  std::unique_ptr<Channel> greeted() {
    auto c = std::make_unique<Channel>(*connect_unix(path_));
    EXPECT_TRUE(c->send(Type::hello, 0, 0, {bytes_of(good_hello())}).ok());
    const auto m = c->receive(Deadline::in(seconds(5)));
    EXPECT_TRUE(m.ok() && *m && (*m)->payload.size() == sizeof(HelloReply));
    // The device is plugged in once it has answered something.
    EXPECT_TRUE(c->send(Type::config_read, 0, 0, {bytes_of(ConfigRead{0, 4})}).ok());
    EXPECT_TRUE(c->receive(Deadline::in(seconds(5))).ok());
    return c;
  }
  static bool hung_up(Channel& c) {
    for (;;) {
      const auto m = c.receive(Deadline::in(seconds(5)));
      if (!m.ok()) return m.error().code != Errc::timeout;
      if (!*m) return true;
    }
  }

  std::string path_ = fmt::format("/tmp/hcq_protocol_{}.sock", ::getpid());
  std::shared_ptr<ScratchModel> model_ = std::make_shared<ScratchModel>();
  std::unique_ptr<Server> server_;
};

TEST_F(ServedScratch, DmaGoesThroughTheHostsMappingAndEndsWithIt) {
  auto f = attach();
  ASSERT_TRUE(pci::set_bus_master(*f, true).ok());
  const pci::Mmio control = *f->map_bar(2, pci::Caching::uncached);
  auto memory = *f->alloc_dma(3 * 4096, {});
  auto kept = *f->alloc_dma(4096, {});
  for (std::size_t page = 0; page < 3; ++page) {
    control.write64(0, memory->pages()[page] + 16);
    control.write64(8, 0x1122334455667788 + page);
    EXPECT_EQ(control.read64(8), 0x1122334455667788 + page);
    std::uint64_t v;
    std::memcpy(&v, memory->data() + page * 4096 + 16, 8);
    EXPECT_EQ(v, 0x1122334455667788 + page);
  }
  memory.reset();
  EXPECT_EQ(control.read64(8), ~0ull) << "memory that was taken back is not reachable";
  control.write64(0, kept->pages()[0]);
  EXPECT_EQ(control.read64(8), 0u);
  ASSERT_TRUE(pci::set_bus_master(*f, false).ok());
  EXPECT_EQ(control.read64(8), ~0ull) << "bus mastering is off";
}

TEST_F(ServedScratch, PostedWritesKeepTheirOrderBeyondTheWindow) {
  auto f = attach();
  const pci::Mmio m = *f->map_bar(0, pci::Caching::uncached);
  for (std::uint32_t i = 0; i < 5 * kWindow; ++i) m.write32(4 * (i % 16), i);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(m.read32(4 * i), 5 * kWindow - 16 + i);
}

TEST_F(ServedScratch, DmaOfMemoryInNoRegionGoesThroughTheHost) {
  auto f = attach();
  ASSERT_TRUE(pci::set_bus_master(*f, true).ok());
  auto memory = *f->alloc_dma(2 * 4096, {.contiguous = true});
  auto* session = dynamic_cast<Session*>(model_->port());
  ASSERT_NE(session, nullptr);
  std::vector<std::byte> out(6000, std::byte{0x5a}), in(6000);
  ASSERT_TRUE(session->dma_write(memory->pages()[0] + 100, out).ok());
  ASSERT_TRUE(session->dma_read(memory->pages()[0] + 100, in).ok());
  EXPECT_EQ(in, out);
  EXPECT_EQ(memory->data()[100], std::byte{0x5a});
  EXPECT_EQ(session->dma_read(0x10, in).error().code, Errc::not_found);
}

TEST_F(ServedScratch, ViolationsReachTheHost) {
  auto c = greeted();
  const BarWrite w{{2, 8, 0, 0, 0x18}, 1};
  ASSERT_TRUE(c->send(Type::bar_write, kAck, 1, {bytes_of(w)}).ok());
  const auto m = c->receive(Deadline::in(seconds(5)));
  ASSERT_TRUE(m.ok() && *m);
  EXPECT_EQ((*m)->type(), Type::violation);
  EXPECT_THAT(std::string(reinterpret_cast<const char*>((*m)->payload.data()), (*m)->payload.size()),
              ::testing::HasSubstr("scratch.asked"));
  const auto answer = c->receive(Deadline::in(seconds(5)));
  ASSERT_TRUE(answer.ok() && *answer);
  EXPECT_EQ((*answer)->type(), Type::bar_write);
  EXPECT_TRUE(model_->referee().saw("scratch.asked"));
}

TEST_F(ServedScratch, InterruptsAreOffUntilEnabled) {
  auto c = greeted();
  model_->port()->interrupt(0);
  const IrqEnable on{1, 0};
  ASSERT_TRUE(c->send(Type::irq_enable, 0, 1, {bytes_of(on)}).ok());
  auto m = c->receive(Deadline::in(seconds(5)));
  ASSERT_TRUE(m.ok() && *m);
  EXPECT_EQ((*m)->type(), Type::irq_enable) << "the first one was dropped";
  model_->port()->interrupt(2);
  m = c->receive(Deadline::in(seconds(5)));
  ASSERT_TRUE(m.ok() && *m);
  ASSERT_EQ((*m)->type(), Type::interrupt);
  EXPECT_EQ((*m)->as<Interrupt>().vector, 2u);
}

TEST_F(ServedScratch, ASecondHostIsToldWhoHasTheModel) {
  auto f = attach();
  const auto second = connect("model:second", path_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, Errc::busy);
  EXPECT_THAT(second.error().detail, ::testing::HasSubstr(fmt::format("process {}", ::getpid())));
  f.reset();
  EXPECT_NE(attach(), nullptr) << "free again at once";
}

TEST_F(ServedScratch, TheGreetingDescribesTheDevice) {
  Channel c(*connect_unix(path_));
  ASSERT_TRUE(c.send(Type::hello, 0, 3, {bytes_of(good_hello())}).ok());
  const auto m = c.receive(Deadline::in(seconds(5)));
  ASSERT_TRUE(m.ok() && *m);
  const auto r = (*m)->as<HelloReply>();
  EXPECT_EQ((*m)->header.tag, 3u);
  EXPECT_EQ(r.magic, kMagic);
  EXPECT_EQ(r.pid, static_cast<std::uint32_t>(::getpid()));
  EXPECT_EQ(r.flags, kHasInterrupts);
  EXPECT_STREQ(r.model, "scratch");
  EXPECT_EQ(r.bars[0].size, ScratchModel::kMemory);
  EXPECT_EQ(r.bars[1].size, 0u);
  EXPECT_EQ(r.bars[2].size, ScratchModel::kControl);
  EXPECT_EQ(r.bars[0].flags, 0u);
}

TEST_F(ServedScratch, AnotherVersionIsRefusedWithTheOneSpoken) {
  Channel c(*connect_unix(path_));
  Hello h = good_hello();
  h.version = 9;
  ASSERT_TRUE(c.send(Type::hello, 0, 5, {bytes_of(h)}).ok());
  const auto m = c.receive(Deadline::in(seconds(5)));
  ASSERT_TRUE(m.ok() && *m);
  EXPECT_TRUE((*m)->error());
  EXPECT_EQ((*m)->header.tag, 5u);
  EXPECT_EQ((*m)->as<ErrorReply>().code, static_cast<std::uint32_t>(Fault::version));
  EXPECT_EQ((*m)->as<ErrorReply>().value, kVersion);
  EXPECT_TRUE(hung_up(c));
}

TEST_F(ServedScratch, AHostThatSaysNothingDoesNotBlockTheNext) {
  Channel silent(*connect_unix(path_));
  EXPECT_NE(attach(), nullptr);
}

TEST_F(ServedScratch, MalformedMessagesEndTheConnectionAndNothingElse) {
  const auto sends = [&](auto send) {
    auto c = greeted();
    send(*c);
    EXPECT_TRUE(hung_up(*c));
  };
  sends([](Channel& c) { (void)c.send(Type::hello, 0, 1, {bytes_of(good_hello())}); });
  sends([](Channel& c) { (void)c.send(static_cast<Type>(77), 0, 1); });
  sends([](Channel& c) { (void)c.send(Type::translate, kReply, 1, {bytes_of(TranslateReply{})}); });
  sends([](Channel& c) { (void)c.send(Type::bar_read, 0, 1, {bytes_of(BarAccess{1, 4, 0, 0, 0})}); });
  sends([](Channel& c) { (void)c.send(Type::bar_read, 0, 1, {bytes_of(BarAccess{0, 4, 0, 0, 64 << 10})}); });
  sends([](Channel& c) { (void)c.send(Type::block_read, 0, 1, {bytes_of(Block{0, 0, 0, 8, (64 << 10) - 7})}); });
  sends([](Channel& c) { (void)c.send(Type::region_remove, 0, 1, {bytes_of(RegionRemove{1, 0})}); });
  sends([](Channel& c) {
    const Header h{~0u, 2, 0, 0};
    [[maybe_unused]] const auto n = ::send(c.fd(), &h, sizeof h, MSG_NOSIGNAL);
  });
  auto f = attach();
  EXPECT_EQ(f->identity().vendor, 0x1234);
}

TEST_F(ServedScratch, ARegionThatCouldShrinkIsRefusedWithAReason) {
  auto c = greeted();
  const Fd file(memfd_create("unsealed", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(file.get(), 4096), 0);
  const int fd = file.get();
  ASSERT_TRUE(c->send(Type::region_add, 0, 1, {bytes_of(RegionAdd{0, 0, 4096})}, std::span(&fd, 1)).ok());
  const auto m = c->receive(Deadline::in(seconds(5)));
  ASSERT_TRUE(m.ok() && *m && (*m)->error());
  EXPECT_EQ(error_of(**m, "test").code, Errc::refused);
}

TEST_F(ServedScratch, ADeadServerIsALostDeviceAtOnce) {
  auto f = attach();
  const pci::Mmio m = *f->map_bar(0, pci::Caching::uncached);
  pci::Irq* irq = *f->irq();
  m.write32(0, 5);
  ASSERT_EQ(m.read32(0), 5u);
  const auto start = Clock::now();
  server_.reset();
  EXPECT_EQ(m.read32(0), 0xffffffffu);
  EXPECT_EQ(m.read64(8), ~0ull);
  m.write32(0, 6);
  EXPECT_EQ(f->config_read(pci::kVendorId, 2).error().code, Errc::device_lost);
  EXPECT_EQ(f->config_write(pci::kCommand, 2, 0).error().code, Errc::device_lost);
  EXPECT_EQ(f->reset().error().code, Errc::device_lost);
  EXPECT_TRUE(*irq->wait(Deadline::in(seconds(5)))) << "whoever waits is woken";
  f.reset();
  EXPECT_LT(Clock::now() - start, seconds(1));
}

TEST_F(ServedScratch, AHostThatGoesAwayTakesNothingButBusMasteringAway) {
  {
    auto f = attach();
    ASSERT_TRUE(pci::set_bus_master(*f, true).ok());
    f->map_bar(0, pci::Caching::uncached)->write32(0x40, 0xabcd);
  }
  auto c = greeted();
  BarWrite w{{0, 4, 0, 0, 0x44}, 0x1234};
  (void)c->send(Type::config_write, 0, 1, {bytes_of(ConfigWrite{pci::kCommand, 2, pci::kCommandBusMaster})});
  (void)c->send(Type::bar_write, 0, 2, {bytes_of(w)});
  c.reset();  // without waiting for anything
  auto f = attach();
  EXPECT_EQ(f->map_bar(0, pci::Caching::uncached)->read32(0x40), 0xabcdu);
  EXPECT_EQ(f->map_bar(0, pci::Caching::uncached)->read32(0x44), 0x1234u) << "what was written arrives";
  EXPECT_EQ(*f->config_read(pci::kCommand, 2) & pci::kCommandBusMaster, 0u);
  EXPECT_EQ(model_->plugged, 3u);
  EXPECT_EQ(model_->unplugged, 2u);
}

// A conversation that makes sense, with bytes changed, cut, doubled and swapped at random.
TEST_F(ServedScratch, DamagedConversationsNeverHurtTheServer) {
  std::vector<std::vector<std::byte>> good{
      wire(message(Type::hello, good_hello())),
      wire(message(Type::config_read, ConfigRead{0, 4})),
      wire(message(Type::config_write, ConfigWrite{pci::kCommand, 2, 6})),
      wire(message(Type::bar_write, BarWrite{{0, 8, 0, 0, 8}, 1}, kAck)),
      wire(message(Type::bar_read, BarAccess{0, 4, 0, 0, 8})),
      wire(message(Type::bar_write, BarWrite{{2, 8, 0, 0, 0}, 0x5000})),
      wire(message(Type::bar_write, BarWrite{{2, 8, 0, 0, 8}, 1})),  // the device asks for a translation
      wire(message(Type::translate, TranslateReply{}, kReply)),
      wire(message(Type::block_read, Block{0, 0, 0, 100, 3})),
      wire(message(Type::resize_bar, ResizeBar{0, 8, 0, 0})),
      wire(message(Type::invalidate, Invalidate{0x1000, 0x1000})),
      wire(message(Type::irq_enable, IrqEnable{1, 0})),
      wire(message(Type::reset, IrqEnable{})),  // with a payload it should not have
  };
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 rng(seed);
    auto parts = good;
    if (rng() % 4 == 0) std::shuffle(parts.begin() + 1, parts.end(), rng);
    std::vector<std::byte> stream;
    for (const auto& p : parts) stream.insert(stream.end(), p.begin(), p.end());
    const std::size_t safe = rng() % 3 ? parts[0].size() : 0;  // mostly behind the greeting
    for (unsigned n = rng() % 6; n > 0; --n)
      stream[safe + rng() % (stream.size() - safe)] = static_cast<std::byte>(rng() % 2 ? rng() : 1u << rng() % 8);
    stream.resize(stream.size() - (rng() % 3 ? 0 : rng() % stream.size()));
    const Fd s = *connect_unix(path_);
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t n = std::min<std::size_t>(1 + rng() % 200, stream.size() - at);
      if (::send(s.get(), stream.data() + at, n, MSG_NOSIGNAL) < 0) break;
      at += n;
    }
    // Until the server has seen it all, mostly; sometimes the host just goes.
    if (rng() % 8 == 0) continue;
    ::shutdown(s.get(), SHUT_WR);
    const timeval limit{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(s.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    std::array<char, 4096> answers;
    ssize_t n;
    do n = ::recv(s.get(), answers.data(), answers.size(), 0);
    while (n > 0);
    ASSERT_TRUE(n == 0 || errno == ECONNRESET) << "seed " << seed << ": the server does not hang up";
  }
  auto f = attach();
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->identity().vendor, 0x1234);
  EXPECT_GT(model_->plugged, 200u) << "most of them got as far as the device";
}

}  // namespace
}  // namespace hcq::models::served
