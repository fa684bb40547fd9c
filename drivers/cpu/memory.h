// SPDX-License-Identifier: MIT
// Memory of the CPU device. A device address is the host address. Every allocation is known, so that a copy to a wrong
// address is a device fault with that address, as on a GPU, and not a crash of the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "hcq/device.h"

namespace hcq::cpu {

// The address ranges that commands may touch. Thread-safe.
class RangeTable {
 public:
  void add(std::uint64_t address, std::uint64_t size);
  void remove(std::uint64_t address);
  bool contains(std::uint64_t address, std::uint64_t size) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::uint64_t> ranges_;
};

// Page-aligned zeroed storage, listed in a RangeTable while it lives.
class Storage {
 public:
  static Result<std::shared_ptr<Storage>> create(std::uint64_t size, std::shared_ptr<RangeTable> table);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  std::byte* data() const { return data_; }

 private:
  Storage(std::byte* data, std::uint64_t mapped, std::shared_ptr<RangeTable> table)
      : data_(data), mapped_(mapped), table_(std::move(table)) {}
  std::byte* data_;
  std::uint64_t mapped_;
  std::shared_ptr<RangeTable> table_;
};

}  // namespace hcq::cpu
