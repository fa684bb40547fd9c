// SPDX-License-Identifier: MIT
// Compiled kernels, kept at two levels. MemoryCache, for this process, is asked with the kernel itself. DiskCache, for
// the next one, is asked with the LLVM IR that was made of it, so that an object is never older than the code generator
// that reads it back; making the IR takes a small part of the time that compiling it takes.
//
// Files are under $HCQ_CACHE (default $XDG_CACHE_HOME/hcq or ~/.cache/hcq); HCQ_CACHE set to an empty text means none.
// A file that is cut, damaged or of another key is ignored, said in one log line, and written anew.
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

// What a kernel's object depends on within one process: contents and symbol of the kernel, and the target.
std::string kernel_key(const ir::Kernel& kernel, const Target& target);

// Thread-safe.
class MemoryCache {
 public:
  std::optional<std::vector<std::byte>> find(const std::string& key);
  void put(const std::string& key, Bytes object);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::vector<std::byte>> objects_;
};

// Thread-safe and safe against other processes (files are replaced whole). Neither call fails for the caller: a cache
// that cannot read or write is no cache.
class DiskCache {
 public:
  // `directory` is made on the first put(); empty: nothing is kept.
  explicit DiskCache(std::string directory) : directory_(std::move(directory)) {}
  static std::string default_directory();

  std::optional<std::vector<std::byte>> find(const std::string& key) const;
  void put(const std::string& key, Bytes object) const;
  std::string path_of(const std::string& key) const;  // of its file

 private:
  std::string directory_;
};

}  // namespace hcq::compute::codegen
