// SPDX-License-Identifier: MIT
#include "tests/support/isa_runner.h"

#include "compute/codegen/compile.h"
#include "drivers/am/code_object.h"
#include "tests/support/isa_machine.h"

namespace hcq::test {

Status run_on_isa(const ir::Kernel& kernel, Buffers& buffers) {
  using compute::codegen::TargetKind;
  const auto object = HCQ_TRY(compute::codegen::compile_uncached(kernel, {TargetKind::amdgpu, "gfx1100", "", 32}));
  am::CodeObject code = HCQ_TRY(am::load_code_object(object.bytes, "gfx1100"));
  const am::Kernel k = *HCQ_TRY(code.find(object.name));

  IsaMachine machine;
  const std::uint64_t base = machine.alloc(code.image.size());
  HCQ_TRY(code.place(base));
  machine.memory.write(base, code.image.data(), code.image.size());
  IsaKernel loaded;
  loaded.entry = base + k.entry;
  loaded.rsrc1 = k.rsrc1;
  loaded.rsrc2 = k.rsrc2;
  loaded.rsrc3 = k.rsrc3;
  loaded.lds_bytes = k.lds_bytes;
  loaded.scratch_bytes = k.private_bytes;
  loaded.properties = k.properties;
  loaded.wave32 = k.wave32;

  std::vector<std::uint64_t> args;
  for (const auto& b : buffers) args.push_back(machine.upload(b));
  const auto report = machine.launch(loaded, {object.groups.x, object.groups.y, object.groups.z},
                                     {object.block.x, object.block.y, object.block.z}, args.data(), 8 * args.size());
  if (report.outcome != models::isa::Outcome::done)
    return Error{.code = Errc::device_fault,
                 .operation = "run on the ISA engine",
                 .subject = kernel.name,
                 .actual = static_cast<std::uint64_t>(report.outcome),
                 .address = report.address,
                 .detail = report.text};
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (kernel.params[i].written) buffers[i] = machine.download<std::byte>(args[i], buffers[i].size());
  return {};
}

}  // namespace hcq::test
