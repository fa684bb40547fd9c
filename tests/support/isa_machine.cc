// SPDX-License-Identifier: MIT
#include "tests/support/isa_machine.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include <cstdio>
#include <cstdlib>

namespace hcq::test {
namespace {

using models::isa::Access;
constexpr const char* kTriple = "amdgcn-amd-amdhsa";
constexpr std::uint64_t kPage = 4096;

[[noreturn]] void fail(const std::string& text) {
  std::fprintf(stderr, "isa_machine: %s\n", text.c_str());
  std::abort();
}

std::unique_ptr<llvm::TargetMachine> machine(bool wave32, unsigned level) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  LLVMInitializeAMDGPUAsmParser();
  std::string error;
#if LLVM_VERSION_MAJOR >= 21
  const llvm::Triple triple(kTriple);
#else
  const std::string triple = kTriple;
#endif
  const auto* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) fail(error);
  const auto opt = level == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  const char* features = wave32 ? "+wavefrontsize32,-wavefrontsize64" : "-wavefrontsize32,+wavefrontsize64";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "gfx1100", features, llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt, opt));
}

void optimize(llvm::Module& module, llvm::TargetMachine& tm) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&tm);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

llvm::SmallVector<char, 0> make_object(const std::string& ir, unsigned level, bool wave32) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString("target triple = \"amdgcn-amd-amdhsa\"\n" + ir, diagnostic, context);
  if (!module) fail(diagnostic.getMessage().str() + " in: " + diagnostic.getLineContents().str());
  const auto tm = machine(wave32, level);
  module->setDataLayout(tm->createDataLayout());
  for (auto& function : *module) {
    function.addFnAttr("target-cpu", "gfx1100");
    function.addFnAttr("target-features", wave32 ? "+wavefrontsize32" : "+wavefrontsize64");
  }
  if (level > 0) optimize(*module, *tm);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  if (tm->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile)) fail("no object writer");
  passes.run(*module);
  return bytes;
}

template <class T>
T must(llvm::Expected<T> v) {
  if (!v) fail(llvm::toString(v.takeError()));
  return std::move(*v);
}

using Object = llvm::object::ELFObjectFile<llvm::object::ELF64LE>;

// An object laid out at an address: allocated sections in order, relocated, with a table of addresses behind them for
// the relocations that go through one.
struct Image {
  std::uint64_t base;
  std::vector<std::byte> bytes;
  std::map<std::string, std::uint64_t> symbols;
};

Image link(const Object& object, std::uint64_t base) {
  Image image{base, {}, {}};
  std::map<std::uint64_t, std::uint64_t> placed;  // section index -> address
  for (const auto& section : object.sections()) {
    const llvm::object::ELFSectionRef elf(section);
    if (!(elf.getFlags() & llvm::ELF::SHF_ALLOC)) continue;
    image.bytes.resize((image.bytes.size() + 255) / 256 * 256);
    placed[section.getIndex()] = base + image.bytes.size();
    if (section.isBSS()) {
      image.bytes.resize(image.bytes.size() + section.getSize());
      continue;
    }
    const auto contents = must(section.getContents());
    const auto* data = reinterpret_cast<const std::byte*>(contents.data());
    image.bytes.insert(image.bytes.end(), data, data + contents.size());
  }
  const auto address_of = [&](const llvm::object::SymbolRef& symbol) {
    const auto section = must(symbol.getSection());
    if (section == object.section_end()) fail("undefined symbol " + must(symbol.getName()).str());
    return placed.at(section->getIndex()) + must(symbol.getValue());
  };
  for (const auto& symbol : object.symbols()) {
    const auto section = must(symbol.getSection());
    if (section != object.section_end() && placed.contains(section->getIndex()))
      image.symbols[must(symbol.getName()).str()] = address_of(symbol);
  }
  image.bytes.resize((image.bytes.size() + 63) / 64 * 64);
  for (const auto& section : object.sections()) {
    const auto target = must(section.getRelocatedSection());
    if (target == object.section_end() || !placed.contains(target->getIndex())) continue;
    for (const auto& reloc : section.relocations()) {
      std::uint64_t s = address_of(*reloc.getSymbol());
      const auto a = static_cast<std::uint64_t>(must(llvm::object::ELFRelocationRef(reloc).getAddend()));
      const std::uint64_t p = placed.at(target->getIndex()) + reloc.getOffset();
      const auto type = reloc.getType();
      if (type == llvm::ELF::R_AMDGPU_GOTPCREL32_LO || type == llvm::ELF::R_AMDGPU_GOTPCREL32_HI) {
        const std::uint64_t slot = base + image.bytes.size();
        const auto* data = reinterpret_cast<const std::byte*>(&s);
        image.bytes.insert(image.bytes.end(), data, data + 8);
        s = slot;
      }
      std::uint64_t value = s + a - p;
      std::size_t size = 4;
      switch (type) {
        case llvm::ELF::R_AMDGPU_REL64:
          size = 8;
          break;
        case llvm::ELF::R_AMDGPU_REL32_LO:
        case llvm::ELF::R_AMDGPU_GOTPCREL32_LO:
          break;
        case llvm::ELF::R_AMDGPU_REL32_HI:
        case llvm::ELF::R_AMDGPU_GOTPCREL32_HI:
          value >>= 32;
          break;
        case llvm::ELF::R_AMDGPU_ABS64:
          value = s + a;
          size = 8;
          break;
        case llvm::ELF::R_AMDGPU_ABS32_LO:
          value = s + a;
          break;
        case llvm::ELF::R_AMDGPU_ABS32_HI:
          value = (s + a) >> 32;
          break;
        default:
          fail("relocation type " + std::to_string(type));
      }
      std::memcpy(image.bytes.data() + (p - base), &value, size);
    }
  }
  return image;
}

std::unique_ptr<llvm::object::ObjectFile> open(const llvm::SmallVector<char, 0>& bytes) {
  return must(llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), "object")));
}

std::string as_module(const std::string& assembly) {
  std::string out;
  std::size_t start = 0;
  while (start < assembly.size()) {
    const auto end = std::min(assembly.find('\n', start), assembly.size());
    std::string line;
    for (const char c : assembly.substr(start, end - start)) line += c == '"' ? std::string("\\22") : std::string(1, c);
    out += "module asm \"" + line + "\"\n";
    start = end + 1;
  }
  return out;
}

}  // namespace

int llvm_version() { return LLVM_VERSION_MAJOR; }

void IsaMemory::map(std::uint64_t va, std::uint64_t bytes, std::uint8_t allowed) {
  std::lock_guard lock(mutex_);
  for (std::uint64_t page = va / kPage; page <= (va + bytes - 1) / kPage; ++page) {
    auto& mapping = pages_[page];
    if (!mapping.page) mapping.page = std::make_unique<Page>();
    mapping.allowed = allowed;
  }
  ++generation_;
}

void IsaMemory::unmap(std::uint64_t va, std::uint64_t bytes) {
  std::lock_guard lock(mutex_);
  for (std::uint64_t page = va / kPage; page <= (va + bytes - 1) / kPage; ++page) pages_.erase(page);
  ++generation_;
}

models::isa::Translation IsaMemory::translate(std::uint64_t va, Access access) {
  std::lock_guard lock(mutex_);
  ++translations_;
  const Access kind = access == Access::scalar ? Access::read : access;
  const auto found = pages_.find(va / kPage);
  if (found == pages_.end() || !(found->second.allowed & static_cast<std::uint8_t>(kind))) return {};
  return {found->second.page->bytes, found->second.allowed};
}

void IsaMemory::copy(std::uint64_t va, void* data, std::size_t bytes, bool write) {
  std::lock_guard lock(mutex_);
  auto* cursor = static_cast<std::byte*>(data);
  while (bytes > 0) {
    const auto found = pages_.find(va / kPage);
    if (found == pages_.end()) fail("host access to an unmapped page");
    auto* host = found->second.page->bytes + va % kPage;
    const std::size_t n = std::min<std::size_t>(bytes, kPage - va % kPage);
    write ? std::memcpy(host, cursor, n) : std::memcpy(cursor, host, n);
    cursor += n;
    va += n;
    bytes -= n;
  }
}

IsaMachine::IsaMachine(unsigned workers) {
  auto engine = models::isa::Engine::create("gfx1100", workers);
  if (!engine) fail(describe(engine.error()));
  engine_ = std::move(engine).value();
}

std::uint64_t IsaMachine::alloc(std::uint64_t bytes) {
  const std::uint64_t va = next_;
  memory.map(va, std::max<std::uint64_t>(bytes, 1));
  next_ += (bytes + 2 * kPage - 1) / kPage * kPage + kPage;  // an unmapped page lies between allocations
  return va;
}

std::vector<std::byte> IsaMachine::assemble_bytes(const std::string& text, bool wave32) {
  const auto object = make_object(as_module(text), 0, wave32);
  const auto file = open(object);
  for (const auto& section : file->sections()) {
    if (must(section.getName()) != ".text") continue;
    const auto contents = must(section.getContents());
    const auto* data = reinterpret_cast<const std::byte*>(contents.data());
    return {data, data + contents.size()};
  }
  fail("no .text");
}

IsaKernel IsaMachine::assemble(const std::string& text, bool wave32, std::uint32_t lds_bytes) {
  const auto code = assemble_bytes(text, wave32);
  IsaKernel kernel;
  kernel.entry = upload(code);
  kernel.wave32 = wave32;
  constexpr std::uint32_t kFloatMode = 0xf0, kDx10Clamp = 1u << 21, kIeee = 1u << 23;
  kernel.rsrc1 = (wave32 ? 31u : 63u) | kFloatMode << 12 | kDx10Clamp | kIeee;
  kernel.rsrc2 = 16u << 1 | 7u << 7 | 2u << 11;
  kernel.lds_bytes = lds_bytes;
  return kernel;
}

IsaKernel IsaMachine::compile(const std::string& ir, const std::string& name, unsigned level, bool wave32) {
  const auto object = make_object(ir, level, wave32);
  const auto file = open(object);
  const std::uint64_t base = next_;
  const Image image = link(llvm::cast<Object>(*file), base);
  if (alloc(image.bytes.size()) != base) fail("layout moved");
  memory.write(base, image.bytes.data(), image.bytes.size());
  const auto found = image.symbols.find(name + ".kd");
  if (found == image.symbols.end()) fail("no kernel " + name);
  const std::byte* descriptor = image.bytes.data() + (found->second - base);
  const auto field = [&](std::size_t offset, auto& value) { std::memcpy(&value, descriptor + offset, sizeof value); };
  IsaKernel kernel;
  std::int64_t offset = 0;
  field(0, kernel.lds_bytes);
  field(4, kernel.scratch_bytes);
  field(16, offset);
  field(44, kernel.rsrc3);
  field(48, kernel.rsrc1);
  field(52, kernel.rsrc2);
  field(56, kernel.properties);
  kernel.entry = found->second + static_cast<std::uint64_t>(offset);
  kernel.wave32 = (kernel.properties >> 10 & 1) != 0;
  return kernel;
}

models::isa::Dispatch IsaMachine::dispatch(const IsaKernel& kernel, std::array<std::uint32_t, 3> groups,
                                           std::array<std::uint32_t, 3> block, const void* args, std::size_t bytes) {
  models::isa::Dispatch d;
  d.entry = kernel.entry;
  d.rsrc1 = kernel.rsrc1;
  d.rsrc2 = kernel.rsrc2 | (kernel.lds_bytes + 511) / 512 << 15;
  d.rsrc3 = kernel.rsrc3;
  d.wave32 = kernel.wave32;
  for (int n = 0; n < 3; ++n) {
    d.groups[n] = groups[static_cast<std::size_t>(n)];
    d.block[n] = block[static_cast<std::size_t>(n)];
  }
  d.shared_aperture = std::uint64_t{1} << 48;
  d.private_aperture = std::uint64_t{2} << 48;
  // Arguments, and a dispatch packet behind them for code that asks for one.
  const std::uint64_t kernarg = alloc(bytes + 512);
  if (bytes > 0) memory.write(kernarg, args, bytes);
  const std::uint64_t packet = kernarg + (bytes + 256 + 63) / 64 * 64;
  const std::uint16_t sizes[3] = {static_cast<std::uint16_t>(block[0]), static_cast<std::uint16_t>(block[1]),
                                  static_cast<std::uint16_t>(block[2])};
  const std::uint32_t grid[3] = {groups[0] * block[0], groups[1] * block[1], groups[2] * block[2]};
  memory.write(packet + 4, sizes, sizeof sizes);
  memory.write(packet + 12, grid, sizeof grid);
  std::size_t next = 0;
  const auto user = [&](std::uint64_t v) {
    d.user_data[next++] = static_cast<std::uint32_t>(v);
    d.user_data[next++] = static_cast<std::uint32_t>(v >> 32);
  };
  if (kernel.properties == 0) {
    user(kernarg);
  } else {
    if (kernel.properties & 1) user(0), user(0);
    if (kernel.properties & 2) user(packet);
    if (kernel.properties & 4) user(0);
    if (kernel.properties & 8) user(kernarg);
    if (kernel.properties & 16) user(0);
  }
  const std::uint32_t per_lane = (std::max(kernel.scratch_bytes, 16u) + 15) / 16 * 16;
  const bool dynamic = (kernel.properties >> 11 & 1) != 0;
  if (kernel.scratch_bytes > 0 || dynamic) {
    d.scratch_wave_bytes = (dynamic ? 4096u + per_lane : per_lane) * 64;
    d.scratch_waves = 64;
    d.scratch_base = alloc(std::uint64_t{d.scratch_wave_bytes} * d.scratch_waves);
  }
  return d;
}

}  // namespace hcq::test
