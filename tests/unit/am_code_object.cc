// SPDX-License-Identifier: MIT
// The loader of AMD code objects, on objects that LLVM makes in process, on the same objects linked by LLD (where it is
// installed), and on damaged ones.
#include "drivers/am/code_object.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>

#include "drivers/am/abi/kernel_descriptor.h"
#include "drivers/am/elf_file.h"
#include "tests/support/amd_object.h"

namespace hcq::am {
namespace {

using test::compile_amd;

constexpr std::uint32_t kNumbers[] = {0x11111111, 0x22222222, 0x33333333, 0x44444444,
                                      0x55555555, 0x66666666, 0x77777777, 0x88888888};

std::string text(const Error& e) { return describe(e); }

template <class T>
T at(const CodeObject& o, std::uint64_t offset) {
  T v{};
  EXPECT_LE(offset + sizeof v, o.image.size());
  std::memcpy(&v, o.image.data() + offset, sizeof v);
  return v;
}

std::uint64_t find_bytes(const CodeObject& o, const void* bytes, std::size_t size) {
  const auto* b = static_cast<const std::byte*>(bytes);
  const auto it = std::search(o.image.begin(), o.image.end(), b, b + size);
  EXPECT_NE(it, o.image.end());
  return static_cast<std::uint64_t>(it - o.image.begin());
}

CodeObject load(const std::vector<std::byte>& elf) {
  EXPECT_FALSE(elf.empty());
  auto r = load_code_object(elf, "gfx1100");
  EXPECT_TRUE(r.ok()) << (r.ok() ? "" : text(r.error()));
  return r.ok() ? std::move(*r) : CodeObject{};
}

TEST(AmCodeObject, DescriptorOfASimpleKernel) {
  const CodeObject o = load(compile_amd(test::store_kernel(64)));
  ASSERT_EQ(o.kernels.size(), 1u);
  const Kernel& k = o.kernels[0];
  EXPECT_EQ(k.name, "store");
  EXPECT_EQ(k.kernarg_bytes, 12u);  // a pointer and an i32, and nothing implicit
  EXPECT_EQ(k.lds_bytes, 0u);
  EXPECT_EQ(k.private_bytes, 0u);
  EXPECT_EQ(k.entry % 256, 0u);
  EXPECT_TRUE(k.wave32);
  EXPECT_EQ(k.properties & abi::code_properties::ENABLE_SGPR_KERNARG_SEGMENT_PTR.mask, 8u);
  EXPECT_TRUE(o.fixups.empty());
  EXPECT_TRUE(check_kernel(k, {}).ok());
  // The relocated descriptor leads to the entry.
  EXPECT_EQ(at<std::int64_t>(o, k.descriptor + 16), static_cast<std::int64_t>(k.entry - k.descriptor));
}

TEST(AmCodeObject, ConstantTableIsReachedByRelocations) {
  const auto elf = compile_amd(test::table_kernel(64));
  const CodeObject o = load(elf);
  ASSERT_EQ(o.kernels.size(), 1u);
  const std::uint64_t table = find_bytes(o, kNumbers, sizeof kNumbers);
  const ElfFile file = std::move(ElfFile::parse(elf, "test")).value();
  unsigned checked = 0;
  for (const auto& s : file.sections()) {
    if (s.name != ".rela.text") continue;
    const auto records = std::move(file.relocations(s)).value();
    for (const Elf64_Rela& r : records) {
      const std::uint64_t place = o.kernels[0].entry + r.r_offset;  // .text holds one kernel, at its start
      // LLVM names the section, whose start is the descriptor; the addend leads from there to the table, plus the
      // distance of the word from the value of s_getpc_b64 (4 for the low half, 12 for the high half).
      const std::uint64_t target = o.kernels[0].descriptor + static_cast<std::uint64_t>(r.r_addend);
      const std::uint64_t distance = target - place;
      const std::uint64_t type = ELF64_R_TYPE(r.r_info);
      ASSERT_TRUE(type == 10 || type == 11) << type;  // R_AMDGPU_REL32_LO, R_AMDGPU_REL32_HI
      EXPECT_EQ(target - table, type == 10 ? 4u : 12u);
      EXPECT_EQ(at<std::uint32_t>(o, place), type == 10 ? lo32(distance) : hi32(distance));
      ++checked;
    }
  }
  EXPECT_EQ(checked, 2u);
}

TEST(AmCodeObject, LdsAndScratchSizes) {
  EXPECT_EQ(load(compile_amd(test::local_kernel(128))).kernels.at(0).lds_bytes, 512u);
  EXPECT_GE(load(compile_amd(test::scratch_kernel(64))).kernels.at(0).private_bytes, 256u);
  // Without optimisation too.
  const CodeObject o0 = load(compile_amd(test::scratch_kernel(64), "gfx1100", 0));
  EXPECT_TRUE(check_kernel(o0.kernels.at(0), {}).ok());
}

TEST(AmCodeObject, AbsoluteAddressesArePlaced) {
  const std::string ir = test::amd_module(
      "@numbers = internal addrspace(1) global [8 x i32] [i32 286331153, i32 572662306, i32 858993459, i32 1145324612, "
      "i32 1431655765, i32 1717986918, i32 2004318071, i32 -2004318072]\n"
      "@pointer = internal addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @numbers, i64 4)\n"
      "define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {\n"
      "  %p = load ptr addrspace(1), ptr addrspace(1) @pointer\n"
      "  %v = load i32, ptr addrspace(1) %p\n  store i32 %v, ptr addrspace(1) %out\n"
      "  store ptr addrspace(1) %p, ptr addrspace(1) @pointer\n"
      "  store i32 1, ptr addrspace(1) @numbers\n  ret void\n}\n",
      64);
  CodeObject o = load(compile_amd(ir));
  ASSERT_EQ(o.fixups.size(), 1u);
  const std::uint64_t base = 0x2000'1234'5000;
  ASSERT_TRUE(o.place(base).ok());
  EXPECT_EQ(at<std::uint64_t>(o, o.fixups[0].offset), base + find_bytes(o, kNumbers, sizeof kNumbers) + 4);
}

TEST(AmCodeObject, GlobalOffsetTableEntriesAreMade) {
  // An external, preemptible variable is reached through the table.
  const std::string ir = test::amd_module(
      "@visible = addrspace(1) global i32 7\n"
      "define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {\n"
      "  %v = load i32, ptr addrspace(1) @visible\n  store i32 %v, ptr addrspace(1) %out\n  ret void\n}\n",
      64);
  CodeObject o = load(compile_amd(ir));
  ASSERT_EQ(o.fixups.size(), 1u);
  ASSERT_TRUE(o.place(0x2000'0000'0000).ok());
  const std::uint64_t variable = at<std::uint64_t>(o, o.fixups[0].offset) - 0x2000'0000'0000;
  EXPECT_EQ(at<std::uint32_t>(o, variable), 7u);
}

TEST(AmCodeObject, OtherProcessorIsRefusedWithBothNames) {
  const auto elf = compile_amd(test::store_kernel(64), "gfx1200");
  const auto r = load_code_object(elf, "gfx1100", "kernel.o");
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::unsupported);
  EXPECT_NE(text(r.error()).find("gfx1200"), std::string::npos) << text(r.error());
  EXPECT_NE(text(r.error()).find("gfx1100"), std::string::npos) << text(r.error());
  EXPECT_NE(text(r.error()).find("kernel.o"), std::string::npos) << text(r.error());
}

TEST(AmCodeObject, OtherMachineIsRefused) {
  auto elf = compile_amd(test::store_kernel(64));
  elf[offsetof(Elf64_Ehdr, e_machine)] = std::byte{EM_X86_64};
  const auto r = load_code_object(elf, "gfx1100");
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::unsupported);
  EXPECT_EQ(r.error().actual, EM_X86_64);
}

TEST(AmCodeObject, FindNamesWhatThereIs) {
  const CodeObject o = load(compile_amd(test::store_kernel(64)));
  EXPECT_TRUE(o.find("").ok());
  EXPECT_TRUE(o.find("store").ok());
  const auto r = o.find("load");
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::not_found);
  EXPECT_NE(text(r.error()).find("store"), std::string::npos);
}

TEST(AmCodeObject, LimitsAreNamed) {
  Kernel k = load(compile_amd(test::local_kernel(128))).kernels.at(0);
  const auto r = check_kernel(k, {.lds_bytes = 256});
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().expected, 256u);
  EXPECT_EQ(r.error().actual, 512u);
  EXPECT_EQ(r.error().subject, "local");
  EXPECT_FALSE(check_kernel(k, {.vgprs = 4}).ok());
}

TEST(AmCodeObject, ScalarInputsThatAreNotSetUpAreNamed) {
  // Without the attributes that say they are unused, a kernel that asks for its dispatch packet gets the pointer.
  const std::string ir =
      "target triple = \"amdgcn-amd-amdhsa\"\ndeclare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"
      "define amdgpu_kernel void @k(ptr addrspace(1) %out) {\n"
      "  %d = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n  %v = load i32, ptr addrspace(4) %d\n"
      "  store i32 %v, ptr addrspace(1) %out\n  ret void\n}\n"
      "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 500}\n";
  const CodeObject o = load(compile_amd(ir));
  const auto r = check_kernel(o.kernels.at(0), {});
  ASSERT_FALSE(r.ok());
  EXPECT_NE(text(r.error()).find("dispatch packet"), std::string::npos) << text(r.error());
}

TEST(AmCodeObject, UndefinedSymbolIsNamed) {
  const std::string ir = test::amd_module(
      "@missing = external addrspace(1) global i32\n"
      "define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {\n"
      "  %v = load i32, ptr addrspace(1) @missing\n  store i32 %v, ptr addrspace(1) %out\n  ret void\n}\n",
      64);
  const auto r = load_code_object(compile_amd(ir), "gfx1100");
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().subject, "missing");
}

// The linker's view of the same object: descriptor fields, code bytes and what the code reaches must agree.
TEST(AmCodeObject, SameAsLinkedByLld) {
  const char* lld = "/usr/bin/ld.lld-22";
  if (access(lld, X_OK) != 0) GTEST_SKIP() << lld << " is not installed";
  const auto object = compile_amd(test::table_kernel(64));
  const std::string base = testing::TempDir() + "hcq_am_code_object_" + std::to_string(getpid());
  std::ofstream(base + ".o", std::ios::binary)
      .write(reinterpret_cast<const char*>(object.data()), static_cast<std::streamsize>(object.size()));
  ASSERT_EQ(std::system((std::string(lld) + " -shared -o " + base + ".so " + base + ".o").c_str()), 0);
  std::ifstream in(base + ".so", std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(in)), {});
  std::vector<std::byte> linked(content.size());
  std::memcpy(linked.data(), content.data(), content.size());
  unlink((base + ".o").c_str());
  unlink((base + ".so").c_str());

  const CodeObject ours = load(object), theirs = load(linked);
  ASSERT_EQ(ours.kernels.size(), 1u);
  ASSERT_EQ(theirs.kernels.size(), 1u);
  const Kernel &a = ours.kernels[0], &b = theirs.kernels[0];
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(std::tuple(a.rsrc1, a.rsrc2, a.rsrc3, a.properties, a.kernarg_bytes),
            std::tuple(b.rsrc1, b.rsrc2, b.rsrc3, b.properties, b.kernarg_bytes));
  EXPECT_EQ(a.entry % 256, b.entry % 256);
  const std::uint64_t table_a = find_bytes(ours, kNumbers, sizeof kNumbers);
  const std::uint64_t table_b = find_bytes(theirs, kNumbers, sizeof kNumbers);
  const ElfFile file = std::move(ElfFile::parse(object, "test")).value();
  for (const auto& s : file.sections()) {
    if (s.name == ".text") {
      unsigned differing = 0;  // only the two relocated words may differ
      for (std::uint64_t i = 0; i + 4 <= s.header.sh_size; i += 4)
        differing += at<std::uint32_t>(ours, a.entry + i) != at<std::uint32_t>(theirs, b.entry + i);
      EXPECT_LE(differing, 2u);
    }
    if (s.name != ".rela.text") continue;
    const auto records = std::move(file.relocations(s)).value();
    for (const Elf64_Rela& r : records) {
      if (ELF64_R_TYPE(r.r_info) != 10) continue;
      const std::uint32_t da = at<std::uint32_t>(ours, a.entry + r.r_offset);
      const std::uint32_t db = at<std::uint32_t>(theirs, b.entry + r.r_offset);
      EXPECT_EQ(lo32(a.entry + r.r_offset + da - table_a), lo32(b.entry + r.r_offset + db - table_b));
    }
  }
}

class Damaged : public testing::TestWithParam<unsigned> {};

// Damaged files end in an error or in an image that keeps its own promises; the sanitizers watch the rest.
TEST_P(Damaged, NeverLeavesTheFile) {
  std::vector<std::byte> original;
  switch (GetParam()) {
    case 0:
      original = compile_amd(test::table_kernel(64));
      break;
    default:
      original = compile_amd(test::local_kernel(64));
      break;
  }
  ASSERT_FALSE(original.empty());
  std::mt19937_64 random(20250 + GetParam());
  unsigned refused = 0;
  for (int round = 0; round < 6000; ++round) {
    auto elf = original;
    if (round % 8 == 0) elf.resize(random() % elf.size());
    const auto changes = 1 + random() % 4;
    for (std::uint64_t c = 0; c < changes && !elf.empty(); ++c) {
      // Half of the changes hit the headers at both ends of the file, where the tables are.
      const std::uint64_t where =
          random() % 2 ? random() % elf.size() : elf.size() - 1 - random() % std::min<std::uint64_t>(elf.size(), 900);
      elf[where] = random() % 3 == 0 ? std::byte{0xff} : static_cast<std::byte>(random());
    }
    auto r = load_code_object(elf, "gfx1100");
    if (!r.ok()) {
      EXPECT_FALSE(text(r.error()).empty());
      ++refused;
      continue;
    }
    for (const Kernel& k : r->kernels) {
      EXPECT_LE(k.descriptor + 64, r->image.size());
      EXPECT_LE(k.entry + 4, r->image.size());
      EXPECT_EQ(k.entry % 256, 0u);
    }
    for (const auto& f : r->fixups) EXPECT_LE(f.offset + 4, r->image.size());
    (void)r->place(0x2000'0000'0000);
  }
  EXPECT_GT(refused, 1000u);
}
INSTANTIATE_TEST_SUITE_P(Objects, Damaged, testing::Values(0u, 1u));

TEST(AmCodeObject, EveryTruncationIsRefused) {
  const auto elf = compile_amd(test::store_kernel(64));
  for (std::size_t n = 0; n < elf.size(); ++n) {
    const auto r = load_code_object(Bytes(elf).first(n), "gfx1100");
    ASSERT_FALSE(r.ok()) << n;
  }
}

}  // namespace
}  // namespace hcq::am
