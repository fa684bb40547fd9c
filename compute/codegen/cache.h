// SPDX-License-Identifier: MIT
// Compiled kernels by content: in memory for the process, and in files under $HCQ_CACHE (default ~/.cache/hcq, or
// $XDG_CACHE_HOME/hcq) for the next one. HCQ_CACHE set to an empty text switches the files off. A file that is cut,
// damaged or of another key is ignored, said once in one log line, and written anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "compute/codegen/codegen.h"

namespace hcq::compute::codegen {

// Everything the object depends on: the kernel's contents and symbol, the target, LLVM's version, our own version.
std::string cache_key(const ir::Kernel& kernel, const Target& target);

class Cache {
 public:
  // `directory` empty: memory only. It is made on the first put().
  explicit Cache(std::string directory) : directory_(std::move(directory)) {}
  static Cache& process();

  // Both are thread-safe and never fail for the caller: a cache that cannot read or write is no cache.
  std::optional<std::vector<std::byte>> find(const std::string& key);
  void put(const std::string& key, Bytes object);

  std::string path_of(const std::string& key) const;  // of its file

 private:
  std::optional<std::vector<std::byte>> read(const std::string& key);

  std::string directory_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::vector<std::byte>> memory_;
};

}  // namespace hcq::compute::codegen
