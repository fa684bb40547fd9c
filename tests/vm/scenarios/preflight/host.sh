# SPDX-License-Identifier: MIT
# What hcq-smi doctor says on a real kernel about a machine that is not ready, and that the line it prints mends it. No
# IOMMU here; the card is QEMU's edu device.
vm_config() {
  memory=1536
  modules=(vfio-pci uio_pci_generic)
  programs=(hcq-smi)
  qemu=(-device pcie-root-port,id=rp0,chassis=1,slot=1 -device edu,bus=rp0)
}
