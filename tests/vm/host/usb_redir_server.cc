// SPDX-License-Identifier: MIT
#include "tests/vm/host/usb_redir_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <usbredirparser.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

namespace vm {

using namespace hcq;
using namespace hcq::models::usb4;
using namespace std::chrono_literals;

namespace {

constexpr std::uint8_t kGetDescriptor = 6, kSetConfiguration = 9, kSetInterface = 11;
constexpr std::uint8_t kDevice = 1, kConfiguration = 2, kInterface = 4, kEndpoint = 5;
constexpr std::uint8_t kToHost = 0x80, kToInterface = 0x01;

std::uint8_t redir_status(TransferStatus s) {
  switch (s) {
    case TransferStatus::ok:
      return usb_redir_success;
    case TransferStatus::stall:
      return usb_redir_stall;
    case TransferStatus::cancelled:
      return usb_redir_cancelled;
    case TransferStatus::babble:
      return usb_redir_babble;
    case TransferStatus::io_error:
      return usb_redir_ioerror;
  }
  return usb_redir_ioerror;
}

std::uint8_t redir_speed(UsbSpeed s) {
  return s == UsbSpeed::super  ? usb_redir_speed_super
         : s == UsbSpeed::high ? usb_redir_speed_high
                               : usb_redir_speed_full;
}

std::uint8_t u8(Bytes b, std::size_t at) { return std::to_integer<std::uint8_t>(b[at]); }
std::uint16_t u16(Bytes b, std::size_t at) { return static_cast<std::uint16_t>(u8(b, at) | u8(b, at + 1) << 8); }

Error broken(std::string what) {
  return Error{.code = Errc::corrupt, .operation = "usb-redir", .detail = std::move(what)};
}

}  // namespace

struct UsbRedirServer::Callbacks {
  static UsbRedirServer& self(void* p) { return *static_cast<UsbRedirServer*>(p); }

  static void log(void*, int level, const char* text) {
    if (level <= usbredirparser_warning) std::fprintf(stderr, "%s\n", text);
  }
  // The parser reads until it is told that there is nothing, so the socket must not block.
  static int read(void* p, std::uint8_t* data, int count) {
    const ssize_t n = ::recv(self(p).socket_.get(), data, static_cast<std::size_t>(count), 0);
    if (n > 0) return static_cast<int>(n);
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
  }
  static int write(void* p, std::uint8_t* data, int count) {
    const ssize_t n = ::send(self(p).socket_.get(), data, static_cast<std::size_t>(count), MSG_NOSIGNAL);
    if (n >= 0) return static_cast<int>(n);
    return errno == EAGAIN || errno == EINTR ? 0 : -1;
  }
  static void hello(void* p, usb_redir_hello_header*) { self(p).hello_ = true; }
  static void reset(void* p) { self(p).device_.bus_reset(); }
  static void cancel(void* p, std::uint64_t id) { self(p).cancel(id); }

  static void set_configuration(void* p, std::uint64_t id, usb_redir_set_configuration_header* h) {
    const Setup s{0, kSetConfiguration, h->configuration, 0, 0};
    self(p).device_.control(self(p).open({.kind = Kind::set_configuration, .id = id, .setup = s}), s, {});
  }
  static void set_interface(void* p, std::uint64_t id, usb_redir_set_alt_setting_header* h) {
    const Setup s{kToInterface, kSetInterface, h->alt, h->interface, 0};
    self(p).device_.control(self(p).open({.kind = Kind::set_interface, .id = id, .setup = s}), s, {});
  }
  static void control(void* p, std::uint64_t id, usb_redir_control_packet_header* h, std::uint8_t* data, int n) {
    const Setup s{h->requesttype, h->request, h->value, h->index, h->length};
    const TransferId t = self(p).open({.kind = Kind::control, .id = id, .setup = s, .endpoint = h->endpoint});
    self(p).device_.control(t, s, Bytes(reinterpret_cast<const std::byte*>(data), static_cast<std::size_t>(n)));
    usbredirparser_free_packet_data(self(p).parser_, data);
  }
  static void bulk(void* p, std::uint64_t id, usb_redir_bulk_packet_header* h, std::uint8_t* data, int n) {
    const bool in = (h->endpoint & kToHost) != 0;
    const std::uint32_t length = h->length | std::uint32_t{h->length_high} << 16;
    const TransferId t = self(p).open(
        {.kind = in ? Kind::bulk_in : Kind::bulk_out, .id = id, .endpoint = h->endpoint, .stream = h->stream_id});
    const unsigned endpoint = h->endpoint & 0xf;
    if (in) self(p).device_.bulk_in(t, endpoint, h->stream_id, length);
    else
      self(p).device_.bulk_out(t, endpoint, h->stream_id,
                               Bytes(reinterpret_cast<const std::byte*>(data), static_cast<std::size_t>(n)));
    usbredirparser_free_packet_data(self(p).parser_, data);
  }
  static usbredirparser* make(UsbRedirServer& server);
};

usbredirparser* UsbRedirServer::Callbacks::make(UsbRedirServer& server) {
  usbredirparser* const p = usbredirparser_create();
  p->priv = &server;
  p->log_func = log;
  p->read_func = read;
  p->write_func = write;
  p->hello_func = hello;
  p->reset_func = reset;
  p->cancel_data_packet_func = cancel;
  p->set_configuration_func = set_configuration;
  p->set_alt_setting_func = set_interface;
  p->control_packet_func = control;
  p->bulk_packet_func = bulk;
  std::uint32_t caps[USB_REDIR_CAPS_SIZE] = {};
  for (const int cap : {usb_redir_cap_connect_device_version, usb_redir_cap_ep_info_max_packet_size,
                        usb_redir_cap_64bits_ids, usb_redir_cap_32bits_bulk_length})
    usbredirparser_caps_set_cap(caps, cap);
  usbredirparser_init(p, "hcq device model", caps, USB_REDIR_CAPS_SIZE, usbredirparser_fl_usb_host);
  return p;
}

Result<std::unique_ptr<UsbRedirServer>> UsbRedirServer::listen(const std::string& path, UsbDevice& device) {
  sockaddr_un a{};
  a.sun_family = AF_UNIX;
  if (path.size() >= sizeof a.sun_path)
    return Error{.code = Errc::invalid_argument, .operation = "usb-redir", .subject = path, .detail = "path too long"};
  std::copy(path.begin(), path.end(), a.sun_path);
  Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  ::unlink(path.c_str());
  if (!listener.valid() || !wake.valid() || ::bind(listener.get(), reinterpret_cast<sockaddr*>(&a), sizeof a) != 0 ||
      ::listen(listener.get(), 1) != 0)
    return errno_error(errno, "usb-redir", path);
  return std::unique_ptr<UsbRedirServer>(new UsbRedirServer(device, std::move(listener), std::move(wake), path));
}

UsbRedirServer::UsbRedirServer(UsbDevice& device, Fd listener, Fd wake, std::string path)
    : device_(device), listener_(std::move(listener)), wake_(std::move(wake)), path_(std::move(path)) {
  device_.attach(this);
}

UsbRedirServer::~UsbRedirServer() {
  device_.attach(nullptr);
  if (parser_ != nullptr) usbredirparser_destroy(parser_);
  ::unlink(path_.c_str());
}

void UsbRedirServer::complete(TransferId id, TransferStatus status, Bytes data, std::uint32_t accepted) {
  const std::lock_guard lock(mutex_);
  done_.push_back({id, status, {data.begin(), data.end()}, accepted});
  (void)::eventfd_write(wake_.get(), 1);
}

void UsbRedirServer::unplugged() {
  const std::lock_guard lock(mutex_);
  unplugged_ = true;
  (void)::eventfd_write(wake_.get(), 1);
}

TransferId UsbRedirServer::open(Transfer t) {
  open_[next_] = t;
  return next_++;
}

// The guest does not want it any more. The answer is due at once; what the device says later is for nobody.
void UsbRedirServer::cancel(std::uint64_t redir_id) {
  for (auto& [id, t] : open_) {
    if (t.id != redir_id || t.kind == Kind::own || t.cancelled) continue;
    const TransferId ours = id;
    answer({ours, TransferStatus::cancelled, {}, 0});
    open_[ours] = {.kind = Kind::own, .cancelled = true};
    device_.cancel(ours);
    return;
  }
}

void UsbRedirServer::answer(const Completion& c) {
  const auto it = open_.find(c.id);
  if (it == open_.end()) return;
  const Transfer t = it->second;
  open_.erase(it);
  auto* const data = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(c.data.data()));
  const int n = static_cast<int>(c.data.size());
  const auto status = redir_status(c.status);
  switch (t.kind) {
    case Kind::own:
      if (!t.cancelled) own_[c.id] = c;
      return;
    case Kind::set_configuration: {
      usb_redir_configuration_status_header h{status, static_cast<std::uint8_t>(t.setup.value)};
      return usbredirparser_send_configuration_status(parser_, t.id, &h);
    }
    case Kind::set_interface: {
      usb_redir_alt_setting_status_header h{status, static_cast<std::uint8_t>(t.setup.index),
                                            static_cast<std::uint8_t>(t.setup.value)};
      return usbredirparser_send_alt_setting_status(parser_, t.id, &h);
    }
    case Kind::control: {
      const auto length = static_cast<std::uint16_t>(t.setup.to_host() ? c.data.size() : c.accepted);
      usb_redir_control_packet_header h{t.endpoint,    t.setup.request, t.setup.request_type, status, t.setup.value,
                                        t.setup.index, length};
      return usbredirparser_send_control_packet(parser_, t.id, &h, data, t.setup.to_host() ? n : 0);
    }
    case Kind::bulk_in:
    case Kind::bulk_out: {
      const std::uint32_t length = t.kind == Kind::bulk_in ? static_cast<std::uint32_t>(n) : c.accepted;
      usb_redir_bulk_packet_header h{t.endpoint, status, static_cast<std::uint16_t>(length), t.stream,
                                     static_cast<std::uint16_t>(length >> 16)};
      return usbredirparser_send_bulk_packet(parser_, t.id, &h, data, t.kind == Kind::bulk_in ? n : 0);
    }
  }
}

void UsbRedirServer::answer_all() {
  std::vector<Completion> now;
  {
    const std::lock_guard lock(mutex_);
    now.swap(done_);
  }
  for (const Completion& c : now) answer(c);
}

// One round: what came in, what is done, what goes out. False when the machine has gone.
bool UsbRedirServer::pump(Clock::duration wait) {
  const bool writing = usbredirparser_has_data_to_write(parser_) > 0;
  pollfd fds[2] = {{socket_.get(), static_cast<short>(POLLIN | (writing ? POLLOUT : 0)), 0}, {wake_.get(), POLLIN, 0}};
  (void)::poll(fds, 2, static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(wait).count()));
  eventfd_t ignored;
  (void)::eventfd_read(wake_.get(), &ignored);
  if (usbredirparser_do_read(parser_) == usbredirparser_read_io_error) return false;
  answer_all();
  return usbredirparser_has_data_to_write(parser_) == 0 || usbredirparser_do_write(parser_) == 0;
}

Result<std::vector<std::byte>> UsbRedirServer::read_descriptor(std::uint8_t type, std::uint16_t length) {
  const Setup s{kToHost, kGetDescriptor, static_cast<std::uint16_t>(type << 8), 0, length};
  const TransferId id = open({.kind = Kind::own, .setup = s});
  device_.control(id, s, {});
  for (const Deadline d = Deadline::in(5s); !own_.contains(id) && !d.expired();) {
    pollfd fd{wake_.get(), POLLIN, 0};
    (void)::poll(&fd, 1, 10);
    answer_all();
  }
  if (!own_.contains(id)) return broken("the device does not answer GET_DESCRIPTOR");
  const Completion c = std::move(own_[id]);
  own_.erase(id);
  if (c.status != TransferStatus::ok) return broken("the device refuses GET_DESCRIPTOR");
  return c.data;
}

// The machine wants to know interfaces and endpoints before it sees the device.
void UsbRedirServer::describe_interfaces(Bytes all) {
  usb_redir_interface_info_header interfaces{};
  usb_redir_ep_info_header endpoints{};
  std::fill(std::begin(endpoints.type), std::end(endpoints.type), usb_redir_type_invalid);
  endpoints.type[0] = endpoints.type[16] = usb_redir_type_control;
  std::uint8_t interface = 0;
  bool first_setting = true;
  for (std::size_t at = 0; at + 2 <= all.size();) {
    const std::size_t n = u8(all, at);
    if (n < 2 || n > all.size() - at) break;
    const Bytes d = all.subspan(at, n);
    at += n;
    if (u8(d, 1) == kInterface && n >= 9) {
      interface = u8(d, 2);
      first_setting = u8(d, 3) == 0;
      if (!first_setting || interfaces.interface_count == 32) continue;
      const std::uint32_t i = interfaces.interface_count++;
      interfaces.interface[i] = interface;
      interfaces.interface_class[i] = u8(d, 5);
      interfaces.interface_subclass[i] = u8(d, 6);
      interfaces.interface_protocol[i] = u8(d, 7);
    } else if (u8(d, 1) == kEndpoint && n >= 7 && first_setting) {
      const unsigned e = (u8(d, 2) & 0xfu) | (u8(d, 2) & kToHost ? 16u : 0u);
      endpoints.type[e] = u8(d, 3) & 3;
      endpoints.interval[e] = u8(d, 6);
      endpoints.interface[e] = interface;
      endpoints.max_packet_size[e] = u16(d, 4);
    }
  }
  usbredirparser_send_interface_info(parser_, &interfaces);
  usbredirparser_send_ep_info(parser_, &endpoints);
}

Status UsbRedirServer::announce() {
  const auto device = HCQ_TRY(read_descriptor(kDevice, 18));
  const auto head = HCQ_TRY(read_descriptor(kConfiguration, 9));
  if (device.size() < 18 || head.size() < 9) return broken("short descriptors");
  describe_interfaces(HCQ_TRY(read_descriptor(kConfiguration, u16(head, 2))));
  usb_redir_device_connect_header h{redir_speed(device_.speed()),
                                    u8(device, 4),
                                    u8(device, 5),
                                    u8(device, 6),
                                    u16(device, 8),
                                    u16(device, 10),
                                    u16(device, 12)};
  usbredirparser_send_device_connect(parser_, &h);
  return {};
}

Status UsbRedirServer::serve() {
  socket_.reset(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket_.valid()) return errno_error(errno, "usb-redir", path_);
  parser_ = Callbacks::make(*this);
  while (!hello_)
    if (!pump(100ms)) return broken("the machine left before it said hello");
  HCQ_TRY(announce());
  for (;;) {
    if (!pump(1s)) return {};
    const std::lock_guard lock(mutex_);
    if (unplugged_) break;
  }
  usbredirparser_send_device_disconnect(parser_);
  for (const Deadline d = Deadline::in(1s); !d.expired();)
    if (!pump(50ms)) break;
  return {};
}

}  // namespace vm
