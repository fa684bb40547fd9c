// SPDX-License-Identifier: MIT
// What a kernel for the CPU device looks like. The code object is an ELF relocatable object for the host. For each
// kernel NAME it defines two global symbols:
//
//   NAME           a function of type Kernel: runs one whole workgroup, looping over its work-items itself
//   hcq.NAME       a constant of type KernelInfo: what the loader and exec() must know
//
// A compiler bakes the block size into the function. Besides its own symbols the object may only refer to those of
// kAllowedImports: memory routines, and what LLVM calls where a processor has no instruction for it.
#pragma once

#include <array>
#include <cstdint>

namespace hcq::cpu::abi {

// `kernargs`: KernelInfo::kernarg_bytes bytes, 64-byte aligned, unchanged while the dispatch runs. Pointers in them are
// device addresses, which on this device are host addresses. `local`: KernelInfo::local_bytes bytes of the workgroup's
// own, 64-byte aligned, with undefined content.
using Kernel = void (*)(const void* kernargs, std::uint32_t group_x, std::uint32_t group_y, std::uint32_t group_z,
                        void* local);

struct KernelInfo {
  std::uint32_t magic;          // kMagic
  std::uint32_t version;        // kVersion
  std::uint32_t kernarg_bytes;  // exact
  std::uint32_t local_bytes;    // at most kMaxLocalBytes
  std::uint32_t block[3];       // work-items of a workgroup that the function runs
  std::uint32_t reserved;       // 0
  char arch[32];                // LLVM processor name it was compiled for, zero-terminated
};
static_assert(sizeof(KernelInfo) == 64);

inline constexpr std::uint32_t kMagic = 0x4b514348;  // "HCQK"
inline constexpr std::uint32_t kVersion = 1;
inline constexpr char kInfoPrefix[] = "hcq.";
inline constexpr std::uint32_t kMaxLocalBytes = 1u << 20;
inline constexpr std::uint32_t kMaxKernargBytes = 16384;
inline constexpr std::uint32_t kMaxBlock = 1024;

inline constexpr std::array kAllowedImports{"memcpy", "memmove",      "memset",       "fmaxf",        "fminf",
                                            "fmax",   "fmin",         "truncf",       "trunc",        "fmaf",
                                            "fma",    "__truncsfhf2", "__truncdfhf2", "__extendhfsf2"};

}  // namespace hcq::cpu::abi
