# SPDX-License-Identifier: MIT
# Our AMD driver boots the Navi31 model through a real kernel: vfio-pci, an IOMMU, MSI. The program is the host's. Two
# cards: one whose BAR shows all of its 16 GiB, and one with a BAR of 256 MiB whose VRAM is not shared memory, so that
# the model sees every access.
vm_config() {
  memory=2048
  modules=(vfio-pci)
  programs=(hcq-run hcq-smi)
  qemu=(-device intel-iommu,intremap=on -device pcie-root-port,id=rp0,chassis=1,slot=1,pref64-reserve=32G
        -device pcie-root-port,id=rp1,chassis=1,slot=2,pref64-reserve=1G)
  "$build/bin/hcq-run" generate --shape 64x64 --seed 1 -o "$work/A.npy" >/dev/null
  "$build/bin/hcq-model" firmware "$work/firmware"
  files=("$work/A.npy:/root/A.npy" "$work/firmware:/lib/firmware")
  bus=rp0 model "navi31?vram=16G" --shared-vram
  bus=rp1 model "navi31?vram=512M&bar0=256M"
}

vm_cleanup() { host_case no_violation no_violation; }
