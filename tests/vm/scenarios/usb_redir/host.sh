# SPDX-License-Identifier: MIT
# A USB device model outside the machine, behind QEMU's usb-redir and xHCI; unmodified libusb in the guest.
vm_config() {
  for f in "$build/tests/vm_usb_echo" "$build/tests/vm_usb_client"; do
    [ -e "$f" ] || skip "$f is missing (scripts/install-packages tests/vm/packages.txt, then configure and build again)"
  done
  modules=(xhci_pci)
  programs=("$build/tests/vm_usb_client")
  spawn usb "$build/tests/vm_usb_echo" "$work/usb.sock"
  for _ in $(seq 100); do [ -S "$work/usb.sock" ] && break; sleep 0.1; done
  qemu=(-chardev "socket,id=usb,path=$work/usb.sock" -device qemu-xhci,id=xhci -device usb-redir,chardev=usb,bus=xhci.0)
}
