# SPDX-License-Identifier: MIT
bdf=$(function_of 0x1234 0x11e8)
check edu_present test -n "$bdf"
# With compaction of locked pages allowed (the kernel's default) physical addresses may change: refused, and said so.
check compaction_refused sh -c "vm_pci_edu sysfs $bdf 2>&1 | grep -q 'compact_unevictable_allowed=0'"
echo 0 >/proc/sys/vm/compact_unevictable_allowed
sysctl -q -w vm.nr_hugepages=8
vm_pci_edu sysfs "$bdf"
