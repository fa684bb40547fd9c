// SPDX-License-Identifier: MIT
// What the pages say about the tree is true: a file or folder that a page names exists, and so does what a link points
// at.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = HCQ_SOURCE_DIR;

std::vector<fs::path> pages() {
  std::vector<fs::path> all{kRoot / "README.md"};
  for (const char* top : {"base", "bench", "compute", "devices", "docs", "drivers", "examples", "hcq", "models", "rdma",
                          "scripts", "tests", "tools"}) {
    if (!fs::exists(kRoot / top)) continue;
    for (const auto& e : fs::recursive_directory_iterator(kRoot / top))
      if (e.path().extension() == ".md") all.push_back(e.path());
  }
  return all;
}

std::vector<std::string> lines_of(const fs::path& page) {
  std::vector<std::string> lines;
  std::ifstream in(page);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> matches(const std::string& line, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator i(line.begin(), line.end(), pattern), end; i != end; ++i) found.push_back((*i)[1].str());
  return found;
}

bool is_top_folder(const std::string& name) {
  const fs::path path = kRoot / name.substr(0, name.find('/'));
  return name.find('/') != std::string::npos && fs::is_directory(path) && name.rfind("build/", 0) != 0;
}

// A word of a page that can only mean something in this tree: "drivers/am", "ir/", "boot_steps.cc",
// "tests/unit/am_*.cc".
bool looks_like_a_path(const std::string& word) {
  static const std::regex characters(R"((\.{1,2}/)?[A-Za-z0-9_*][A-Za-z0-9_.*/-]*)");
  static const std::regex file(R"(.*\.(cc|h|md))");
  return std::regex_match(word, characters) && word.rfind("build/", 0) != 0 &&
         (std::regex_match(word, file) || is_top_folder(word) || word.back() == '/');
}

// Whether `path` names something below `folder`. A * stands for any characters within one name.
bool exists(const fs::path& folder, const std::string& path) {
  const auto slash = path.find('/');
  const std::string head = path.substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : path.substr(slash + 1);
  if (head == "..") return exists(folder.parent_path(), rest);
  if (!fs::is_directory(folder)) return false;
  const std::regex pattern(
      std::regex_replace(std::regex_replace(head, std::regex(R"(\.)"), "\\."), std::regex(R"(\*)"), ".*"));
  return std::any_of(fs::directory_iterator(folder), fs::directory_iterator(), [&](const fs::directory_entry& e) {
    return std::regex_match(e.path().filename().string(), pattern) && (rest.empty() || exists(e.path(), rest));
  });
}

// The folders that names in a section may be relative to: the page's own, and each one that the section has named
// (also as part of a file's path).
class Context {
 public:
  explicit Context(const fs::path& page) : own_{page.parent_path()}, folders_(own_) {
    own_.push_back(kRoot);
    start();
  }
  void start() { folders_ = own_; }
  bool knows(const std::string& path) {
    const auto all = folders_;
    for (const fs::path& folder : all) {
      if (!exists(folder, path)) continue;
      if (path.find('*') == std::string::npos)
        folders_.push_back(
            (fs::is_directory(folder / path) ? folder / path / "." : folder / path).lexically_normal().parent_path());
      return true;
    }
    return false;
  }

 private:
  std::vector<fs::path> own_, folders_;
};

TEST(Docs, WhatAPageNamesExists) {
  const std::regex quoted("`([^`]+)`"), in_heading(R"(([a-z0-9]+/[a-z0-9_/.]+))"), first_word(R"(^ {4}(\S+))");
  unsigned names = 0;
  for (const fs::path& page : pages()) {
    Context context(page);
    unsigned number = 0;
    for (const std::string& line : lines_of(page)) {
      ++number;
      if (line.rfind("## ", 0) == 0) context.start();
      std::vector<std::string> words = matches(line, quoted);
      // "scripts/test --help" is about the file scripts/test.
      for (std::string& word : words) word = word.substr(0, word.find(' '));
      for (const std::string& word : matches(line, line[0] == '#' ? in_heading : first_word))
        if (is_top_folder(word)) words.push_back(word);
      for (const std::string& word : words) {
        if (!looks_like_a_path(word)) continue;
        ++names;
        EXPECT_TRUE(context.knows(word)) << fs::relative(page, kRoot).string() << ":" << number << " names " << word
                                         << ", which does not exist";
      }
    }
  }
  EXPECT_GT(names, 100u) << "the check found next to no names: it is broken";
}

TEST(Docs, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#]+)[^)]*\))");
  unsigned links = 0;
  for (const fs::path& page : pages())
    for (const std::string& line : lines_of(page))
      for (const std::string& target : matches(line, link)) {
        if (target.find("://") != std::string::npos) continue;
        ++links;
        EXPECT_TRUE(fs::exists(page.parent_path() / target)) << fs::relative(page, kRoot).string() << ": " << target;
      }
  EXPECT_GT(links, 1u);
}

// "Suite.Name" of every test in the tree.
std::set<std::string> tests_there_are() {
  const std::regex test(R"(^TEST(?:_F|_P)?\((\w+), (\w+)\))");
  std::set<std::string> all;
  for (const auto& e : fs::recursive_directory_iterator(kRoot / "tests")) {
    if (e.path().extension() != ".cc") continue;
    for (const std::string& line : lines_of(e.path()))
      if (std::smatch m; std::regex_search(line, m, test)) all.insert(m[1].str() + "." + m[2].str());
  }
  return all;
}

TEST(Docs, FieldCasesNameTestsThatExist) {
  const std::regex row(R"(^\| ([A-Z]{2}-\d+) \|)"), quoted("`(\\w+\\.\\w+)`");
  const auto tests = tests_there_are();
  unsigned cases = 0;
  for (const std::string& line : lines_of(kRoot / "docs" / "field.md")) {
    std::smatch m;
    if (!std::regex_search(line, m, row)) continue;
    ++cases;
    const auto named = matches(line, quoted);
    EXPECT_FALSE(named.empty()) << m[1];
    for (const std::string& name : named) EXPECT_TRUE(tests.count(name)) << m[1] << " names " << name;
  }
  EXPECT_GT(cases, 20u);
}

// The formatter of the sources must not touch pages: it joins "#" and the word, and indents prose.
TEST(Docs, PagesBeginWithATitle) {
  for (const fs::path& page : pages()) {
    const auto lines = lines_of(page);
    EXPECT_TRUE(!lines.empty() && lines[0].rfind("# ", 0) == 0) << fs::relative(page, kRoot).string();
  }
}

}  // namespace
