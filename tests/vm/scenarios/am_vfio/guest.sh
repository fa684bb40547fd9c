# SPDX-License-Identifier: MIT
cd /root
bdf=$(basename "$(grep -l 0x744c /sys/bus/pci/devices/*/device | head -1 | xargs dirname)")
check model_present test -n "$bdf"
check smi_lists_it sh -c "hcq-smi list | grep -q $bdf"
echo vfio-pci >/sys/bus/pci/devices/$bdf/driver_override
echo $bdf >/sys/bus/pci/drivers_probe
check vfio_bound test -e /sys/bus/pci/drivers/vfio-pci/$bdf
check info hcq-run info --device "pci:$bdf?via=vfio"
check matmul hcq-run matmul A.npy A.npy -o C.npy --verify --device "pci:$bdf?via=vfio"
check again_warm hcq-run matmul A.npy A.npy -o C.npy --verify --device "pci:$bdf?via=vfio"
