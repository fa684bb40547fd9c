# SPDX-License-Identifier: MIT
# drivers/pci over bare sysfs (resource files, locked memory with physical addresses), against QEMU's edu device.
vm_config() {
  programs=("$build/tests/vm_pci_edu")
  qemu=(-device pcie-root-port,id=rp0,chassis=1,slot=1 -device edu,bus=rp0,dma_mask=0xffffffffffff)
}
