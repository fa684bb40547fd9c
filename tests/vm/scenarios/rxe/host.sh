# SPDX-License-Identifier: MIT
# Linux's soft RoCE against our RoCEv2: the guest's network is a datagram socket, and models/fabric is at its other end.
# RXE_CAPTURE=FILE keeps the traffic as a pcap file.
vm_config() {
  for f in "$build/tests/vm_rxe_peer" "$build/tests/vm_rxe_client" /usr/bin/rdma /usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so; do
    [ -e "$f" ] || skip "$f is missing (scripts/install-packages tests/vm/packages.txt, then configure and build again)"
  done
  limit=240
  modules=(virtio_pci virtio_net crc32_generic ib_uverbs rdma_rxe)
  programs=("$build/tests/vm_rxe_client" /usr/bin/rdma)
  files=(/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so:/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so
         /etc/libibverbs.d/rxe.driver:/etc/libibverbs.d/rxe.driver)
  spawn peer "$build/tests/vm_rxe_peer" "$work/host.net" "$work/guest.net" "$work/control" ${RXE_CAPTURE:+"$RXE_CAPTURE"}
  for _ in $(seq 100); do [ -S "$work/control" ] && break; sleep 0.1; done
  qemu=(-netdev "dgram,id=n0,local.type=unix,local.path=$work/guest.net,remote.type=unix,remote.path=$work/host.net"
        -device virtio-net-pci,netdev=n0,mac=52:54:00:00:00:01,host_mtu=4500
        -chardev "socket,id=control,path=$work/control" -device isa-serial,chardev=control,index=1)
}
