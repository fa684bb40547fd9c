// SPDX-License-Identifier: MIT
// Every rule that the Navi31 model can report stands in docs/navi31-rules.md and is broken by a test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = HCQ_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::stringstream s;
  s << std::ifstream(file).rdbuf();
  return s.str();
}

std::string sources_of(const fs::path& folder) {
  std::string all;
  for (const auto& e : fs::recursive_directory_iterator(folder))
    if (e.path().extension() == ".cc") all += text_of(e.path());
  return all;
}

std::set<std::string> rules() {
  static const std::regex pattern(
      R"re("((?:pci|gmc|hdp|nbio|psp|smuio|smu|rlc|cp|mes|pm4|sdma|ih|l2|sq|register|gc)\.[a-z0-9_]+)")re");
  const std::string source = sources_of(kRoot / "models/am") + sources_of(kRoot / "models/core");
  std::set<std::string> found;
  for (std::sregex_iterator i(source.begin(), source.end(), pattern), end; i != end; ++i) found.insert((*i)[1].str());
  return found;
}

TEST(ModelRules, EachIsBrokenByATest) {
  const std::string tests = sources_of(kRoot / "tests/model");
  const auto all = rules();
  EXPECT_GT(all.size(), 100u);
  for (const auto& rule : all) EXPECT_NE(tests.find('"' + rule + '"'), std::string::npos) << rule;
}

TEST(ModelRules, EachStandsOnThePage) {
  const std::string page = text_of(kRoot / "docs/navi31-rules.md");
  for (const auto& rule : rules()) EXPECT_NE(page.find('`' + rule + '`'), std::string::npos) << rule;
}

// The tests that the page names exist.
TEST(ModelRules, ThePageNamesTestsThatExist) {
  const std::string page = text_of(kRoot / "docs/navi31-rules.md"), tests = sources_of(kRoot / "tests/model");
  static const std::regex name(R"re([ (]([A-Z][A-Za-z0-9]+)\.([A-Z][A-Za-z0-9]+))re");
  for (std::sregex_iterator i(page.begin(), page.end(), name), end; i != end; ++i) {
    const std::string test = "(" + (*i)[1].str() + ", " + (*i)[2].str() + ")";
    EXPECT_NE(tests.find(test), std::string::npos) << test;
  }
}

}  // namespace
