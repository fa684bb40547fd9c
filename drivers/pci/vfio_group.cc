// SPDX-License-Identifier: MIT
// IOMMU groups and the container. Which members spoil a group: Linux drivers/iommu/iommu.c (DMA ownership) and the
// drivers that set driver_managed_dma.
#include <dirent.h>
#include <fmt/format.h>
#include <linux/vfio.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "drivers/pci/binding.h"
#include "drivers/pci/lock.h"
#include "drivers/pci/scan.h"
#include "drivers/pci/vfio_kernel.h"

namespace hcq::pci {

namespace {

constexpr std::uint32_t kClassBridge = 0x06;

bool harmless_driver(const std::string& driver) {
  return driver.empty() || driver == kVfioDriver || driver == "pci-stub" || driver.starts_with("vfio");
}

std::vector<std::string> group_members(const std::string& directory) {
  std::vector<std::string> members;
  if (DIR* d = ::opendir(directory.c_str())) {
    while (const dirent* e = ::readdir(d))
      if (e->d_name[0] != '.') members.emplace_back(e->d_name);
    ::closedir(d);
  }
  std::sort(members.begin(), members.end());
  return members;
}

// Valid ranges from VFIO_IOMMU_GET_INFO. The answer grows with its capabilities: the first call says how large it is.
Result<std::vector<IovaRange>> iova_ranges(VfioKernel& kernel, const Fd& container) {
  std::vector<std::byte> answer(sizeof(vfio_iommu_type1_info));
  for (int call = 0; call < 2; ++call) {
    vfio_iommu_type1_info head{};
    head.argsz = static_cast<__u32>(answer.size());
    std::memcpy(answer.data(), &head, sizeof head);
    if (const int r = kernel.control(container, VFIO_IOMMU_GET_INFO, answer.data()); r < 0)
      return errno_error(-r, "vfio/info", "IOMMU");
    std::memcpy(&head, answer.data(), sizeof head);
    if (head.argsz <= answer.size()) break;
    answer.resize(std::min<std::size_t>(head.argsz, 1u << 20));
  }
  const ByteReader reader(answer, "VFIO_IOMMU_GET_INFO");
  const auto head = HCQ_TRY(reader.get<vfio_iommu_type1_info>(0));
  std::vector<IovaRange> ranges;
  std::uint64_t at = (head.flags & VFIO_IOMMU_INFO_CAPS) ? head.cap_offset : 0;
  for (unsigned n = 0; at != 0 && n < 64; ++n) {
    const auto cap = HCQ_TRY(reader.get<vfio_info_cap_header>(at));
    if (cap.id == VFIO_IOMMU_TYPE1_INFO_CAP_IOVA_RANGE) {
      const auto count =
          HCQ_TRY(reader.get<std::uint32_t>(at + offsetof(vfio_iommu_type1_info_cap_iova_range, nr_iovas)));
      const std::uint64_t list = at + sizeof(vfio_iommu_type1_info_cap_iova_range);
      for (std::uint64_t i = 0; i < count; ++i) {
        const auto r = HCQ_TRY(reader.get<vfio_iova_range>(list + i * sizeof(vfio_iova_range)));
        ranges.push_back({r.start, r.end});
      }
    }
    at = cap.next;
  }
  // Kernels before 5.4 do not say. 39 bits are the least that IOMMUs of server and desktop chips translate.
  if (ranges.empty()) ranges.push_back({1ull << 32, (1ull << 39) - 1});
  return ranges;
}

Error container_error(const std::string& bdf, int err, const char* operation, const std::string& path) {
  Error e = on_device(errno_error(err, operation, path), bdf);
  if (e.code == Errc::permission) e.hint = fmt::format("give your user access to {}, or run as root", path);
  if (e.code == Errc::not_found) e.hint = "load the module: modprobe vfio-pci disable_idle_d3=1";
  return e;
}

Result<Fd> open_group(const Host& host, const std::string& bdf, const std::string& node, VfioKernel& kernel) {
  auto fd = kernel.open(node);
  if (fd.ok()) return fd;
  Error e = std::move(fd).error();
  e.device = bdf;
  if (e.code == Errc::busy) {
    const auto holder = opener_of(host, node);
    e.detail = fmt::format("the group is in use by {}", describe(holder.value_or(LockHolder{})));
    e.hint = "end that process first";
  }
  if (e.code == Errc::permission) e.hint = fmt::format("give your user access to {}, or run as root", node);
  return e;
}

}  // namespace

std::string group_node(const Host& host, unsigned group) {
  const std::string noiommu = fmt::format("{}/vfio/noiommu-{}", host.dev, group);
  return path_exists(noiommu) ? noiommu : fmt::format("{}/vfio/{}", host.dev, group);
}

Result<std::vector<GroupOffender>> group_offenders(const Host& host, unsigned group) {
  std::vector<GroupOffender> offenders;
  const std::string directory = fmt::format("{}/kernel/iommu_groups/{}/devices", host.sysfs, group);
  for (const std::string& bdf : group_members(directory)) {
    const std::string d = host.device_directory(bdf);
    const std::string driver = link_name(d + "/driver");
    if (harmless_driver(driver)) continue;
    const auto class_code = read_number(d + "/class");
    if (!class_code.ok()) return on_device(class_code.error(), bdf);
    if (*class_code >> 16 == kClassBridge && driver == "pcieport") continue;
    std::string reason;
    if (const std::string pf = link_name(d + "/physfn"); !pf.empty())
      reason = fmt::format("a virtual function of {} in the same group", pf);
    else if (path_exists(d + "/virtfn0")) reason = "a physical function whose virtual functions share its group";
    offenders.push_back({bdf, driver, reason});
  }
  return offenders;
}

Status check_group(const Host& host, const std::string& bdf, unsigned group) {
  auto offenders = HCQ_TRY(group_offenders(host, group));
  std::erase_if(offenders, [&](const GroupOffender& o) { return o.bdf == bdf; });
  if (offenders.empty()) return {};
  std::string list;
  for (const GroupOffender& o : offenders) {
    list += fmt::format("{}{} on {}", list.empty() ? "" : ", ", o.bdf, o.driver);
    if (!o.reason.empty()) list += fmt::format(" ({})", o.reason);
  }
  return Error{.code = Errc::refused,
               .device = bdf,
               .operation = "open",
               .subject = fmt::format("IOMMU group {}", group),
               .detail = fmt::format("not usable because of {}", list),
               .hint = "unbind these or bind them to vfio-pci"};
}

Result<std::shared_ptr<VfioContainer>> open_container(const Host& host, const std::string& bdf, unsigned group,
                                                      std::shared_ptr<VfioKernel> kernel) {
  auto c = std::make_shared<VfioContainer>();
  c->kernel = kernel;
  const std::string node = group_node(host, group);
  c->noiommu = node.find("/noiommu-") != std::string::npos;
  const std::string path = host.dev + "/vfio/vfio";
  auto container = kernel->open(path);
  if (!container.ok()) {
    Error e = on_device(std::move(container).error(), bdf);
    if (e.code == Errc::not_found) e.hint = "load the module: modprobe vfio-pci disable_idle_d3=1";
    if (e.code == Errc::permission) e.hint = fmt::format("give your user access to {}, or run as root", path);
    return e;
  }
  c->container = std::move(*container);
  const int version = kernel->control(c->container, VFIO_GET_API_VERSION, nullptr);
  if (version < 0) return container_error(bdf, -version, "vfio/version", path);
  if (version != VFIO_API_VERSION)
    return Error{.code = Errc::unsupported,
                 .device = bdf,
                 .operation = "vfio/version",
                 .expected = VFIO_API_VERSION,
                 .actual = static_cast<std::uint64_t>(version),
                 .detail = "the kernel speaks another VFIO version"};
  const unsigned long model = c->noiommu ? VFIO_NOIOMMU_IOMMU : VFIO_TYPE1v2_IOMMU;
  if (kernel->control(c->container, VFIO_CHECK_EXTENSION, reinterpret_cast<void*>(model)) <= 0)
    return Error{.code = Errc::unsupported,
                 .device = bdf,
                 .operation = "vfio/extension",
                 .subject = c->noiommu ? "no-IOMMU" : "type1v2",
                 .detail = "the kernel does not offer this IOMMU model",
                 .hint = "modprobe vfio_iommu_type1"};

  c->group = HCQ_TRY(open_group(host, bdf, node, *kernel));
  vfio_group_status status{.argsz = sizeof status, .flags = 0};
  if (const int r = kernel->control(c->group, VFIO_GROUP_GET_STATUS, &status); r < 0)
    return container_error(bdf, -r, "vfio/group_status", node);
  if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE)) {
    HCQ_TRY(check_group(host, bdf, group));
    return Error{.code = Errc::refused,
                 .device = bdf,
                 .operation = "open",
                 .subject = fmt::format("IOMMU group {}", group),
                 .detail = "the kernel says that the group is not viable"};
  }
  int container_fd = c->container.get();
  if (const int r = kernel->control(c->group, VFIO_GROUP_SET_CONTAINER, &container_fd); r < 0)
    return container_error(bdf, -r, "vfio/set_container", node);
  if (const int r = kernel->control(c->container, VFIO_SET_IOMMU, reinterpret_cast<void*>(model)); r < 0) {
    Error e = container_error(bdf, -r, "vfio/set_iommu", node);
    if (r == -EPERM && !c->noiommu)
      e.hint = "the platform does not remap interrupts; vfio_iommu_type1 allow_unsafe_interrupts=1 accepts that";
    return e;
  }
  if (!c->noiommu) {
    auto ranges = iova_ranges(*kernel, c->container);
    if (!ranges.ok()) return on_device(std::move(ranges).error(), bdf);
    c->ranges = std::move(*ranges);
  }
  return c;
}

}  // namespace hcq::pci
