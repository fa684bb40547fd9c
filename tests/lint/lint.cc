// SPDX-License-Identifier: MIT
// Rules about the source tree that no compiler checks: who includes whom, how long a file may be, what each file begins
// with, and where registers may be named by number.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = HCQ_SOURCE_DIR;

struct Source {
  std::string path;  // from the root
  std::vector<std::string> lines;
};

std::vector<Source> sources() {
  std::vector<Source> all;
  for (const char* top :
       {"base", "drivers", "hcq", "devices", "compute", "models", "tools", "tests", "bench", "examples"}) {
    if (!fs::exists(kRoot / top)) continue;
    for (const auto& e : fs::recursive_directory_iterator(kRoot / top)) {
      const auto extension = e.path().extension();
      // The QEMU device has a licence and a style of its own.
      if (e.path().string().find("tests/vm/qemu_bridge") != std::string::npos) continue;
      if (!e.is_regular_file() || (extension != ".h" && extension != ".cc")) continue;
      Source s{.path = fs::relative(e.path(), kRoot).string(), .lines = {}};
      std::ifstream in(e.path());
      for (std::string line; std::getline(in, line);) s.lines.push_back(line);
      all.push_back(std::move(s));
    }
  }
  return all;
}

bool begins(const std::string& s, const std::string& prefix) { return s.rfind(prefix, 0) == 0; }

// The table of section 2 of the design: folder -> folders it may include. The longest matching folder counts.
const std::map<std::string, std::set<std::string>> kMayInclude{
    {"base", {}},
    {"drivers/pci", {"base"}},
    {"drivers/am/regs", {"base"}},
    {"drivers/am/abi", {"base", "drivers/am/regs"}},
    {"drivers/am", {"base", "drivers/pci", "drivers/am/regs", "drivers/am/abi", "hcq"}},
    {"drivers/am/flash",
     {"base", "drivers/pci", "drivers/am", "drivers/am/regs", "drivers/am/abi", "drivers/spi", "drivers/spi/abi"}},
    {"drivers/spi", {"base", "drivers/spi/abi"}},
    {"drivers/spi/abi", {}},
    {"drivers/cpu", {"base", "hcq"}},
    {"drivers/usb4", {"base", "drivers/pci"}},
    {"hcq", {"base"}},
    {"models/core", {"base", "drivers/pci"}},
    {"models/isa", {"base"}},
    {"models/fabric", {"base"}},
    {"models/usb4", {"base", "drivers/pci", "models/core"}},
    {"models/served", {"base", "drivers/pci", "models/core"}},
    {"models/spi", {"base", "models/core", "drivers/spi/abi"}},
    {"models/am",
     {"base", "drivers/pci", "drivers/am/regs", "drivers/am/abi", "drivers/spi/abi", "models/core", "models/isa",
      "models/spi"}},
    {"devices",
     {"base", "drivers/pci", "drivers/am", "drivers/cpu", "hcq", "models/core", "models/am", "models/served",
      "drivers/usb4", "models/usb4"}},
    {"compute", {"base", "hcq", "devices"}},
    {"tools/model", {"tools/cli", "base", "devices", "models/core", "models/served"}},
    {"tools/cli", {"base", "drivers/pci"}},
    {"tools/flash",
     {"tools/cli", "base", "devices", "drivers/pci", "drivers/spi", "drivers/spi/abi", "drivers/am/flash",
      "drivers/am/abi"}},
    {"tools", {"tools/cli", "base", "hcq", "devices", "compute", "drivers/pci"}},
};

std::string folder_of(const std::string& path) {
  std::string best;
  for (const auto& [folder, unused] : kMayInclude)
    if (begins(path, folder + "/") && folder.size() > best.size()) best = folder;
  return best;
}

TEST(Lint, IncludesFollowTheLayers) {
  const std::regex include(R"re(^\s*#\s*include\s*"([^"]+)")re");
  unsigned edges = 0;
  for (const Source& s : sources()) {
    const std::string from = folder_of(s.path);
    for (const std::string& line : s.lines) {
      std::smatch m;
      if (!std::regex_search(line, m, include)) continue;
      EXPECT_EQ(m[1].str().find(".."), std::string::npos) << s.path << ": include from the root, not by ..: " << line;
      const std::string to = folder_of(m[1].str());
      if (from.empty() || to.empty() || from == to) continue;  // tests and benchmarks may see everything
      ++edges;
      EXPECT_TRUE(kMayInclude.at(from).count(to))
          << s.path << " includes " << m[1].str() << ": " << from << " may not include " << to;
    }
  }
  EXPECT_GT(edges, 20u) << "the check found next to no includes: it is broken";
}

TEST(Lint, FilesAreOneIdea) {
  for (const Source& s : sources()) {
    if (s.path.find("/regs/") != std::string::npos || s.path.find("/abi/") != std::string::npos ||
        s.path.find("/tables/") != std::string::npos)
      continue;
    EXPECT_LE(s.lines.size(), 600u) << s.path << " is too long: a file is one idea";
  }
}

TEST(Lint, EveryFileNamesItsLicence) {
  for (const Source& s : sources())
    EXPECT_TRUE(!s.lines.empty() && s.lines[0] == "// SPDX-License-Identifier: MIT") << s.path;
}

// No line longer than the formatter's limit: it would mean the formatter was not run.
TEST(Lint, LinesFitTheColumnLimit) {
  for (const Source& s : sources()) {
    bool format = true, raw = false;
    for (std::size_t i = 0; i < s.lines.size(); ++i) {
      if (s.lines[i].find("clang-format off") != std::string::npos) format = false;
      if (s.lines[i].find("clang-format on") != std::string::npos) format = true;
      // The formatter leaves raw strings alone.
      if (s.lines[i].find("R\"") != std::string::npos) raw = true;
      const bool skip = !format || raw;
      if (s.lines[i].find(")\"") != std::string::npos) raw = false;
      if (skip) continue;
      EXPECT_LE(s.lines[i].size(), 120u) << s.path << ":" << i + 1;
    }
  }
}

// What boots devices and runs queues must not be able to reach a board's flash.
TEST(Lint, OnlyTheFlashLibraryNamesItsRegisters) {
  const std::regex word(
      R"(\b(ROM_SW_\w+|ROM_CNTL|ROM_INDEX|ROM_DATA|PAGE_MIRROR_CNTL|SMU_GPIOPAD_\w+|MP0_SMN_C2PMSG_(73|115|116))\b)");
  unsigned seen = 0;
  for (const Source& s : sources()) {
    if (!begins(s.path, "drivers/") && !begins(s.path, "devices/") && !begins(s.path, "hcq/")) continue;
    if (begins(s.path, "drivers/am/regs/") || begins(s.path, "drivers/am/abi/")) continue;
    const bool allowed = begins(s.path, "drivers/am/flash/");
    for (std::size_t i = 0; i < s.lines.size(); ++i) {
      const bool named = std::regex_search(s.lines[i], word);
      seen += named;
      EXPECT_TRUE(allowed || !named) << s.path << ":" << i + 1 << ": " << s.lines[i];
    }
  }
  EXPECT_GT(seen, 10u) << "the check found nothing even where the names must be: it is broken";
}

// volatile is how C++ spells "device memory"; it has one home.
TEST(Lint, VolatileOnlyInPci) {
  const std::regex word(R"(\bvolatile\b)");
  for (const Source& s : sources()) {
    if (begins(s.path, "drivers/pci/") || begins(s.path, "tests/") || begins(s.path, "bench/")) continue;
    for (std::size_t i = 0; i < s.lines.size(); ++i) {
      const std::string code = s.lines[i].substr(0, s.lines[i].find("//"));
      EXPECT_FALSE(std::regex_search(code, word)) << s.path << ":" << i + 1 << ": " << s.lines[i];
    }
  }
}

// A model must never see a driver, and the compiler never a driver or a model.
TEST(Lint, EveryFolderHasItsPage) {
  for (const char* folder : {"base", "drivers/pci", "drivers/am", "drivers/am/flash", "drivers/spi", "drivers/cpu",
                             "drivers/usb4", "hcq", "devices", "compute", "models/core", "models/am", "models/isa",
                             "models/spi", "models/fabric", "models/usb4", "tools"})
    EXPECT_TRUE(fs::exists(kRoot / folder / "README.md")) << folder << " has no README.md";
}

}  // namespace
