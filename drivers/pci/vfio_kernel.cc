// SPDX-License-Identifier: MIT
#include "drivers/pci/vfio_kernel.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace hcq::pci {

namespace {

class SystemVfio final : public VfioKernel {
 public:
  Result<Fd> open(const std::string& path) override { return open_file(path, O_RDWR); }

  int control(const Fd& fd, unsigned long request, void* argument) override {
    const int r = ::ioctl(fd.get(), request, argument);
    return r < 0 ? -errno : r;
  }

  long read(const Fd& fd, void* data, std::size_t size, std::uint64_t offset) override {
    const ssize_t n = ::pread(fd.get(), data, size, static_cast<off_t>(offset));
    return n < 0 ? -errno : n;
  }

  long write(const Fd& fd, const void* data, std::size_t size, std::uint64_t offset) override {
    const ssize_t n = ::pwrite(fd.get(), data, size, static_cast<off_t>(offset));
    return n < 0 ? -errno : n;
  }

  Result<Mapping> map(const Fd& fd, std::uint64_t offset, std::size_t size) override {
    Mapping m = HCQ_TRY(map_file(fd, offset, size, true, "vfio region"));
    // A child must not inherit a window into the device.
    if (::madvise(m.data(), m.size(), MADV_DONTFORK) != 0) return errno_error(errno, "madvise", "vfio region");
    return m;
  }
};

}  // namespace

std::shared_ptr<VfioKernel> system_vfio() { return std::make_shared<SystemVfio>(); }

}  // namespace hcq::pci
