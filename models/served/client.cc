// SPDX-License-Identifier: MIT
#include "models/served/client.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/log.h"

namespace hcq::models::served {

namespace {

// A server that lives answers within milliseconds; one that is stopped in a debugger is given up at some point.
constexpr auto kServerLimit = std::chrono::seconds(30);
constexpr auto kGreetingLimit = std::chrono::seconds(15);  // it may be waiting for a killed predecessor's work to end
constexpr std::uint32_t kRegion = 0;

std::uint64_t all_ones(unsigned size) { return size >= 8 ? ~0ull : (1ull << 8 * size) - 1; }

Error protocol_error(std::string subject, std::string detail, std::uint64_t actual = 0) {
  return Error{.code = Errc::corrupt,
               .operation = "model protocol",
               .subject = std::move(subject),
               .actual = actual,
               .detail = std::move(detail)};
}

}  // namespace

Result<std::shared_ptr<RemoteDevice>> RemoteDevice::connect(const std::string& path, bool map_bars) {
  auto channel = std::make_unique<Channel>(HCQ_TRY(connect_unix(path)));
  Hello h{};
  h.magic = kMagic;
  h.version = kVersion;
  h.flags = map_bars ? kHelloMapsBars : 0;
  std::string("hcq").copy(h.name, sizeof h.name - 1);
  (void)channel->send(Type::hello, 0, 0, {bytes_of(h)});  // a server that refuses may have hung up; its answer counts
  auto m = HCQ_TRY(channel->receive(Deadline::in(kGreetingLimit)));
  if (!m) return Error{.code = Errc::io, .operation = "connect", .subject = path, .detail = "the server hung up"};
  std::shared_ptr<RemoteDevice> d(new RemoteDevice(std::move(channel)));
  HCQ_TRY(d->take_greeting(std::move(*m), map_bars));
  d->reader_ = std::thread([p = d.get()] { p->read_socket(); });
  return d;
}

// The text is made below, in take_greeting().
int holder_pid(const Error& busy) {
  constexpr std::string_view kBefore = "process ";
  int pid = 0;
  if (busy.code == Errc::busy && busy.detail.starts_with(kBefore))
    std::from_chars(busy.detail.data() + kBefore.size(), busy.detail.data() + busy.detail.size(), pid);
  return pid;
}

Status RemoteDevice::take_greeting(Message m, bool map_bars) {
  HCQ_TRY(check_message(m, Side::device));
  if (!m.reply()) return protocol_error("HELLO", "the server talks before it has greeted");
  HCQ_TRY(check_reply(m, Type::hello, 0));
  if (m.error()) {
    Error e = error_of(m, "connect");
    if (e.code == Errc::busy) {
      e.detail = fmt::format("process {} has the model ({})", m.as<ErrorReply>().value, e.detail);
      e.actual.reset();
      e.hint = "End it first; a model has one host at a time.";
    }
    return e;
  }
  const auto r = m.as<HelloReply>();
  if (r.magic != kMagic || r.version != kVersion) return protocol_error("HELLO", "not our protocol", r.version);
  if (r.window < 8 || r.model[sizeof r.model - 1]) return protocol_error("HELLO", "impossible greeting", r.window);
  window_ = r.window;
  model_ = r.model;
  if (descriptors_of(m) != m.fds.size()) return protocol_error("HELLO", "a descriptor is missing", m.fds.size());
  std::size_t next = 0;
  for (unsigned i = 0; i < kBars; ++i) {
    bar_sizes_[i] = r.bars[i].size;
    resizable_[i] = r.bars[i].resizable;
    if (!(r.bars[i].flags & kBarShared)) continue;
    shared_files_[i] = std::move(m.fds[next++]);
    if (!map_bars) return protocol_error("HELLO", "a shared BAR that nobody asked for");
    HCQ_TRY(check_sealed(shared_files_[i], 1));
    const off_t size = ::lseek(shared_files_[i].get(), 0, SEEK_END);
    shared_[i] = HCQ_TRY(map_file(shared_files_[i], 0, static_cast<std::size_t>(size), true, "shared BAR"));
  }
  return {};
}

RemoteDevice::~RemoteDevice() { unplug(); }

Status RemoteDevice::share(std::shared_ptr<HostMemory> host) {
  assert(host->arena());
  host_ = std::move(host);
  const RegionAdd r{kRegion, 0, host_->arena()->size()};
  const int fd = host_->arena()->fd();
  const auto m = ask(Type::region_add, {bytes_of(r)}, 0, std::span(&fd, 1));
  if (!m) return Error{.code = Errc::device_lost, .operation = "connect", .detail = "the server hung up"};
  if (m->error()) return error_of(*m, "share memory");
  host_->on_invalidate([this](std::uint64_t bus, std::uint64_t size) { invalidate(bus, size); });
  return {};
}

void RemoteDevice::plug(HostPort* port) {
  port_.store(port, std::memory_order_release);
  const IrqEnable on{1, 0};
  (void)ask(Type::irq_enable, {bytes_of(on)});
}

void RemoteDevice::unplug() {
  closing_ = true;
  channel_->close();
  if (reader_.joinable()) reader_.join();
  if (host_) host_->on_invalidate(nullptr);
}

bool RemoteDevice::send(Type type, std::initializer_list<Bytes> parts, Waiter* waiter, std::uint32_t block,
                        std::span<const int> fds) {
  const std::lock_guard order(order_mutex_);
  std::uint32_t tag = 0;
  std::uint16_t flags = 0;
  {
    std::unique_lock lock(state_mutex_);
    const bool free =
        changed_.wait_for(lock, kServerLimit, [this] { return lost() || sent_ - finished_ < window_ - 1; });
    if (lost()) return false;
    if (!free) {
      channel_->close();
      return false;
    }
    ++sent_;
    tag = next_tag_++;
    // The server may have so many unfinished messages; asking now and then is what tells how many it has.
    if (!waiter && sent_ % (window_ / 4) == 0) flags = kAck;
    if (waiter || flags) asked_[tag] = {type, block, sent_, waiter};
    if (waiter) waiter->tag = tag;
  }
  if (channel_->send(type, flags, tag, parts, fds).ok()) return true;
  channel_->close();  // the reader says so to everybody
  return false;
}

std::optional<Message> RemoteDevice::ask(Type type, std::initializer_list<Bytes> parts, std::uint32_t block,
                                         std::span<const int> fds) {
  Waiter w;
  const bool sent = send(type, parts, &w, block, fds);
  std::unique_lock lock(state_mutex_);
  if (sent && !changed_.wait_for(lock, kServerLimit, [&] { return w.reply.has_value() || lost(); })) {
    log::warn("model {}: no answer to {} within {} s", model_, type_name(type), kServerLimit.count());
    channel_->close();
  }
  if (!w.reply) asked_.erase(w.tag);
  return std::move(w.reply);
}

void RemoteDevice::read_socket() {
  std::string why = "the server has ended";
  for (;;) {
    auto m = channel_->receive();
    if (m.ok() && !*m) break;
    const Status s = m.ok() ? received(**m) : Status(std::move(m).error());
    if (s.ok()) continue;
    why = hcq::describe(s.error());
    break;
  }
  lose(why);
}

void RemoteDevice::lose(const std::string& why) {
  channel_->close();
  if (!closing_) log::warn("model {}: connection lost: {}", model_, why);
  {
    const std::lock_guard lock(state_mutex_);
    lost_.store(true, std::memory_order_release);
    changed_.notify_all();
  }
  // Whoever waits for the device looks at it again, and sees that it is gone.
  if (HostPort* p = port_.load(std::memory_order_acquire); p && !closing_) p->interrupt(0);
}

Status RemoteDevice::received(const Message& m) {
  HCQ_TRY(check_message(m, Side::device));
  if (m.reply()) return answered(m);
  HostPort* port = port_.load(std::memory_order_acquire);
  switch (m.type()) {
    case Type::translate:
      return answer_translate(m);
    case Type::dma_read:
    case Type::dma_write:
      return answer_dma(m);
    case Type::interrupt:
      if (port) port->interrupt(m.as<Interrupt>().vector);
      return {};
    default:
      log::info("model {}: {}", model_,
                std::string_view(reinterpret_cast<const char*>(m.payload.data()), m.payload.size()));
      return {};
  }
}

Status RemoteDevice::answered(const Message& m) {
  const std::lock_guard lock(state_mutex_);
  const auto it = asked_.find(m.header.tag);
  if (it == asked_.end()) return protocol_error(std::string(type_name(m.type())), "a reply to no question");
  const Asked q = it->second;
  HCQ_TRY(check_reply(m, q.type, q.block));
  asked_.erase(it);
  finished_ = std::max(finished_, q.sequence);
  if (q.waiter) q.waiter->reply = Message{.header = m.header, .payload = m.payload, .fds = {}};
  changed_.notify_all();
  return {};
}

Status RemoteDevice::answer_translate(const Message& m) {
  const auto q = m.as<Translate>();
  TranslateReply r{};
  r.status = static_cast<std::uint32_t>(Translated::blocked);
  const std::lock_guard lock(translate_mutex_);
  const HostMemory::Extent e = host_ ? host_->extent(q.bus) : HostMemory::Extent{};
  if (e.data) {
    r = {.status = static_cast<std::uint32_t>(Translated::region),
         .region = kRegion,
         .bus = e.bus,
         .size = e.size,
         .offset = static_cast<std::uint64_t>(e.data - host_->arena()->data()),
         .access = kAccessRead | kAccessWrite,
         .zero = 0};
  }
  return channel_->send(Type::translate, kReply, m.header.tag, {bytes_of(r)});
}

Status RemoteDevice::answer_dma(const Message& m) {
  const auto a = m.as<DmaAccess>();
  const bool write = m.type() == Type::dma_write;
  std::vector<std::byte> data(a.size);
  if (write) std::ranges::copy(m.rest(sizeof a), data.begin());
  for (std::uint64_t done = 0; done < a.size;) {
    const std::uint64_t bus = a.bus + done, n = std::min(a.size - done, kPageBytes - bus % kPageBytes);
    std::byte* p = host_ ? host_->translate(bus, n, write) : nullptr;
    if (!p) return channel_->send_error(m.header, Fault::no_memory_there, 0, "not mapped");
    if (write) std::memcpy(p, data.data() + done, n);
    else std::memcpy(data.data() + done, p, n);
    done += n;
  }
  if (write) return channel_->send(m.type(), kReply, m.header.tag);
  return channel_->send(m.type(), kReply, m.header.tag, {Bytes(data)});
}

void RemoteDevice::invalidate(std::uint64_t bus, std::uint64_t size) {
  // An answer that was looked up before this became void is on its way before the message that takes it back.
  {
    const std::lock_guard lock(translate_mutex_);
  }
  const Invalidate i{bus, size};
  (void)ask(Type::invalidate, {bytes_of(i)});
}

std::uint32_t RemoteDevice::config_read(std::uint16_t offset, unsigned size) {
  const ConfigRead r{offset, static_cast<std::uint16_t>(size)};
  const auto m = ask(Type::config_read, {bytes_of(r)});
  return m && !m->error() ? m->as<std::uint32_t>() : static_cast<std::uint32_t>(all_ones(size));
}

void RemoteDevice::config_write(std::uint16_t offset, unsigned size, std::uint32_t value) {
  const ConfigWrite w{offset, static_cast<std::uint16_t>(size), value & static_cast<std::uint32_t>(all_ones(size))};
  (void)ask(Type::config_write, {bytes_of(w)});
}

std::uint64_t RemoteDevice::read(unsigned bar, std::uint64_t offset, unsigned size) {
  if (offset % size) {  // as the bus does it: bytes
    std::uint64_t v = all_ones(8);
    read_block(bar, offset, std::as_writable_bytes(std::span(&v, 1)).first(size));
    return v & all_ones(size);
  }
  const BarAccess a{static_cast<std::uint8_t>(bar), static_cast<std::uint8_t>(size), 0, 0, offset};
  const auto m = ask(Type::bar_read, {bytes_of(a)});
  return m && !m->error() ? m->as<std::uint64_t>() & all_ones(size) : all_ones(size);
}

void RemoteDevice::write(unsigned bar, std::uint64_t offset, unsigned size, std::uint64_t value) {
  if (offset % size) return write_block(bar, offset, bytes_of(value).first(size));
  const BarWrite w{{static_cast<std::uint8_t>(bar), static_cast<std::uint8_t>(size), 0, 0, offset},
                   value & all_ones(size)};
  (void)send(Type::bar_write, {bytes_of(w)}, nullptr);
}

void RemoteDevice::read_block(unsigned bar, std::uint64_t offset, MutableBytes out) {
  while (!out.empty()) {
    const std::size_t n = std::min<std::size_t>(out.size(), kMaxBlock);
    const Block b{static_cast<std::uint8_t>(bar), 0, 0, static_cast<std::uint32_t>(n), offset};
    const auto m = ask(Type::block_read, {bytes_of(b)}, b.size);
    if (m && !m->error()) std::memcpy(out.data(), m->payload.data(), n);
    else std::memset(out.data(), 0xff, n);
    offset += n;
    out = out.subspan(n);
  }
}

void RemoteDevice::write_block(unsigned bar, std::uint64_t offset, Bytes in) {
  while (!in.empty()) {
    const std::size_t n = std::min<std::size_t>(in.size(), kMaxBlock);
    const Block b{static_cast<std::uint8_t>(bar), 0, 0, static_cast<std::uint32_t>(n), offset};
    (void)send(Type::block_write, {bytes_of(b), in.first(n)}, nullptr);
    offset += n;
    in = in.subspan(n);
  }
}

bool RemoteDevice::resize_bar(unsigned bar, unsigned log2_mib) {
  const ResizeBar r{static_cast<std::uint8_t>(bar), static_cast<std::uint8_t>(log2_mib), 0, 0};
  const auto m = ask(Type::resize_bar, {bytes_of(r)});
  if (!m || m->error()) return false;
  bar_sizes_[bar] = m->as<std::uint64_t>();
  return bar_sizes_[bar] == 1ull << (20 + log2_mib);
}

void RemoteDevice::function_reset() { (void)ask(Type::reset, {}); }

SharedBar RemoteDevice::shared_bar(unsigned bar) const {
  if (bar >= kBars || !shared_[bar].data()) return {};
  return {shared_files_[bar].get(), shared_[bar].data(), shared_[bar].size()};
}

}  // namespace hcq::models::served
