// SPDX-License-Identifier: MIT
// Where schedules run. The tensor layer knows only this interface; behind it stand the interpreter and, through
// hcq::Device, every kind of hardware.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "compute/schedule/schedule.h"

namespace hcq::compute {

class Executor;

// Memory that an executor made. Dropping it frees it (executors defer that until the device is done with it).
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual Executor& executor() const = 0;
};

// The value of one tensor: in host memory, in one executor's memory, or in both. Never changes once it has a value.
struct Storage {
  ir::DType dtype;
  Shape shape;
  std::vector<std::byte> host;  // all of it, or empty
  std::shared_ptr<DeviceMemory> device;
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(elements(shape)) * dtype.bytes(); }
  bool has_value() const { return device || host.size() == bytes(); }
};
using StorageRef = std::shared_ptr<Storage>;

// One thread at a time. Must outlive the storage it has given memory to.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual const std::string& name() const = 0;
  // Runs the kernels in order and waits for the end. storage[i] stands for schedule.buffers[i]: inputs have a value,
  // outputs get one, the others are null (the executor provides them).
  virtual Status run(const schedule::Schedule& schedule, std::span<const StorageRef> storage) = 0;
  // Fills storage.host from its device memory, which must be this executor's.
  virtual Status download(Storage& storage) = 0;
};

// Makes sure that host holds the value.
Status bring_to_host(Storage& storage);

// Runs kernels in ir::interpret. `optimize` applies the same optimizer as for a device with the given limits, so that
// tests can compare optimized with plain kernels.
struct InterpreterOptions {
  bool optimize = false;
};
std::unique_ptr<Executor> make_interpreter(InterpreterOptions options = {});

}  // namespace hcq::compute
