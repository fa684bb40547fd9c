# SPDX-License-Identifier: MIT
# The worst moments: two processes want one card, the function is reset while kernels run, the card dies while kernels
# run and takes its link down, and another one is plugged into the slot. Native PCI Express hot-plug, as on a server.
vm_config() {
  memory=1536
  modules=(vfio-pci)
  programs=(hcq-run hcq-smi)
  qemu=(-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off
        -device intel-iommu,intremap=on -device pcie-root-port,id=rp0,chassis=1,slot=1,pref64-reserve=4G)
  "$build/bin/hcq-run" generate --shape 64x64 --seed 1 -o "$work/A.npy" >/dev/null
  "$build/bin/hcq-model" firmware "$work/firmware"
  files=("$work/A.npy:/root/A.npy" "$work/firmware:/lib/firmware")
  model "navi31?vram=512M"
}
host_kill_model() { end model KILL; }
# The old one may still be on its way out of the slot.
host_plug() {
  serve model "navi31?vram=512M" || return 1
  for _ in $(seq 150); do
    monitor "device_add hcq-pci-model,id=$1,bus=rp0,addr=0,path=$work/model.sock" && return 0
    sleep 0.2
  done
  return 1
}
