// SPDX-License-Identifier: MIT
// The man page and the completion that the build makes for every program: they say what --help says, and work.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

const std::string kShare = HCQ_SHARE, kBin = HCQ_BIN;

std::string output_of(const std::string& command) {
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string text;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return text;
}

std::set<std::string> words(const std::string& text, const std::regex& what) {
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), what), end; i != end; ++i) found.insert(i->str(1));
  return found;
}

std::string plain(std::string page) {
  page = std::regex_replace(page, std::regex(R"(\\f[BIR])"), "");
  page = std::regex_replace(page, std::regex(R"(\\-)"), "-");
  return std::regex_replace(page, std::regex(R"(\\&)"), "");
}

class Manual : public ::testing::TestWithParam<const char*> {
 protected:
  std::string page() { return *hcq::read_text(kShare + "/man/man1/" + GetParam() + ".1"); }
  std::vector<std::string> commands() {
    const std::string help = output_of(kBin + "/" + GetParam() + " --help");
    std::string list = help.substr(help.find("Subcommands:"));
    list = list.substr(0, list.find("\n\n"));
    std::vector<std::string> names;
    for (const std::string& n : words(list, std::regex("\n  ([a-z][a-z-]*) "))) names.push_back(n);
    return names;
  }
  std::vector<std::string> complete(const std::string& line, unsigned at) {
    const std::string script = fmt::format(
        "source {}/bash-completion/completions/{}; f=$(complete -p {} | sed 's/.*-F \\([^ ]*\\).*/\\1/'); "
        "COMP_WORDS=({}); COMP_CWORD={}; $f; printf \"%s\\n\" \"${{COMPREPLY[@]}}\"",
        kShare, GetParam(), GetParam(), line, at);
    std::istringstream in(output_of("bash -c '" + std::regex_replace(script, std::regex("'"), "'\\''") + "'"));
    std::vector<std::string> found;
    for (std::string w; std::getline(in, w);) found.push_back(w);
    return found;
  }
};

TEST_P(Manual, EveryCommandAndOptionOfTheHelpIsOnThePage) {
  const std::string text = plain(page());
  EXPECT_THAT(text, HasSubstr(".TH "));
  EXPECT_THAT(text, HasSubstr(".SH NAME\n" + std::string(GetParam()) + " - "));
  const auto names = commands();
  ASSERT_FALSE(names.empty());
  for (const std::string& c : names) {
    EXPECT_THAT(text, HasSubstr(".SS " + std::string(GetParam()) + " " + c));
    const std::string help = output_of(kBin + "/" + GetParam() + " " + c + " --help");
    for (const std::string& option : words(help, std::regex("\n  (?:-[a-z],)?(--[a-z][a-z-]*)")))
      EXPECT_THAT(text, HasSubstr(option)) << c;
  }
}

TEST_P(Manual, NoLineIsAMistakenCommandOfTheFormatter) {
  const std::set<std::string> known{"TH", "SH", "SS", "TP", "PP", "nf", "fi", "br", "\\\""};
  std::istringstream in(page());
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] != '.') continue;
    EXPECT_THAT(known, Contains(line.substr(1, line.find_first_of(" ", 1) - 1))) << line;
  }
}

TEST_P(Manual, CompletionKnowsCommandsAndTheirOptions) {
  const auto names = commands();
  EXPECT_THAT(complete(GetParam() + std::string(" \"\""), 1), IsSupersetOf(names));
  for (const std::string& c : names) {
    const std::string help = output_of(kBin + "/" + GetParam() + " " + c + " --help");
    EXPECT_THAT(complete(fmt::format("{} {} --", GetParam(), c), 2),
                IsSupersetOf(words(help, std::regex("\n  (?:-[a-z],)?(--[a-z][a-z-]*)"))));
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Manual, ::testing::Values("hcq-smi", "hcq-run", "hcq-model", "hcq-flash"),
                         [](const auto& info) {
                           return std::regex_replace(std::string(info.param), std::regex("-"), "_");
                         });

}  // namespace
