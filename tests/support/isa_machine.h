// SPDX-License-Identifier: MIT
// A bare machine for the ISA engine: sparse memory behind a MemoryPort, and kernels made in process from assembly or
// LLVM IR text, loaded and dispatched without any driver.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "models/isa/isa.h"

namespace hcq::test {

// Major version of the LLVM that makes the kernels. LLVM 19's assembler does not know the names of 16-bit register
// halves and its parser not the IR of later versions; tests that need either say so and are skipped.
int llvm_version();

class IsaMemory : public models::isa::MemoryPort {
 public:
  // Backs [va, va + bytes) with zeroed pages; `allowed`: mask of Access.
  void map(std::uint64_t va, std::uint64_t bytes, std::uint8_t allowed = 0xf);
  void unmap(std::uint64_t va, std::uint64_t bytes);
  models::isa::Translation translate(std::uint64_t va, models::isa::Access access) override;
  std::uint64_t generation() const override { return generation_; }
  void write(std::uint64_t va, const void* data, std::size_t bytes) { copy(va, const_cast<void*>(data), bytes, true); }
  void read(std::uint64_t va, void* data, std::size_t bytes) { copy(va, data, bytes, false); }
  std::uint64_t translations() const { return translations_; }

 private:
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  struct Mapping {
    std::unique_ptr<Page> page;
    std::uint8_t allowed;
  };
  void copy(std::uint64_t va, void* data, std::size_t bytes, bool write);
  std::mutex mutex_;
  std::map<std::uint64_t, Mapping> pages_;
  std::atomic<std::uint64_t> generation_{1};
  std::atomic<std::uint64_t> translations_{0};
};

// A loaded kernel and what its descriptor says.
struct IsaKernel {
  std::uint64_t entry = 0;
  std::uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  std::uint32_t lds_bytes = 0, scratch_bytes = 0;  // per workgroup, per work-item
  std::uint16_t properties = 0;
  bool wave32 = true;
};

class IsaMachine {
 public:
  explicit IsaMachine(unsigned workers = 0);

  IsaMemory memory;
  std::atomic<bool> stop{false};
  models::isa::Engine& engine() { return *engine_; }

  std::uint64_t alloc(std::uint64_t bytes);
  template <class T>
  std::uint64_t upload(const std::vector<T>& data) {
    const auto va = alloc(data.size() * sizeof(T));
    memory.write(va, data.data(), data.size() * sizeof(T));
    return va;
  }
  template <class T>
  std::vector<T> download(std::uint64_t va, std::size_t count) {
    std::vector<T> out(count);
    memory.read(va, out.data(), count * sizeof(T));
    return out;
  }

  // Assembles a kernel body; all 256 (wave64: 256) VGPRs, 16 user SGPRs and the three workgroup ids are enabled, so
  // that s[0:15] hold user data and s16..s18 the ids.
  IsaKernel assemble(const std::string& text, bool wave32 = true, std::uint32_t lds_bytes = 0);
  // Compiles LLVM IR text and loads kernel `name`. Level 0: no optimisation at all; 2: default O2.
  IsaKernel compile(const std::string& ir, const std::string& name, unsigned level, bool wave32 = true);
  // The machine code of `text` alone.
  static std::vector<std::byte> assemble_bytes(const std::string& text, bool wave32);

  models::isa::Dispatch dispatch(const IsaKernel& kernel, std::array<std::uint32_t, 3> groups,
                                 std::array<std::uint32_t, 3> block, const void* args, std::size_t bytes);
  models::isa::Report run(const models::isa::Dispatch& dispatch) { return engine_->run(dispatch, memory, stop); }
  // Dispatches a compiled kernel with packed arguments and runs it.
  models::isa::Report launch(const IsaKernel& kernel, std::array<std::uint32_t, 3> groups,
                             std::array<std::uint32_t, 3> block, const void* args, std::size_t bytes) {
    return run(dispatch(kernel, groups, block, args, bytes));
  }

 private:
  std::unique_ptr<models::isa::Engine> engine_;
  std::uint64_t next_ = 0x10'0000'0000;
};

}  // namespace hcq::test
