# SPDX-License-Identifier: MIT
cd /root
echo 0 >/proc/sys/vm/compact_unevictable_allowed
bdf=$(function_of 0x1002 0x744c)
check model_present test -n "$bdf"
check matmul hcq-run matmul A.npy A.npy -o C.npy --verify --device "pci:$bdf?via=sysfs"
