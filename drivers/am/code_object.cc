// SPDX-License-Identifier: MIT
#include "drivers/am/code_object.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "drivers/am/abi/kernel_descriptor.h"
#include "drivers/am/code_object_layout.h"
#include "drivers/am/elf_file.h"

namespace hcq::am {
namespace {

// e_flags of AMDGPU (LLVM AMDGPUUsage, "Target" and "e_flags"): the processor in [7:0], XNACK in [9:8].
constexpr std::uint32_t kMachMask = 0xff, kXnackMask = 0x300, kXnackOn = 0x300;
struct Processor {
  std::uint32_t mach;
  std::string_view name;
};
constexpr Processor kProcessors[] = {
    {0x2c, "gfx900"},  {0x2f, "gfx906"},  {0x30, "gfx908"},  {0x33, "gfx1010"}, {0x36, "gfx1030"}, {0x37, "gfx1031"},
    {0x38, "gfx1032"}, {0x3f, "gfx90a"},  {0x40, "gfx940"},  {0x41, "gfx1100"}, {0x43, "gfx1150"}, {0x44, "gfx1103"},
    {0x46, "gfx1101"}, {0x47, "gfx1102"}, {0x48, "gfx1200"}, {0x4a, "gfx1151"}, {0x4b, "gfx941"},  {0x4c, "gfx942"},
    {0x4e, "gfx1201"}, {0x4f, "gfx950"},  {0x55, "gfx1152"}, {0x58, "gfx1153"},
};

constexpr std::string_view kDescriptorSuffix = ".kd";
constexpr std::uint64_t kEntryAlign = 256;

Status check_target(const ElfFile& elf, std::string_view arch) {
  const std::uint32_t flags = elf.header().e_flags;
  const std::string_view built_for = processor_name(flags);
  if (built_for != arch || (flags & kXnackMask) == kXnackOn)
    return Error{.code = Errc::unsupported,
                 .operation = "load code object",
                 .subject = elf.subject(),
                 .detail = fmt::format(
                     "built for {}{}, but the device is {}",
                     built_for.empty() ? fmt::format("processor {:#x}", flags & kMachMask) : std::string(built_for),
                     (flags & kXnackMask) == kXnackOn ? ":xnack+" : "", arch),
                 .hint = fmt::format("compile it for {}", arch)};
  return {};
}

bool reserved_bits_clear(const abi::KernelDescriptor& d) {
  namespace p = abi::code_properties;
  constexpr std::uint16_t known = p::ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER.mask | p::ENABLE_SGPR_DISPATCH_PTR.mask |
                                  p::ENABLE_SGPR_QUEUE_PTR.mask | p::ENABLE_SGPR_KERNARG_SEGMENT_PTR.mask |
                                  p::ENABLE_SGPR_DISPATCH_ID.mask | p::ENABLE_SGPR_FLAT_SCRATCH_INIT.mask |
                                  p::ENABLE_SGPR_PRIVATE_SEGMENT_SIZE.mask | p::ENABLE_WAVEFRONT_SIZE32.mask |
                                  p::USES_DYNAMIC_STACK.mask;
  const auto zero = [](std::uint8_t b) { return b == 0; };
  return d.reserved0 == 0 && std::all_of(std::begin(d.reserved1), std::end(d.reserved1), zero) &&
         std::all_of(std::begin(d.reserved2), std::end(d.reserved2), zero) && (d.kernel_code_properties & ~known) == 0;
}

Result<Kernel> read_kernel(const ElfFile& elf, const Layout& layout, std::string_view name, std::uint64_t at) {
  const ByteReader image(layout.image, elf.subject());
  const auto d = HCQ_TRY(image.get<abi::KernelDescriptor>(at));
  if (!reserved_bits_clear(d)) return elf.corrupt(fmt::format("descriptor of {}: reserved bits are set", name), at);
  if (d.kernarg_preload != 0)
    return Error{.code = Errc::unsupported,
                 .operation = "load code object",
                 .subject = std::string(name),
                 .detail = "the kernel wants preloaded arguments"};
  const std::uint64_t entry = at + static_cast<std::uint64_t>(d.kernel_code_entry_byte_offset);
  if (entry % kEntryAlign != 0 || !layout.executable(entry, sizeof(std::uint32_t)))
    return elf.corrupt(fmt::format("descriptor of {}: the entry {:#x} is not in code or not aligned", name, entry), at);
  Kernel k{.name = std::string(name),
           .descriptor = at,
           .entry = entry,
           .lds_bytes = d.group_segment_fixed_size,
           .private_bytes = d.private_segment_fixed_size,
           .kernarg_bytes = d.kernarg_size,
           .rsrc1 = d.compute_pgm_rsrc1,
           .rsrc2 = d.compute_pgm_rsrc2,
           .rsrc3 = d.compute_pgm_rsrc3,
           .properties = d.kernel_code_properties};
  k.wave32 = (k.properties & abi::code_properties::ENABLE_WAVEFRONT_SIZE32.mask) != 0;
  k.vgprs = (abi::rsrc1::VGPRS.in(k.rsrc1) + 1) * (k.wave32 ? 8 : 4);
  return k;
}

}  // namespace

std::string_view processor_name(std::uint32_t e_flags) {
  for (const Processor& p : kProcessors)
    if (p.mach == (e_flags & kMachMask)) return p.name;
  return {};
}

Result<CodeObject> load_code_object(Bytes bytes, std::string_view arch, std::string subject) {
  const ElfFile elf = HCQ_TRY(ElfFile::parse(bytes, std::move(subject)));
  HCQ_TRY(check_target(elf, arch));
  Layout layout = HCQ_TRY(lay_out(elf));
  CodeObject out;
  for (const Layout::Defined& s : layout.symbols) {
    if (!s.name.ends_with(kDescriptorSuffix) || s.type != STT_OBJECT) continue;
    const std::string_view name = s.name.substr(0, s.name.size() - kDescriptorSuffix.size());
    const auto same = [&](const Kernel& k) { return k.name == name; };
    if (std::any_of(out.kernels.begin(), out.kernels.end(), same)) continue;  // also in the other symbol table
    out.kernels.push_back(HCQ_TRY(read_kernel(elf, layout, name, s.offset)));
  }
  if (out.kernels.empty()) return elf.corrupt("there is no kernel descriptor in it", 0);
  out.arch = std::string(arch);
  out.image = std::move(layout.image);
  out.fixups = std::move(layout.fixups);
  return out;
}

Result<const Kernel*> CodeObject::find(std::string_view name) const {
  if (name.empty() && kernels.size() == 1) return &kernels.front();
  std::string known;
  for (const Kernel& k : kernels) {
    if (k.name == name) return &k;
    known += (known.empty() ? "" : ", ") + k.name;
  }
  return Error{
      .code = Errc::not_found,
      .operation = "load code object",
      .subject = std::string(name),
      .detail = (name.empty() ? "a kernel must be named; there are: " : "no such kernel; there are: ") + known};
}

Status CodeObject::place(std::uint64_t base) {
  for (const Fixup& f : fixups) {
    const std::uint64_t value = base + f.addend;
    const bool wide = f.kind == Fixup::Kind::abs64;
    if (f.kind == Fixup::Kind::abs32 && (value >> 32) != 0)
      return Error{.code = Errc::unsupported,
                   .operation = "load code object",
                   .subject = "R_AMDGPU_ABS32",
                   .actual = value,
                   .detail = "the code holds a 32-bit address, but the image lies above 4 GiB"};
    const std::uint32_t half = f.kind == Fixup::Kind::abs32_hi ? hi32(value) : lo32(value);
    if (wide) std::memcpy(image.data() + f.offset, &value, sizeof value);
    else std::memcpy(image.data() + f.offset, &half, sizeof half);
  }
  return {};
}

Status check_kernel(const Kernel& k, const KernelLimits& limits) {
  namespace p = abi::code_properties;
  const auto unsupported = [&](std::string detail) {
    return Error{.code = Errc::unsupported, .operation = "load kernel", .subject = k.name, .detail = std::move(detail)};
  };
  const auto too_large = [&](std::uint64_t limit, std::uint64_t actual, std::string detail) {
    Error e = unsupported(std::move(detail));
    e.expected = limit;
    e.actual = actual;
    return e;
  };
  if (k.lds_bytes > limits.lds_bytes)
    return too_large(limits.lds_bytes, k.lds_bytes, "more local memory (LDS) than a workgroup can have");
  if (k.vgprs > limits.vgprs) return too_large(limits.vgprs, k.vgprs, "more vector registers than a wave can have");
  if (k.kernarg_bytes > limits.kernarg_bytes)
    return too_large(limits.kernarg_bytes, k.kernarg_bytes, "more kernel arguments than the argument ring takes");
  if (k.private_bytes > limits.private_bytes)
    return too_large(limits.private_bytes, k.private_bytes, "more private memory (scratch) per work-item than allowed");
  const std::pair<std::uint16_t, const char*> refused[] = {
      {p::ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER.mask, "a private segment buffer"},
      {p::ENABLE_SGPR_DISPATCH_PTR.mask, "the dispatch packet pointer"},
      {p::ENABLE_SGPR_QUEUE_PTR.mask, "the queue pointer"},
      {p::ENABLE_SGPR_DISPATCH_ID.mask, "the dispatch id"},
      {p::ENABLE_SGPR_FLAT_SCRATCH_INIT.mask, "flat scratch initialisation"},
      {p::ENABLE_SGPR_PRIVATE_SEGMENT_SIZE.mask, "the private segment size"}};
  for (const auto& [mask, what] : refused)
    if (k.properties & mask)
      return unsupported(
          fmt::format("the kernel wants {} in its scalar registers, which this driver does not set up", what));
  if (k.properties & p::USES_DYNAMIC_STACK.mask)
    return unsupported("the kernel's stack has no size known at compile time");
  // LLVM pads the count on gfx11 (user SGPR initialisation bug), so it may be larger than what the bits ask for.
  const std::uint32_t wanted = k.properties & p::ENABLE_SGPR_KERNARG_SEGMENT_PTR.mask ? 2 : 0;
  const std::uint32_t count = abi::rsrc2::USER_SGPR.in(k.rsrc2);
  if (count < wanted || count > kMaxUserSgprs) return too_large(kMaxUserSgprs, count, "count of user scalar registers");
  if (abi::rsrc2::LDS_SIZE.in(k.rsrc2) != 0) return unsupported("the descriptor has an LDS size in COMPUTE_PGM_RSRC2");
  return {};
}

}  // namespace hcq::am
