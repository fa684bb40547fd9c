# SPDX-License-Identifier: MIT
# Each case is a stage of the driver's initialization, in its order; the first that fails says where the driver stopped.
cd /root
dmesg -n 7
insmod amdgpu.ko dc=0 ip_block_mask=0xfffffe7f runpm=0 || echo "insmod failed"
said() { dmesg | grep -q "$1"; }
check discovery said 'add ip block number 9 <mes_v11_0>'
check video_bios said 'ATOM BIOS: 113-HCQ-NAVI31'
check memory_controller said 'PCIE GART of 512M enabled'
check secure_os_and_firmware said 'for PSP TMR'
check power_management said 'SMU is initialized successfully'
check rings said 'ring mes_kiq_3.1.0 uses VM inv eng'
check initialized said 'Initialized amdgpu'
device=$(dirname "$(grep -l 0x744c /sys/bus/pci/devices/*/device | head -1)")
check vram_size test "$(cat "$device/mem_info_vram_total")" = 1073741824
temperature=$(cat "$device"/hwmon/hwmon*/temp1_input)
check temperature test "$temperature" -ge 30000 -a "$temperature" -le 90000
# Indirect buffers on every ring; the driver's own, which it also runs by itself some seconds after it was loaded.
mount -t debugfs debugfs /sys/kernel/debug
cat /sys/kernel/debug/dri/0/amdgpu_test_ib >/tmp/ib; cat /tmp/ib
check indirect_buffers grep -q 'ib ring tests passed' /tmp/ib
sleep 3
said 'IB test failed' && not_ok ib_tests_after_load || ok ib_tests_after_load
