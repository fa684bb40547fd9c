# SPDX-License-Identifier: MIT
# The same without VFIO and without an IOMMU: resource files, locked memory, physical addresses, no interrupt.
vm_config() {
  memory=2048
  programs=(hcq-run)
  qemu=(-device pcie-root-port,id=rp0,chassis=1,slot=1,pref64-reserve=4G)
  "$build/bin/hcq-run" generate --shape 64x64 --seed 1 -o "$work/A.npy" >/dev/null
  "$build/bin/hcq-model" firmware "$work/firmware"
  files=("$work/A.npy:/root/A.npy" "$work/firmware:/lib/firmware")
  model navi31 --shared-vram
}
