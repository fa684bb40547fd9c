# SPDX-License-Identifier: MIT
bdf=$(basename "$(grep -l 0x11e8 /sys/bus/pci/devices/*/device | head -1 | xargs dirname)")
check edu_present test -n "$bdf"
echo vfio-pci >/sys/bus/pci/devices/$bdf/driver_override
echo $bdf >/sys/bus/pci/drivers_probe
check vfio_bound test -e /sys/bus/pci/drivers/vfio-pci/$bdf
vm_pci_edu vfio $bdf
check vfio_iommu_fault_in_kernel_log sh -c 'dmesg | grep -qE "DMAR.*(fault|Fault)"'
