// SPDX-License-Identifier: MIT
// The attributes are described in the Linux kernel's Documentation/PCI/sysfs-pci.rst and ABI/testing/sysfs-bus-pci.
#include "drivers/pci/sysfs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <charconv>

#include "base/log.h"

namespace hcq::pci {

namespace {

// resourceN_resize: bit n set means that 2^n MiB is a supported size.
Result<std::uint64_t> read_resize_mask(const std::string& path) {
  const std::string text = HCQ_TRY(read_text(path));
  std::uint64_t mask = 0;
  const char* begin = text.data() + (text.starts_with("0x") ? 2 : 0);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, mask, 16);
  if (error != std::errc{} || stop != end)
    return Error{.code = Errc::corrupt, .operation = "read", .subject = path, .detail = "not a hexadecimal mask"};
  return mask;
}

}  // namespace

SysfsFunction::SysfsFunction(const Host& host, Claim claim, DriverBinding binding, std::shared_ptr<MemoryKernel> memory)
    : host_(host),
      directory_(host.device_directory(claim.info.bdf)),
      info_(std::move(claim.info)),
      lock_(std::make_unique<DeviceLock>(std::move(claim.lock))),
      binding_(std::make_unique<DriverBinding>(std::move(binding))) {
  pool_ = DmaPool::create(info_.bdf, memory, std::make_unique<PhysicalMapper>(host_, info_.bdf, memory));
}

Result<std::unique_ptr<SysfsFunction>> SysfsFunction::open(const Host& host, const std::string& bdf,
                                                           SysfsOptions options, std::shared_ptr<MemoryKernel> memory) {
  Claim claimed = HCQ_TRY(claim(host, bdf));
  DriverBinding binding = HCQ_TRY(DriverBinding::detach(host, bdf, options.unbind_driver));
  if (!memory) memory = system_memory(host);
  auto f = std::unique_ptr<SysfsFunction>(
      new SysfsFunction(host, std::move(claimed), std::move(binding), std::move(memory)));
  HCQ_TRY(f->enable());
  f->announce();
  return f;
}

SysfsFunction::~SysfsFunction() {
  if (Status s = close(); !s) log::warn("{}", describe(s.error()));
}

Status SysfsFunction::write(const std::string& attribute, const std::string& text) {
  Status s = host_.write_attribute(path(attribute), text);
  if (!s) {
    if (!path_exists(directory_)) return device_gone(name(), "write", attribute);
    Error e = on_device(std::move(s).error(), name());
    if (e.code == Errc::permission) e.hint = "run as root, or use VFIO";
    return e;
  }
  return {};
}

// The kernel's enable count goes up by one write of 1 and down by one of 0, so only what was added is taken back.
Status SysfsFunction::enable() {
  auto config = open_file(path("config"), O_RDWR | O_SYNC);
  if (!config.ok()) {
    Error e = on_device(std::move(config).error(), name());
    if (e.code == Errc::permission) e.hint = "run as root, or use VFIO";
    return e;
  }
  config_ = std::move(*config);
  auto count = read_number(path("enable"));
  if (!count.ok()) return on_device(std::move(count).error(), name());
  if (*count == 0) {
    HCQ_TRY(write("enable", "1"));
    enabled_here_ = true;
  }
  // Enabling wakes a function from D3hot.
  if (const auto state = read_text(path("power_state")); state.ok() && *state != "D0" && *state != "unknown")
    return Error{.code = Errc::device_lost,
                 .device = name(),
                 .operation = "open",
                 .subject = "power_state",
                 .detail = fmt::format("the function stays in {} after it was enabled", *state),
                 .hint = kPowerHint};
  const std::uint32_t vendor = HCQ_TRY(config_read(kVendorId, 2));
  if (vendor != info_.identity.vendor)
    return Error{.code = Errc::corrupt,
                 .device = name(),
                 .operation = "open",
                 .subject = "VENDOR_ID",
                 .expected = info_.identity.vendor,
                 .actual = vendor,
                 .detail = "config space and sysfs disagree"};
  return {};
}

// For a process that ends without close().
void SysfsFunction::announce() {
  const std::string& driver = binding_->previous_driver();
  open_.emplace(name(), OpenFunction::Access{
                            .read_command = [this] { return read_config_bytes(kCommand, 2); },
                            .write_command = [this](std::uint32_t v) { return write_config_bytes(kCommand, 2, v); },
                            .note = driver.empty() ? "" : "its kernel driver " + driver + " stays unbound"});
}

Status SysfsFunction::close() {
  Status first;
  const auto attempt = [&](Status s) {
    if (!s && first) first = std::move(s);
  };
  // A device that goes on writing into memory that was given back would corrupt whoever gets it next.
  // One that has left the bus does not, and is not touched any more.
  if (config_.valid() && !lost_ && path_exists(directory_))
    if (Status s = set_bus_master(*this, false); !s && s.error().code != Errc::device_lost) attempt(std::move(s));
  open_.reset();
  for (auto& bar : mapped_)
    for (Mapping& m : bar) m.reset();
  config_.reset();
  if (std::exchange(enabled_here_, false) && path_exists(directory_)) attempt(write("enable", "0"));
  if (binding_) attempt(binding_->restore());
  binding_.reset();
  lock_.reset();
  return first;
}

Error SysfsFunction::config_failed(const char* operation, std::uint16_t offset, long transferred, int err) const {
  if ((transferred < 0 && err == ENODEV) || !path_exists(directory_)) return device_gone(name(), operation, "config");
  Error e = transferred < 0 ? errno_error(err, operation, path("config"))
                            : Error{.code = Errc::io,
                                    .operation = operation,
                                    .subject = path("config"),
                                    .detail = "config space ends before this offset"};
  // Only the first 64 bytes are readable without CAP_SYS_ADMIN; beyond them the file looks as if it ended.
  if (transferred >= 0 && offset >= 0x40) e.hint = "without CAP_SYS_ADMIN only the first 64 bytes can be read";
  e.address = offset;
  return on_device(std::move(e), name());
}

Result<std::uint32_t> SysfsFunction::read_config_bytes(std::uint16_t offset, unsigned size) const {
  std::uint32_t value = 0;
  const ssize_t n = ::pread(config_.get(), &value, size, offset);
  if (n != static_cast<ssize_t>(size)) return config_failed("config/read", offset, n, errno);
  return value;
}

Result<std::uint32_t> SysfsFunction::config_read(std::uint16_t offset, unsigned size) {
  HCQ_TRY(check_config_access(name(), offset, size));
  const std::uint32_t value = HCQ_TRY(read_config_bytes(offset, size));
  // All ones may be a legal value; the vendor id never is.
  if (size >= 2 && value == all_ones(size) && HCQ_TRY(read_config_bytes(kVendorId, 2)) == 0xffff) {
    lost_ = true;
    Error e = device_gone(name(), "config/read", "VENDOR_ID");
    e.actual = 0xffff;
    return e;
  }
  return value;
}

Status SysfsFunction::config_write(std::uint16_t offset, unsigned size, std::uint32_t value) {
  HCQ_TRY(check_config_access(name(), offset, size));
  return write_config_bytes(offset, size, value);
}

Status SysfsFunction::write_config_bytes(std::uint16_t offset, unsigned size, std::uint32_t value) const {
  const ssize_t n = ::pwrite(config_.get(), &value, size, offset);
  if (n != static_cast<ssize_t>(size)) return config_failed("config/write", offset, n, errno);
  // A read of the same register returns only after the write has arrived.
  HCQ_TRY(read_config_bytes(offset, size));
  return {};
}

std::uint64_t SysfsFunction::bar_size(unsigned index) const {
  return index < info_.bars.size() && info_.bars[index].is_memory() ? info_.bars[index].size() : 0;
}

std::uint64_t SysfsFunction::bar_address(unsigned index) const { return bar_size(index) ? info_.bars[index].start : 0; }

Result<Mmio> SysfsFunction::map_bar(unsigned index, Caching caching) {
  const std::uint64_t size = bar_size(index);
  const std::string subject = fmt::format("BAR {}", index);
  if (size == 0)
    return Error{.code = Errc::not_found,
                 .device = name(),
                 .operation = "map_bar",
                 .subject = subject,
                 .detail = "the function has no such memory BAR"};
  Mapping& m = mapped_[index][static_cast<unsigned>(caching)];
  if (!m.data()) {
    std::string file = path(fmt::format("resource{}", index));
    // The kernel offers _wc for prefetchable BARs on architectures that can combine writes.
    if (caching == Caching::write_combining && path_exists(file + "_wc")) file += "_wc";
    auto fd = open_file(file, O_RDWR | O_SYNC);
    if (!fd.ok()) {
      if (!path_exists(directory_)) return device_gone(name(), "map_bar", subject);
      return on_device(std::move(fd).error(), name());
    }
    struct stat st{};
    if (::fstat(fd->get(), &st) != 0) return on_device(errno_error(errno, "map_bar", file), name());
    if (static_cast<std::uint64_t>(st.st_size) < size)
      return Error{.code = Errc::corrupt,
                   .device = name(),
                   .operation = "map_bar",
                   .subject = subject,
                   .expected = size,
                   .actual = static_cast<std::uint64_t>(st.st_size),
                   .detail = "the BAR is smaller than the resource table says"};
    auto mapping = map_file(*fd, 0, size, true, file);
    if (!mapping.ok()) {
      Error e = on_device(std::move(mapping).error(), name());
      if (e.code == Errc::permission) e.hint = "kernel lockdown (Secure Boot) forbids mapping BARs; use VFIO";
      return e;
    }
    // A child must not inherit a window into the device.
    if (::madvise(mapping->data(), mapping->size(), MADV_DONTFORK) != 0)
      return on_device(errno_error(errno, "madvise", file), name());
    m = std::move(*mapping);
  }
  return Mmio(reinterpret_cast<volatile std::byte*>(m.data()), m.size());
}

Result<std::uint64_t> SysfsFunction::resize_bar(unsigned index) {
  for (const auto& bar : mapped_)
    if (bar[0].data() || bar[1].data())
      return Error{.code = Errc::invalid_argument,
                   .device = name(),
                   .operation = "resize_bar",
                   .detail = "a BAR is mapped already"};
  const std::uint64_t before = bar_size(index);
  const std::string attribute = fmt::format("resource{}_resize", index);
  if (before == 0 || !path_exists(path(attribute))) return before;
  auto mask = read_resize_mask(path(attribute));
  if (!mask.ok()) {
    log::warn("{}", describe(on_device(mask.error(), name())));
    return before;
  }
  const int largest = std::bit_width(*mask) - 1;
  for (int log2_mib = largest; log2_mib >= 0 && (1ull << 20) << log2_mib > before && log2_mib < 44; --log2_mib) {
    if (!(*mask >> log2_mib & 1)) continue;
    if (const Status s = write(attribute, fmt::format("{}", log2_mib)); s) break;
    else log::info("{}", describe(s.error()));
  }
  // The kernel may have moved other BARs too.
  auto bars = read_bars(host_, name());
  if (!bars.ok()) return std::move(bars).error();
  info_.bars = *bars;
  const std::uint64_t after = bar_size(index);
  if (largest >= 0 && largest < 44 && after < (1ull << 20) << largest && !std::exchange(said_resize_, true))
    log::warn("{}: BAR {} stays at {} MiB of {} MiB: {}", name(), index, after >> 20, 1ull << largest,
              kResizableBarHint);
  return after;
}

Result<std::unique_ptr<DmaMemory>> SysfsFunction::alloc_dma(std::size_t bytes, DmaOptions options) {
  return pool_->alloc(bytes, options);
}

Status SysfsFunction::reset() {
  if (!path_exists(path("reset"))) {
    if (!path_exists(directory_)) return device_gone(name(), "reset", "config");
    return Error{.code = Errc::unsupported,
                 .device = name(),
                 .operation = "reset",
                 .detail = "the kernel knows no way to reset this function alone"};
  }
  HCQ_TRY(write("reset", "1"));
  // The kernel has waited for the function and restored its config space when the write returns.
  HCQ_TRY(config_read(kVendorId, 2));
  return {};
}

}  // namespace hcq::pci
