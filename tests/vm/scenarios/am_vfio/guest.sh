# SPDX-License-Identifier: MIT
cd /root
card() { # NAME BDF MIB
  check "$1.bar" test "$(bar_mib "$2")" = "$3"
  check "$1.has_flr" grep -q flr "/sys/bus/pci/devices/$2/reset_method"
  says "$1.iommu_translates" "the IOMMU translates" hcq-smi doctor "$2" --via sysfs
  check "$1.vfio_bound" bind "$2" vfio-pci
  check "$1.doctor" hcq-smi doctor "$2" --via vfio
  check "$1.smi_list" sh -c "hcq-smi list | grep -q '^$2.*vfio-pci.*free'"
  check "$1.info" hcq-run info --device "pci:$2?via=vfio"
  check "$1.matmul" hcq-run matmul A.npy A.npy -o C.npy --verify --device "pci:$2?via=vfio"
  check "$1.matmul_warm" hcq-run matmul A.npy A.npy -o C.npy --verify --device "pci:$2?via=vfio"
}
set -- $(functions_of 0x1002 0x744c)
check two_cards test $# = 2
card large "$1" 16384
card small "$2" 256
