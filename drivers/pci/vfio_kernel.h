// SPDX-License-Identifier: MIT
// The system calls that VFIO consists of (linux/vfio.h), and the group rules around them. Unit tests put a kernel of
// their own in place of VfioKernel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "drivers/pci/host.h"
#include "drivers/pci/iova.h"

namespace hcq::pci {

class VfioKernel {
 public:
  virtual ~VfioKernel() = default;
  virtual Result<Fd> open(const std::string& path) = 0;
  // What ioctl(2) returns, or -errno. `argument` is a pointer or a number, as the request wants it.
  virtual int control(const Fd& fd, unsigned long request, void* argument) = 0;
  virtual long read(const Fd& fd, void* data, std::size_t size, std::uint64_t offset) = 0;         // or -errno
  virtual long write(const Fd& fd, const void* data, std::size_t size, std::uint64_t offset) = 0;  // or -errno
  virtual Result<Mapping> map(const Fd& fd, std::uint64_t offset, std::size_t size) = 0;
};

std::shared_ptr<VfioKernel> system_vfio();

// A container with one group in it. Closing the group ends every mapping, so whoever has mappings keeps this alive.
struct VfioContainer {
  std::shared_ptr<VfioKernel> kernel;
  Fd container, group;
  bool noiommu = false;
  std::vector<IovaRange> ranges;  // usable I/O virtual addresses; empty in no-IOMMU mode
};

// Opens the container and the group of `bdf` and joins them. `group` is its IOMMU group.
Result<std::shared_ptr<VfioContainer>> open_container(const Host& host, const std::string& bdf, unsigned group,
                                                      std::shared_ptr<VfioKernel> kernel);

// A member of an IOMMU group that keeps the others from being used through VFIO.
struct GroupOffender {
  std::string bdf, driver, reason;
};

// Members with a kernel driver other than VFIO's. Bridges are no offenders: the kernel lets them stay on pcieport.
Result<std::vector<GroupOffender>> group_offenders(const Host& host, unsigned group);

// Errc::refused naming the offenders, if there are any beside `bdf` itself.
Status check_group(const Host& host, const std::string& bdf, unsigned group);

// /dev/vfio/N, or /dev/vfio/noiommu-N where the kernel made that one.
std::string group_node(const Host& host, unsigned group);

}  // namespace hcq::pci
