# SPDX-License-Identifier: MIT
# The vendor's own Linux driver, Debian's unmodified amdgpu module, probes the Navi31 model with the vendor's firmware.
# docs/vendor-driver-status.md says how far it gets and which options it is given. HCQ_VM_RECORD=FILE keeps a trace.
kernel=6.12

vm_config() {
  local dir=${HCQ_FIRMWARE_PATH:-} f chain
  for f in psp_13_0_0_sos psp_13_0_0_ta smu_13_0_0 gc_11_0_0_rlc gc_11_0_0_mes_2 sdma_6_0_0; do
    [ -n "$dir" ] && [ -f "$dir/amdgpu/$f.bin" ] ||
      skip "HCQ_FIRMWARE_PATH has no amdgpu/$f.bin (Debian package firmware-amd-graphics)"
  done
  memory=2048
  # What amdgpu depends on is loaded before; amdgpu itself by the guest's script, which gives it options.
  chain=$(modprobe -d "$cache/$kernel/root" -S "$release" --show-depends amdgpu | sed -n 's/^insmod \([^ ]*\).*/\1/p')
  mapfile -t modules < <(sed '$d; s,.*/,,; s,\.ko.*,,' <<<"$chain")
  xz -dc "$(tail -1 <<<"$chain")" >"$work/amdgpu.ko"
  mkdir -p "$work/firmware/amdgpu"
  cp "$dir"/amdgpu/{psp_13_0_0,smu_13_0_0,gc_11_0_0,sdma_6_0_0}*.bin "$work/firmware/amdgpu/"
  files=("$work/amdgpu.ko:/root/amdgpu.ko" "$work/firmware/amdgpu:/lib/firmware/amdgpu")
  qemu=(-device pcie-root-port,id=rp0,chassis=1,slot=1,pref64-reserve=4G)
  model 'navi31?sos=600' --shared-vram ${HCQ_VM_RECORD:+--record "$HCQ_VM_RECORD"}
}

# The queues of processes of the driver's self test are what the model's scheduler lacks.
vm_cleanup() {
  cp "$work/model.log" "${log%.log}.model.log"
  host_case no_violation no_violation ' mes.not_modelled '
}
