// SPDX-License-Identifier: MIT
// Unmodified libusb in the guest against a device model outside (host/usb_echo.cc): enumeration, vendor requests, bulk
// transfers of many sizes, stalls, a transfer that never ends, unplugging. One verdict a case.
#include <fmt/format.h>
#include <libusb-1.0/libusb.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace {

struct Failure {
  std::string why;
};
template <class... A>
void require(bool good, fmt::format_string<A...> f, A&&... a) {
  if (!good) throw Failure{fmt::format(f, std::forward<A>(a)...)};
}
void require_ok(int code, const char* what) { require(code >= 0, "{}: {}", what, libusb_error_name(code)); }

constexpr std::uint8_t kIn = 0xc0, kOut = 0x40, kBulkIn = 0x81, kBulkOut = 0x02;

class Client {
 public:
  void find() {
    // Without a udev daemon libusb hears of no new devices; it finds them when it starts.
    for (int i = 0; i < 100; ++i) {
      require_ok(libusb_init(nullptr), "libusb_init");
      handle_ = libusb_open_device_with_vid_pid(nullptr, 0x174c, 0x2464);
      if (handle_ != nullptr) break;
      libusb_exit(nullptr);
      ::usleep(50000);
    }
    require(handle_ != nullptr, "no device 174c:2464");
    require(libusb_get_device_speed(libusb_get_device(handle_)) == LIBUSB_SPEED_SUPER, "not at SuperSpeed");
  }

  void descriptors() {
    libusb_device_descriptor d{};
    require_ok(libusb_get_device_descriptor(libusb_get_device(handle_), &d), "device descriptor");
    unsigned char text[64];
    require_ok(libusb_get_string_descriptor_ascii(handle_, d.iProduct, text, sizeof text), "product string");
    require(std::string(reinterpret_cast<char*>(text)) == "echo", "product is {}", reinterpret_cast<char*>(text));
    libusb_config_descriptor* c = nullptr;
    require_ok(libusb_get_active_config_descriptor(libusb_get_device(handle_), &c), "configuration");
    const auto& setting = c->interface[0].altsetting[0];
    const bool good = c->bNumInterfaces == 1 && setting.bNumEndpoints == 2 && setting.bInterfaceClass == 0xff &&
                      setting.endpoint[0].wMaxPacketSize == 1024;
    libusb_free_config_descriptor(c);
    require(good, "interface or endpoints are not those of the device");
    require_ok(libusb_claim_interface(handle_, 0), "claim");
    require_ok(libusb_set_interface_alt_setting(handle_, 0, 0), "alternate setting");
  }

  void vendor_requests() {
    for (unsigned i = 0; i < 16; ++i)
      require_ok(control(kOut, 0xe5, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i * 3 + 1), {}), "E5");
    std::array<unsigned char, 255> data{};
    const int n = control(kIn, 0xe4, 4, 0, {data.data(), 8});
    require(n == 8, "E4 returned {}", n);
    for (unsigned i = 0; i < 8; ++i) require(data[i] == (i + 4) * 3 + 1, "register {} is {:#x}", i + 4, data[i]);
    for (unsigned i = 0; i < 200; ++i) data[i] = static_cast<unsigned char>(i ^ 0x5a);
    require(control(kOut, 0xe7, 20, 0, {data.data(), 200}) == 200, "E7 with data");
    std::array<unsigned char, 255> back{};
    require(control(kIn, 0xe4, 20, 0, {back.data(), 200}) == 200 && back == data, "what was written is not read");
    require(control(kIn, 0xe4, 250, 0, {back.data(), 200}) == 6, "a short answer stays short");
  }

  void stall() {
    unsigned char byte;
    const int code = control(kIn, 0x77, 0, 0, {&byte, 1});
    require(code == LIBUSB_ERROR_PIPE, "an unknown request: {}", libusb_error_name(code));
    require_ok(control(kOut, 0xe5, 0, 1, {}), "a request after the stall");
  }

  void bulk_echo() {
    for (const int n : {1, 511, 512, 1023, 1024, 1025, 4096, 65536, 65537, 300000}) {
      std::vector<unsigned char> out(static_cast<std::size_t>(n)), in(out.size());
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<unsigned char>(i * 7 + out.size());
      int done = 0;
      require_ok(libusb_bulk_transfer(handle_, kBulkOut, out.data(), n, &done, 10000), "bulk out");
      require(done == n, "bulk out took {} of {}", done, n);
      for (int got = 0; got < n; got += done) {
        require_ok(libusb_bulk_transfer(handle_, kBulkIn, in.data() + got, n - got, &done, 10000), "bulk in");
        require(done > 0, "bulk in of {} stopped at {}", n, got);
      }
      require(in == out, "{} bytes came back different", n);
    }
  }

  // A bulk IN for which there is no data ends by its timeout, and what comes later goes to the next one.
  void timeout() {
    std::array<unsigned char, 64> data{};
    int done = 0;
    const int code = libusb_bulk_transfer(handle_, kBulkIn, data.data(), 64, &done, 200);
    require(code == LIBUSB_ERROR_TIMEOUT && done == 0, "ended with {} and {} bytes", libusb_error_name(code), done);
    data.fill(0x3c);
    require_ok(libusb_bulk_transfer(handle_, kBulkOut, data.data(), 64, &done, 5000), "bulk out after the timeout");
    std::array<unsigned char, 64> back{};
    require_ok(libusb_bulk_transfer(handle_, kBulkIn, back.data(), 64, &done, 5000), "bulk in after the timeout");
    require(done == 64 && back == data, "the data after the timeout are lost");
  }

  void reset() {
    unsigned char byte = 9;
    int done = 0;
    require_ok(libusb_bulk_transfer(handle_, kBulkOut, &byte, 1, &done, 5000), "bulk out");
    require_ok(libusb_reset_device(handle_), "reset");
    const int code = libusb_bulk_transfer(handle_, kBulkIn, &byte, 1, &done, 200);
    require(code == LIBUSB_ERROR_TIMEOUT, "data from before the reset: {}", libusb_error_name(code));
  }

  void unplug() {
    (void)control(kOut, 0xf3, 0, 0, {});
    int code = 0;
    unsigned char byte;
    for (int i = 0; i < 100 && code != LIBUSB_ERROR_NO_DEVICE; ++i) {
      ::usleep(50000);
      code = control(kIn, 0xe4, 0, 0, {&byte, 1});
    }
    require(code == LIBUSB_ERROR_NO_DEVICE, "after unplugging: {}", libusb_error_name(code));
    libusb_close(handle_);
    libusb_exit(nullptr);
  }

 private:
  int control(std::uint8_t type, std::uint8_t request, std::uint16_t value, std::uint16_t index,
              std::span<unsigned char> data) {
    return libusb_control_transfer(handle_, type, request, value, index, data.data(),
                                   static_cast<std::uint16_t>(data.size()), 5000);
  }
  libusb_device_handle* handle_ = nullptr;
};

bool test(const std::string& name, Client& c, void (Client::*step)()) {
  try {
    (c.*step)();
    fmt::print("vm: ok usb.{}\n", name);
    std::fflush(stdout);
    return true;
  } catch (const Failure& e) {
    fmt::print("vm: not ok usb.{}: {}\n", name, e.why);
    std::fflush(stdout);
    return false;
  }
}

}  // namespace

int main() {
  Client c;
  if (!test("enumerated_at_super_speed", c, &Client::find)) return 1;
  test("descriptors", c, &Client::descriptors);
  test("vendor_requests", c, &Client::vendor_requests);
  test("stall", c, &Client::stall);
  test("bulk_echo", c, &Client::bulk_echo);
  test("timeout", c, &Client::timeout);
  test("reset", c, &Client::reset);
  test("unplug", c, &Client::unplug);
  return 0;
}
