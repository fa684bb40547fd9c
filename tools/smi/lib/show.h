// SPDX-License-Identifier: MIT
// `hcq-smi show`: one device in full.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/smi/lib/json.h"
#include "tools/smi/lib/target.h"

namespace hcq::smi {

struct Portrait {
  struct Block {
    std::string name;  // "GC"
    unsigned instance = 0;
    std::string version;  // "11.0.0"
  };
  struct Ras {
    std::string block;
    std::uint64_t uncorrectable = 0, correctable = 0;
  };
  Target target;
  std::vector<std::pair<std::string, std::string>> identity;  // "vbios_version", "unique_id", ...: what is there
  std::vector<std::pair<std::string, std::string>> firmware;  // block, version
  std::string firmware_source;                                // whose word that is: "amdgpu", "files of this machine"
  std::vector<Block> blocks;
  std::vector<Ras> ras;
  std::vector<pci::LockHolder> holders, users;
  std::vector<std::string> group_members;
  std::vector<std::string> path;  // bridges between the device and the root, nearest first, with their link
};

Portrait portrait_of(const pci::Host& host, const Target& target);
std::string portrait_text(const pci::Host& host, const Portrait& p);
json portrait_json(const pci::Host& host, const Portrait& p);

}  // namespace hcq::smi
