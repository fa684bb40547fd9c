// SPDX-License-Identifier: MIT
#include "drivers/pci/open.h"

#include "base/file.h"
#include "drivers/pci/binding.h"
#include "drivers/pci/sysfs.h"
#include "drivers/pci/vfio.h"

namespace hcq::pci {

Via choose_via(const Host& host, const std::string& bdf) {
  const std::string d = host.device_directory(bdf);
  if (link_name(d + "/driver") == kVfioDriver) return Via::vfio;
  const auto type = read_text(d + "/iommu_group/type");
  return type.ok() && type->starts_with("DMA") ? Via::vfio : Via::sysfs;
}

Result<std::unique_ptr<Function>> open_function(const Host& host, std::string_view address, OpenOptions options) {
  const std::string bdf = HCQ_TRY(parse_bdf(address));
  const Via via = options.via == Via::automatic ? choose_via(host, bdf) : options.via;
  if (via == Via::vfio) {
    VfioOptions o;
    o.unbind_driver = options.unbind_driver;
    return std::unique_ptr<Function>(HCQ_TRY(VfioFunction::open(host, bdf, o)));
  }
  return std::unique_ptr<Function>(HCQ_TRY(SysfsFunction::open(host, bdf, {.unbind_driver = options.unbind_driver})));
}

}  // namespace hcq::pci
