# SPDX-License-Identifier: MIT
# The lab itself: the kernel boots, busybox runs, a module with its dependencies loads. Fails before any driver test does.
vm_config() { modules=(vfio-pci); }
