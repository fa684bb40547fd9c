// SPDX-License-Identifier: MIT
// A kernel with VFIO and one device, in memory: checks what the real one checks (order of calls, ranges, overlaps) and
// fails where a test tells it to.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/vfio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "drivers/pci/vfio_kernel.h"
#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {

class FakeVfio final : public VfioKernel {
 public:
  static constexpr std::uint64_t kRegionStride = 1u << 24;
  static constexpr unsigned kConfigRegion = VFIO_PCI_CONFIG_REGION_INDEX;

  // What the kernel and the device are like; tests change it before or between calls.
  std::map<std::string, int> open_errors;  // path ending -> errno
  bool viable = true, iommu = true, noiommu = false, map_call_exists = true, can_reset = true;
  int set_iommu_error = 0, map_error = 0;
  int maps_before_error = -1;  // that many MAP_DMA calls work, then one fails with map_error
  std::size_t mapping_limit = 65535;
  std::vector<vfio_iova_range> ranges = {{0, 0xfedfffff}, {0xfef00000, 0x7fffffffff}};
  unsigned msi_count = 1, msix_count = 0;
  std::set<unsigned> unmappable;
  bool gone = false;  // the device was removed

  // What happened.
  struct DmaMapping {
    std::uint64_t vaddr = 0, size = 0;
  };
  std::map<std::uint64_t, DmaMapping> mappings;
  int resets = 0, irq_index = -1, map_calls = 0;
  std::vector<std::string> opened;

  // The device that will appear, with the regions of `f` and its config space from the fake tree.
  void add_device(const FakeFunction& f, const std::string& config) {
    bdf_ = f.bdf;
    for (const auto& [i, bar] : f.bars) sizes_[i] = bar.size;
    sizes_[kConfigRegion] = config.size();
    backing_ = Fd{::memfd_create("device", MFD_CLOEXEC)};
    (void)!::ftruncate(backing_.get(), static_cast<off_t>(kRegionStride * (kConfigRegion + 1)));
    poke(kConfigRegion, 0, config.data(), config.size());
  }
  void poke(unsigned region, std::uint64_t offset, const void* data, std::size_t size) {
    (void)!::pwrite(backing_.get(), data, size, static_cast<off_t>(region * kRegionStride + offset));
  }
  std::uint32_t peek32(unsigned region, std::uint64_t offset) const {
    std::uint32_t v = 0;
    (void)!::pread(backing_.get(), &v, sizeof v, static_cast<off_t>(region * kRegionStride + offset));
    return v;
  }
  // The device has left the bus. As the real kernel does, the two ids are answered from a copy all the same.
  void config_all_ones() {
    const std::vector<std::uint8_t> ones(4096 - 4, 0xff);
    poke(kConfigRegion, 4, ones.data(), ones.size());
  }
  bool raise_interrupt() const {
    const std::uint64_t one = 1;
    return event_ >= 0 && ::write(event_, &one, sizeof one) == static_cast<ssize_t>(sizeof one);
  }
  // The host memory behind an I/O virtual address; nullptr where the IOMMU would block.
  std::byte* at(std::uint64_t iova) const {
    auto it = mappings.upper_bound(iova);
    if (it == mappings.begin()) return nullptr;
    --it;
    if (iova - it->first >= it->second.size) return nullptr;
    return reinterpret_cast<std::byte*>(it->second.vaddr + (iova - it->first));
  }

  Result<Fd> open(const std::string& path) override {
    opened.push_back(path);
    for (const auto& [end, error] : open_errors)
      if (path.ends_with(end)) return errno_error(error, "open", path);
    return Fd{::memfd_create("vfio", MFD_CLOEXEC)};
  }

  int control(const Fd&, unsigned long request, void* argument) override {
    switch (request) {
      case VFIO_GET_API_VERSION:
        return VFIO_API_VERSION;
      case VFIO_CHECK_EXTENSION:
        return extension(reinterpret_cast<unsigned long>(argument));
      case VFIO_GROUP_GET_STATUS:
        static_cast<vfio_group_status*>(argument)->flags = viable ? VFIO_GROUP_FLAGS_VIABLE : 0;
        return 0;
      case VFIO_GROUP_SET_CONTAINER:
        joined_ = true;
        return 0;
      case VFIO_SET_IOMMU:
        if (!joined_) return -ENODEV;
        return -set_iommu_error;
      case VFIO_IOMMU_GET_INFO:
        return iommu_info(static_cast<std::byte*>(argument));
      case VFIO_GROUP_GET_DEVICE_FD:
        if (bdf_ != static_cast<char*>(argument) || gone) return -ENODEV;
        return ::fcntl(backing_.get(), F_DUPFD_CLOEXEC, 0);
      case VFIO_IOMMU_MAP_DMA:
        return map_dma(*static_cast<vfio_iommu_type1_dma_map*>(argument));
      case VFIO_IOMMU_UNMAP_DMA:
        return unmap_dma(*static_cast<vfio_iommu_type1_dma_unmap*>(argument));
      default:
        return device_control(request, argument);
    }
  }

  long read(const Fd& fd, void* data, std::size_t size, std::uint64_t offset) override {
    if (gone) return -ENODEV;
    const ssize_t n = ::pread(fd.get(), data, clip(size, offset), static_cast<off_t>(offset));
    return n < 0 ? -errno : n;
  }
  long write(const Fd& fd, const void* data, std::size_t size, std::uint64_t offset) override {
    if (gone) return -ENODEV;
    const ssize_t n = ::pwrite(fd.get(), data, clip(size, offset), static_cast<off_t>(offset));
    return n < 0 ? -errno : n;
  }
  Result<Mapping> map(const Fd& fd, std::uint64_t offset, std::size_t size) override {
    return map_file(fd, offset, size, true, "fake device");
  }

 private:
  std::size_t clip(std::size_t size, std::uint64_t offset) const {
    const auto region = sizes_.find(static_cast<unsigned>(offset / kRegionStride));
    if (region == sizes_.end() || offset % kRegionStride >= region->second) return 0;
    return std::min<std::size_t>(size, region->second - offset % kRegionStride);
  }

  int extension(unsigned long what) const {
    if (what == VFIO_TYPE1v2_IOMMU) return iommu;
    if (what == VFIO_NOIOMMU_IOMMU) return noiommu;
    return 0;
  }

  int iommu_info(std::byte* answer) const {
    vfio_iommu_type1_info head{};
    std::memcpy(&head, answer, sizeof head);
    const std::size_t room = head.argsz;
    const std::size_t at = 32, list = at + sizeof(vfio_iommu_type1_info_cap_iova_range);
    head.argsz = static_cast<__u32>(ranges.empty() ? sizeof head : list + ranges.size() * sizeof ranges[0]);
    head.flags = VFIO_IOMMU_INFO_PGSIZES | (ranges.empty() || room < head.argsz ? 0 : VFIO_IOMMU_INFO_CAPS);
    head.cap_offset = ranges.empty() || room < head.argsz ? 0 : at;
    std::memcpy(answer, &head, sizeof head);
    if (!head.cap_offset) return 0;
    const vfio_info_cap_header cap{.id = VFIO_IOMMU_TYPE1_INFO_CAP_IOVA_RANGE, .version = 1, .next = 0};
    const auto count = static_cast<__u32>(ranges.size());
    std::memcpy(answer + at, &cap, sizeof cap);
    std::memcpy(answer + at + sizeof cap, &count, sizeof count);
    std::memcpy(answer + list, ranges.data(), ranges.size() * sizeof ranges[0]);
    return 0;
  }

  int map_dma(const vfio_iommu_type1_dma_map& m) {
    ++map_calls;
    if (!map_call_exists) return -ENOTTY;
    if (maps_before_error >= 0 && maps_before_error-- == 0) return -map_error;
    if (mappings.size() >= mapping_limit) return -ENOSPC;
    if (m.size == 0 || (m.iova | m.size | m.vaddr) % kDmaPage) return -EINVAL;
    bool inside = false;
    for (const auto& r : ranges) inside |= m.iova >= r.start && m.iova + m.size - 1 <= r.end;
    if (!inside) return -EINVAL;
    const auto next = mappings.lower_bound(m.iova);
    if (next != mappings.end() && next->first < m.iova + m.size) return -EEXIST;
    if (at(m.iova)) return -EEXIST;
    mappings[m.iova] = {m.vaddr, m.size};
    return 0;
  }

  int unmap_dma(vfio_iommu_type1_dma_unmap& u) {
    // type1v2 refuses to cut a mapping in two.
    if (at(u.iova) && !mappings.count(u.iova)) return -EINVAL;
    std::uint64_t done = 0;
    auto it = mappings.lower_bound(u.iova);
    while (it != mappings.end() && it->first + it->second.size <= u.iova + u.size) {
      done += it->second.size;
      it = mappings.erase(it);
    }
    u.size = done;
    return 0;
  }

  int device_control(unsigned long request, void* argument) {
    if (gone) return -ENODEV;
    if (request == VFIO_DEVICE_GET_INFO) {
      auto* info = static_cast<vfio_device_info*>(argument);
      info->flags = VFIO_DEVICE_FLAGS_PCI | (can_reset ? VFIO_DEVICE_FLAGS_RESET : 0);
      info->num_regions = VFIO_PCI_NUM_REGIONS;
      info->num_irqs = VFIO_PCI_NUM_IRQS;
      return 0;
    }
    if (request == VFIO_DEVICE_GET_REGION_INFO) {
      auto* info = static_cast<vfio_region_info*>(argument);
      info->offset = info->index * kRegionStride;
      info->size = sizes_.count(info->index) ? sizes_[info->index] : 0;
      info->flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
      if (info->index < kConfigRegion && !unmappable.count(info->index)) info->flags |= VFIO_REGION_INFO_FLAG_MMAP;
      return 0;
    }
    if (request == VFIO_DEVICE_GET_IRQ_INFO) {
      auto* info = static_cast<vfio_irq_info*>(argument);
      info->flags = VFIO_IRQ_INFO_EVENTFD;
      info->count = info->index == VFIO_PCI_MSIX_IRQ_INDEX ? msix_count : 0;
      if (info->index == VFIO_PCI_MSI_IRQ_INDEX) info->count = msi_count;
      return 0;
    }
    if (request == VFIO_DEVICE_SET_IRQS) return set_irqs(*static_cast<vfio_irq_set*>(argument));
    if (request == VFIO_DEVICE_RESET) return ++resets, 0;
    return -ENOTTY;
  }

  int set_irqs(const vfio_irq_set& set) {
    if (set.flags != (VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER) || set.start != 0 || set.count != 1 ||
        set.argsz != sizeof set + sizeof event_)
      return -EINVAL;
    irq_index = static_cast<int>(set.index);
    std::memcpy(&event_, set.data, sizeof event_);
    return 0;
  }

  std::string bdf_;
  std::map<unsigned, std::uint64_t> sizes_;
  Fd backing_;
  bool joined_ = false;
  std::int32_t event_ = -1;  // owned by the Irq under test
};

}  // namespace hcq::pci::test
