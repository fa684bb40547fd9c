// SPDX-License-Identifier: MIT
// What a program that opens devices does when the user interrupts it: the devices are left unable to write to memory
// (bus mastering off), one line on stderr says so, and the exit code is 128 + the signal's number. Nothing else is
// taken back; the next program that opens a device finds out how it was left and resets it.
#pragma once

namespace hcq::cli {

// For SIGINT, SIGTERM and SIGHUP, as far as the parent has not chosen to ignore them. Call it once, at the start of
// main before there is any thread; `program` is a string literal. A second signal, or two seconds, end the process
// at once.
void stop_devices_on_signals(const char* program);

}  // namespace hcq::cli
