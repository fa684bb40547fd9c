# SPDX-License-Identifier: MIT
check kernel test -n "$(uname -r)"
check vfio test -c /dev/vfio/vfio
