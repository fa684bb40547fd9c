# SPDX-License-Identifier: MIT
# The socket between the QEMU bridge and the model: malformed messages in both directions end the connection with one
# line, the card is off the bus for the guest, and the model takes the next connection. Native hot-plug as in am_surprise.
vm_config() {
  memory=1024
  modules=(vfio-pci)
  programs=(hcq-run)
  qemu=(-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off
        -device intel-iommu,intremap=on -device pcie-root-port,id=rp0,chassis=1,slot=1,pref64-reserve=4G)
  "$build/bin/hcq-model" firmware "$work/firmware"
  files=("$work/firmware:/lib/firmware")
  prepare_bridge
  serve model "navi31?vram=256M"
  mkfifo "$work/orders"
  spawn tamper "$build/tests/vm_tamper" "$work/tampered.sock" "$work/model.sock" "$work/orders"
  for _ in $(seq 100); do [ ! -S "$work/tampered.sock" ] || break; sleep 0.1; done
  machine="$machine,memory-backend=ram"
  qemu+=(-object "memory-backend-memfd,id=ram,size=${memory}M,share=on"
         -device "hcq-pci-model,id=first,bus=rp0,path=$work/tampered.sock")
}
lines() { cat "$log" "$work/model.log" | grep -cE "$1" || true; }
# send NAME: a message to the host must be answered by the bridge, one to the model by the model.
host_send() {
  local line before
  case "$1" in
    host_cut) line='hcq-pci-model: .*the device has left the bus' ;;
    host_*) line='hcq-pci-model: .*malformed message; the device has left the bus' ;;
    model_cut) line='hcq-pci-model: .*the device has left the bus' ;;
    *) line='hcq: warn: navi31: connection of QEMU .* closed: model protocol: ' ;;
  esac
  before=$(lines "$line")
  echo "$1" >"$work/orders"
  for _ in $(seq 100); do
    [ "$(lines "$line")" -le "$before" ] || return 0
    sleep 0.2
  done
  echo "no line \"$line\" after $1"
  return 1
}
host_plug() {
  for _ in $(seq 150); do
    monitor "device_add hcq-pci-model,id=$1,bus=rp0,addr=0,path=$work/tampered.sock" && return 0
    sleep 0.2
  done
  return 1
}
vm_cleanup() {
  host_case no_violation no_violation
  host_case model_lives kill -0 "${pid_of[model]}"
}
