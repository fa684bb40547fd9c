# SPDX-License-Identifier: MIT
bdf=$(function_of 0x1234 0x11e8)
check edu_present test -n "$bdf"
check vfio_bound bind "$bdf" vfio-pci
# Behind a root port the kernel resets this device by resetting the link below the port.
check reset_is_of_the_bus grep -q bus "/sys/bus/pci/devices/$bdf/reset_method"
vm_pci_edu vfio "$bdf" >/tmp/edu.out 2>&1
cat /tmp/edu.out
# What was blocked is in the kernel's log, with its address.
faults() {
  address=$(sed -n "s/^blocked: .*$1 0x\([0-9a-f]*\).*/\1/p" /tmp/edu.out)
  test -n "$address" && dmesg | grep -q "DMAR:.*\[DMA $2.*fault addr 0x$address"
}
check kernel_reports_read_of_unmapped faults "never mapped" Read
check kernel_reports_write_after_unmap faults "unmapped again" Write
check kernel_reports_read_after_unmap faults "unmapped again" Read
