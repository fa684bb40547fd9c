# SPDX-License-Identifier: MIT
# Our AMD driver boots the Navi31 model through a real kernel: vfio-pci, an IOMMU, MSI. The program is the host's.
vm_config() {
  memory=2048 limit=150
  modules=(vfio-pci)
  programs=(hcq-run hcq-smi)
  qemu=(-device intel-iommu,intremap=on -device pcie-root-port,id=rp0,chassis=1,slot=1,pref64-reserve=4G)
  "$build/bin/hcq-run" generate --shape 64x64 --seed 1 -o "$work/A.npy" >/dev/null
  "$build/bin/hcq-model" firmware "$work/firmware"
  files=("$work/A.npy:/root/A.npy" "$work/firmware:/lib/firmware")
  model navi31 --shared-vram
}
