# SPDX-License-Identifier: MIT
interface=$(ls /sys/class/net | grep -v lo | head -1)
ip addr add 10.0.0.1/24 dev $interface
ip link set $interface mtu 4500 up
check rxe_link rdma link add rxe0 type rxe netdev $interface
vm_rxe_client /dev/ttyS1
