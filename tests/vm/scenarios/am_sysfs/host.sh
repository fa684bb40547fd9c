# SPDX-License-Identifier: MIT
# The same without VFIO and without an IOMMU: resource files, locked memory with physical addresses from pagemap, no interrupt.
# Two cards: one whose BAR shows all of its VRAM, and one with a BAR of 256 MiB whose VRAM is not shared memory.
vm_config() {
  memory=2048
  programs=(hcq-run hcq-smi)
  qemu=(-device pcie-root-port,id=rp0,chassis=1,slot=1,pref64-reserve=4G
        -device pcie-root-port,id=rp1,chassis=1,slot=2,pref64-reserve=1G)
  "$build/bin/hcq-run" generate --shape 64x64 --seed 1 -o "$work/A.npy" >/dev/null
  "$build/bin/hcq-model" firmware "$work/firmware"
  files=("$work/A.npy:/root/A.npy" "$work/firmware:/lib/firmware")
  bus=rp0 model "navi31?vram=1G" --shared-vram
  bus=rp1 model "navi31?vram=512M&bar0=256M"
}

vm_cleanup() { host_case no_violation no_violation; }
