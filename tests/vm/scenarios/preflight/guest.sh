# SPDX-License-Identifier: MIT
bdf=$(function_of 0x1234 0x11e8)
echo "root:x:0:0::/root:/bin/sh
user:x:1000:1000::/tmp:/bin/sh" >/etc/passwd
# finding VIA CHECK: severity and sentence of a check, as one line
finding() { hcq-smi doctor "$bdf" --via "$1" | sed -n "s/^  \([a-z]*\)  *$2  *\(.*\)/\1: \2/p" | grep -v '^fix'; }
is() { # NAME VIA CHECK TEXT
  local found=$(finding "$2" "$3")
  case "$found" in "$4"*) ok "$1" ;; *) not_ok "$1: \"$found\" instead of \"$4\"" ;; esac
}
# The line under a finding, carried out as it stands.
mend() { # VIA CHECK
  local fix=$(hcq-smi doctor "$bdf" --via "$1" | awk -v check="$2" 'mine && sub(/^ *fix: /, "") { print } { mine = $2 == check }')
  echo "fix of $2: $fix"
  [ -n "$fix" ] && sh -c "$fix"
}

check bound_to_another_driver bind "$bdf" uio_pci_generic
check list_shows_the_driver sh -c "hcq-smi list $bdf | grep -q uio_pci_generic"
is driver_blocks sysfs driver "blocks: the kernel driver uio_pci_generic is bound"
check driver_fix mend sysfs driver
is driver_mended sysfs driver "ok: no kernel driver is bound"

is iommu_off vfio iommu-group "blocks: no IOMMU group: the IOMMU is off"
is vfio_loaded vfio vfio-module "ok: loaded"
rmmod vfio_pci
is vfio_missing vfio vfio-module "blocks: the module vfio-pci is not loaded"
says doctor_fails_when_something_blocks "cannot be opened" hcq-smi doctor "$bdf" --via vfio

is compaction sysfs compaction "blocks: the kernel may move locked pages"
check compaction_fix mend sysfs compaction
is compaction_mended sysfs compaction "ok"
is hugepages sysfs hugepages "warning: no hugepages"
check hugepages_fix mend sysfs hugepages
is hugepages_mended sysfs hugepages "ok"
check nothing_blocks_any_more hcq-smi doctor "$bdf" --via sysfs

# An ordinary user, with the limit that such users have.
as_user() { (ulimit -l 64; su user -c "hcq-smi doctor $bdf --via $1"); }
says memlock_low "67108864 bytes wanted, 0 bytes locked already, limit 65536 bytes" as_user vfio
says memlock_fix "fix: ulimit -l unlimited" as_user vfio
says user_has_no_access "no access to /sys/bus/pci/devices/$bdf/config" as_user sysfs
check json sh -c "hcq-smi doctor $bdf --via sysfs --json | grep -q '\"usable\": true'"
