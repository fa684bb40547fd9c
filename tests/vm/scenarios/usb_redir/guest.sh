# SPDX-License-Identifier: MIT
vm_usb_client
