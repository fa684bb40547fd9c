// SPDX-License-Identifier: MIT
// Memory that two processes see: a model's VRAM, or the host memory that a model in another process is allowed to use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.h"
#include "base/file.h"

namespace hcq::models {

// A memfd of `bytes`, all zero and without pages yet, sealed so that it can neither shrink nor grow: whoever maps it
// cannot be killed by the other side truncating it. `name` shows up in /proc.
Result<Fd> sealed_memory(const std::string& name, std::uint64_t bytes);

// Ok when `file` is a memfd that cannot shrink and holds at least `bytes`.
Status check_sealed(const Fd& file, std::uint64_t bytes);

// A sparse file of fixed size that hands out runs of pages. Thread-safe.
class SharedArena {
 public:
  static Result<std::unique_ptr<SharedArena>> create(std::uint64_t bytes);

  int fd() const { return file_.get(); }
  std::byte* data() const { return map_.data(); }
  std::uint64_t size() const { return map_.size(); }

  // Zeroed memory of whole pages, or nullptr when no run is long enough.
  std::byte* allocate(std::uint64_t bytes);
  // Gives pages back to the system too; what still reads there finds zeros.
  void release(std::byte* data, std::uint64_t bytes);

 private:
  SharedArena(Fd file, Mapping map);

  Fd file_;
  Mapping map_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::uint64_t> free_;  // offset to length; neighbours are merged
};

}  // namespace hcq::models
