# SPDX-License-Identifier: MIT
cd /root
bdf=$(function_of 0x1002 0x744c)
d=/sys/bus/pci/devices/$bdf
device="pci:$bdf?via=vfio"
matmul() { hcq-run matmul A.npy A.npy -o C.npy --verify --device "$device"; }

# Interrupts tell that kernels run: each ends with one.
interrupts() { sed -n 's/^ *[0-9]*: *\([0-9]*\) *\([0-9]*\) .*vfio.*/\1 \2/p' /proc/interrupts | awk '{ n += $1 + $2 } END { print n + 0 }'; }
running() { [ "$(interrupts)" -gt 30 ]; }
start() { # a run that does not end by itself
  hcq-run matmul A.npy A.npy -o C.npy --repeat 1000000 --device "$device" >/tmp/run.out 2>&1 &
  pid=$!
  within 60 running
}
told() { grep -q 'hcq-run: ' /tmp/run.out; }
gone() { ! kill -0 "$pid" 2>/dev/null; }
# ends NAME TEXT: the run ends by itself with an error that says TEXT. The time is reported, and limited only so far that a
# busy machine cannot fail this; tests/model/served_navi31.cc holds the driver to a second.
ends() {
  local since=$(now) took code
  within 40 told
  took=$(($(now) - since))
  if ! within 40 gone; then not_ok "$1: told after $took ms, but still there"; cat /tmp/run.out; return; fi
  wait "$pid"
  code=$?
  echo "$1: told after $took ms, gone after $(($(now) - since)) ms, exit code $code: $(cat /tmp/run.out)"
  if [ $code = 1 ] && grep -q "$2" /tmp/run.out; then ok "$1"; else not_ok "$1: exit code $code"; fi
}

check bound bind "$bdf" vfio-pci
check works matmul
check kernels_run start
says second_process_is_told_the_pid "in use by pid $pid (hcq-run" matmul
check smi_shows_the_holder sh -c "hcq-smi list | grep -q 'pid $pid (hcq-run'"
says doctor_shows_the_holder "in use by pid $pid (hcq-run" hcq-smi doctor "$bdf"

echo 1 >"$d/reset"
ends reset_while_kernels_run "was reset by somebody else"
check works_after_reset matmul

check kernels_run_again start
host kill_model
ends card_dies_while_kernels_run "device lost"
check kernel_removed_it within 60 test ! -e "$d"
check plugged host plug second
check appeared within 60 test -e "$d/vendor"
check bound_after_plug bind "$bdf" vfio-pci
check works_after_plug matmul
