// SPDX-License-Identifier: MIT
// Checks an ELF relocatable object before the linker sees it: that it is for this machine, that every table and every
// relocation lies inside the file and its section, and that it refers to nothing outside but what abi.h allows.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace hcq::cpu {

struct ObjectSummary {
  std::vector<std::string> kernels;  // NAME of every hcq.NAME that comes with a function NAME
};

Result<ObjectSummary> check_object(Bytes object);

}  // namespace hcq::cpu
