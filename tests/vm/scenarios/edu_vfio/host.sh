# SPDX-License-Identifier: MIT
# drivers/pci over VFIO with an IOMMU, against QEMU's edu device. Behind a root port, so that a hot reset exists.
vm_config() {
  modules=(vfio-pci)
  programs=("$build/tests/vm_pci_edu")
  qemu=(-device intel-iommu,intremap=on -device pcie-root-port,id=rp0,chassis=1,slot=1
        -device edu,bus=rp0,dma_mask=0xffffffffffff)
}
