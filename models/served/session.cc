// SPDX-License-Identifier: MIT
#include "models/served/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/log.h"
#include "models/core/host_memory.h"

namespace hcq::models::served {

namespace {

// A host answers a translation at once or never; a stopped one (in a debugger) gets this long.
constexpr auto kHostLimit = std::chrono::seconds(60);

Error protocol_error(const Message& m, std::string detail, std::uint64_t actual) {
  return Error{.code = Errc::corrupt,
               .operation = "model protocol",
               .subject = std::string(type_name(m.type())),
               .actual = actual,
               .detail = std::move(detail)};
}

// Whether config space has an MSI or MSI-X capability (PCI Local Bus 3.0, appendix H).
bool has_interrupts(Device& d) {
  constexpr std::uint8_t kMsi = 0x05, kMsix = 0x11;
  auto at = static_cast<std::uint16_t>(d.config_read(pci::kCapabilityPointer, 1) & 0xfc);
  for (unsigned n = 0; n < 48 && at >= 0x40; ++n) {
    const std::uint32_t id = d.config_read(at, 1);
    if (id == kMsi || id == kMsix) return true;
    at = static_cast<std::uint16_t>(d.config_read(static_cast<std::uint16_t>(at + 1), 1) & 0xfc);
  }
  return false;
}

}  // namespace

Session::Session(std::shared_ptr<Device> device, std::string name, std::unique_ptr<Channel> channel)
    : device_(std::move(device)),
      name_(std::move(name)),
      channel_(std::move(channel)),
      generation_(HostMemory::next_generation()),
      policy_(device_->referee().policy()) {}

Session::~Session() { end(); }

Status Session::start(const Message& hello) {
  const auto greeting = hello.as<Hello>();
  peer_name_ = greeting.name;
  HelloReply r{};
  r.magic = kMagic;
  r.version = kVersion;
  r.window = kWindow;
  r.pid = static_cast<std::uint32_t>(::getpid());
  r.flags = has_interrupts(*device_) ? kHasInterrupts : 0;
  name_.copy(r.model, sizeof r.model - 1);
  std::vector<int> fds;
  for (unsigned i = 0; i < kBars; ++i) {
    r.bars[i].size = device_->bar_size(i);
    r.bars[i].resizable = device_->resizable_sizes(i);
    const SharedBar shared = device_->shared_bar(i);
    if (shared.fd < 0 || !(greeting.flags & kHelloMapsBars)) continue;
    r.bars[i].flags = kBarShared;
    fds.push_back(shared.fd);
  }
  HCQ_TRY(channel_->send(Type::hello, kReply, hello.header.tag, {bytes_of(r)}, fds));
  listener_ = device_->referee().add_listener([this](const Violation& v) {
    const std::string text = describe(v);
    (void)channel_->send(Type::violation, 0, 0,
                         {std::as_bytes(std::span(text.data(), std::min<std::size_t>(text.size(), kMaxText)))});
  });
  device_->plug(this);
  reader_ = std::thread([this] { read_socket(); });
  worker_ = std::thread([this] { carry_out(); });
  return {};
}

void Session::end() {
  if (!reader_.joinable()) return;
  channel_->close();
  reader_.join();
  worker_.join();
  // As when a card's driver dies: the bus stops the card from writing to memory that is somebody else's soon.
  const std::uint32_t command = device_->config_read(pci::kCommand, 2);
  device_->config_write(pci::kCommand, 2, command & ~std::uint32_t{pci::kCommandBusMaster});
  device_->unplug();
  device_->referee().remove_listener(listener_);
  device_->referee().set_policy(policy_);
}

// What the device does to memory that its host took away by dying is nobody's mistake.
void Session::stop_accusing() { device_->referee().set_policy(Policy::silicon); }

void Session::fail(const Error& why) {
  if (over_) return;
  log::warn("{}: connection of {} (pid {}) closed: {}", name_, peer_name_, peer_pid(), describe(why));
}

void Session::read_socket() {
  for (;;) {
    auto m = channel_->receive();
    Status s;
    if (!m.ok()) s = std::move(m).error();
    else if (!*m) break;
    else s = received(std::move(**m));
    if (s.ok()) continue;
    fail(s.error());
    break;
  }
  stop_accusing();
  const std::lock_guard lock(mutex_);
  over_.store(true, std::memory_order_release);
  channel_->close();
  no_more_requests_ = true;
  changed_.notify_all();
}

Status Session::received(Message m) {
  HCQ_TRY(check_message(m, Side::host));
  if (m.reply()) return answered(m);
  if (m.type() == Type::hello) return protocol_error(m, "a second greeting", 0);
  Request r{.message = std::move(m)};
  HCQ_TRY(map_change(r));
  const std::lock_guard lock(mutex_);
  if (requests_.size() >= kWindow)
    return protocol_error(r.message, "more unfinished messages than the window", kWindow);
  requests_.push_back(std::move(r));
  changed_.notify_all();
  return {};
}

// The order of these and of answers to translations is the order of the stream, so they take effect here; the worker
// only confirms them.
Status Session::map_change(Request& r) {
  const Message& m = r.message;
  switch (m.type()) {
    case Type::region_add: {
      Status s = regions_.add(m.as<RegionAdd>(), m.fds.front());
      if (s.ok() || s.error().code == Errc::corrupt) return s;
      r.refusal = describe(s.error());
      return {};
    }
    case Type::region_remove:
      HCQ_TRY(regions_.remove(m.as<RegionRemove>().id));
      break;
    case Type::invalidate:
      regions_.invalidate(m.as<Invalidate>().bus, m.as<Invalidate>().size);
      break;
    default:
      return {};
  }
  generation_.store(HostMemory::next_generation(), std::memory_order_release);
  return {};
}

Status Session::answered(const Message& m) {
  const std::lock_guard lock(mutex_);
  const auto it = questions_.find(m.header.tag);
  if (it == questions_.end()) return protocol_error(m, "a reply to no question", m.header.tag);
  Question& q = *it->second;
  HCQ_TRY(check_reply(m, q.type, q.block));
  if (q.type == Type::translate) {
    if (m.error()) return error_of(m, "TRANSLATE");
    q.memory = HCQ_TRY(regions_.learn(q.translate, m.as<TranslateReply>()));
  } else {
    q.reply = Message{.header = m.header, .payload = m.payload, .fds = {}};
  }
  q.done = true;
  questions_.erase(it);
  changed_.notify_all();
  return {};
}

bool Session::ask(Question& q, std::initializer_list<Bytes> parts) {
  std::unique_lock lock(mutex_);
  if (over()) return false;
  const std::uint32_t tag = next_tag_++;
  questions_[tag] = &q;
  lock.unlock();
  const bool sent = channel_->send(q.type, 0, tag, parts).ok();
  lock.lock();
  const bool in_time =
      sent && changed_.wait_for(lock, kHostLimit, [&] { return q.done || over_.load(std::memory_order_acquire); });
  if (q.done) return true;
  questions_.erase(tag);
  if (sent && !in_time) {
    log::warn("{}: connection of {} (pid {}) closed: no answer to {}", name_, peer_name_, peer_pid(),
              type_name(q.type));
    channel_->close();
  }
  return false;
}

std::byte* Session::translate(std::uint64_t bus, std::size_t size, bool write) {
  if (size == 0 || bus % kPageBytes + size > kPageBytes) return nullptr;
  if (std::byte* p = regions_.find(bus, size, write)) return p;
  Question q;
  q.translate = {bus, static_cast<std::uint32_t>(size), write ? kTranslateWrite : 0};
  return ask(q, {bytes_of(q.translate)}) ? q.memory : nullptr;
}

Status Session::dma_read(std::uint64_t bus, MutableBytes out) {
  const DmaAccess a{bus, static_cast<std::uint32_t>(out.size()), 0};
  Question q{.type = Type::dma_read, .translate = {}, .block = a.size, .reply = {}};
  if (!ask(q, {bytes_of(a)})) return Error{.code = Errc::io, .operation = "DMA_READ", .address = bus};
  if (q.reply->error()) return error_of(*q.reply, "DMA_READ");
  std::memcpy(out.data(), q.reply->payload.data(), out.size());
  return {};
}

Status Session::dma_write(std::uint64_t bus, Bytes in) {
  const DmaAccess a{bus, static_cast<std::uint32_t>(in.size()), 0};
  Question q{.type = Type::dma_write, .translate = {}, .reply = {}};
  if (!ask(q, {bytes_of(a), in})) return Error{.code = Errc::io, .operation = "DMA_WRITE", .address = bus};
  return q.reply->error() ? Status(error_of(*q.reply, "DMA_WRITE")) : Status();
}

void Session::interrupt(unsigned vector) {
  if (!interrupts_.load(std::memory_order_acquire)) return;
  const Interrupt i{vector, 0};
  (void)channel_->send(Type::interrupt, 0, 0, {bytes_of(i)});
}

// Writes that were received before the host died are still carried out, as posted writes on a bus are.
void Session::carry_out() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !requests_.empty() || no_more_requests_; });
    if (requests_.empty()) return;
    // Away before its reply is sent: the host may fill the window again as soon as it has that.
    const Request r = std::move(requests_.front());
    requests_.pop_front();
    lock.unlock();
    const Status s = execute(r);
    if (!s.ok() && !over()) {
      fail(s.error());
      channel_->close();
    }
    lock.lock();
  }
}

Status Session::inside_bar(unsigned bar, std::uint64_t offset, std::uint64_t size) const {
  const std::uint64_t all = device_->bar_size(bar);
  if (offset <= all && size <= all - offset) return {};
  return Error{.code = Errc::corrupt,
               .operation = "model protocol",
               .subject = fmt::format("BAR{}", bar),
               .address = offset,
               .detail = fmt::format("{} bytes there are outside the BAR of {:#x} bytes", size, all)};
}

Status Session::execute(const Request& r) {
  const Message& m = r.message;
  if (!r.refusal.empty()) return channel_->send_error(m.header, Fault::refused, 0, r.refusal);
  switch (m.type()) {
    case Type::config_read: {
      const auto p = m.as<ConfigRead>();
      const std::uint32_t v = device_->config_read(p.offset, p.size);
      return reply(m, {bytes_of(v)});
    }
    case Type::config_write: {
      const auto p = m.as<ConfigWrite>();
      device_->config_write(p.offset, p.size, p.value);
      return reply(m);
    }
    case Type::resize_bar: {
      const auto p = m.as<ResizeBar>();
      if (device_->resizable_sizes(p.bar) >> p.log2_mib & 1) device_->resize_bar(p.bar, p.log2_mib);
      const std::uint64_t now = device_->bar_size(p.bar);
      return reply(m, {bytes_of(now)});
    }
    case Type::reset:
      device_->function_reset();
      return reply(m);
    case Type::irq_enable:
      interrupts_.store(m.as<IrqEnable>().on, std::memory_order_release);
      return reply(m);
    case Type::region_add:
    case Type::region_remove:
    case Type::invalidate:
      return reply(m);
    default:
      return execute_bar(m);
  }
}

Status Session::execute_bar(const Message& m) {
  const auto access = m.as<BarAccess>();
  const auto block = m.as<Block>();  // the same length, so both are there
  const bool single = m.type() == Type::bar_read || m.type() == Type::bar_write;
  HCQ_TRY(inside_bar(access.bar, access.offset, single ? access.size : block.size));
  switch (m.type()) {
    case Type::bar_read: {
      const std::uint64_t v = device_->read(access.bar, access.offset, access.size);
      return reply(m, {bytes_of(v)});
    }
    case Type::bar_write:
      device_->write(access.bar, access.offset, access.size, m.as<BarWrite>().value);
      return m.ack() ? reply(m) : Status();
    case Type::block_read: {
      std::vector<std::byte> out(block.size);
      device_->read_block(block.bar, block.offset, out);
      return reply(m, {Bytes(out)});
    }
    default:
      device_->write_block(block.bar, block.offset, m.rest(sizeof(Block)));
      return m.ack() ? reply(m) : Status();
  }
}

}  // namespace hcq::models::served
