# SPDX-License-Identifier: MIT
cd /root
card() { # NAME BDF MIB
  check "$1.bar" test "$(bar_mib "$2")" = "$3"
  check "$1.doctor" hcq-smi doctor "$2" --via sysfs
  check "$1.matmul" hcq-run matmul A.npy A.npy -o C.npy --verify --device "pci:$2?via=sysfs"
  check "$1.matmul_warm" hcq-run matmul A.npy A.npy -o C.npy --verify --device "pci:$2?via=sysfs"
}
set -- $(functions_of 0x1002 0x744c)
check two_cards test $# = 2
says compaction_is_refused "compact_unevictable_allowed=0" hcq-run info --device "pci:$1?via=sysfs"
sysctl -w vm.compact_unevictable_allowed=0
card large "$1" 1024
# Killed at an unknown point: nothing stops the card for us here, as no IOMMU stands before the memory it knows.
hcq-run matmul A.npy A.npy -o C.npy --repeat 1000000 --device "pci:$1?via=sysfs" >/dev/null 2>&1 &
sleep 3
kill -9 $!
check works_after_a_killed_process hcq-run matmul A.npy A.npy -o C.npy --verify --device "pci:$1?via=sysfs"
card small "$2" 256
