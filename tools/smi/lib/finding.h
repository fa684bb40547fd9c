// SPDX-License-Identifier: MIT
// What both halves of the doctor use to write a finding.
#pragma once

#include <string>
#include <utility>

#include "base/file.h"
#include "tools/smi/lib/doctor.h"

namespace hcq::smi {

inline pci::Finding good(std::string what, std::string seen) {
  return {std::move(what), pci::Severity::ok, std::move(seen), {}};
}
inline pci::Finding note(std::string what, pci::Severity severity, std::string seen, std::string fix) {
  return {std::move(what), severity, std::move(seen), std::move(fix)};
}

// Contents of a small file, empty where it cannot be read.
inline std::string text_of(const std::string& path) {
  auto text = read_text(path);
  return text.ok() ? *text : std::string{};
}

}  // namespace hcq::smi
