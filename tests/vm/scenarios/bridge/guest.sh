# SPDX-License-Identifier: MIT
bdf=$(function_of 0x1002 0x744c)
d=/sys/bus/pci/devices/$bdf
for message in host_length host_type host_reply host_vector host_short host_cut \
               model_length model_type model_size model_outside model_reply model_greeting model_region model_cut; do
  check $message.ends_the_connection host send $message
  check $message.removed within 60 test ! -e "$d"
  check $message.plugged_again host plug $message
  within 60 test -e "$d/vendor" || not_ok "$message.appeared"
done
check bound bind "$bdf" vfio-pci
check works_after_all_that hcq-run info --device "pci:$bdf?via=vfio"
