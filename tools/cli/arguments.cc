// SPDX-License-Identifier: MIT
#include "tools/cli/arguments.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/manual.h"

namespace hcq::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : between) + w;
  return text;
}

std::string command_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  return joined(names, ", ");
}

std::string what_is_wrong(CLI::App& app, const CLI::ParseError& e) {
  const std::vector<std::string> unknown = app.remaining(true);
  // Without a subcommand the library only says that one is missing, even where a word is there that it does not know.
  if (app.get_subcommands().empty()) {
    if (unknown.empty()) return "no command given; there is " + command_names(app);
    if (unknown[0][0] != '-') return "unknown command " + unknown[0] + "; there is " + command_names(app);
    return "unknown argument " + unknown[0];
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) return "unknown argument " + joined(unknown, " ");
  return e.what();
}

int complain(CLI::App& app, const std::string& what) {
  const auto chosen = app.get_subcommands();
  const std::string program = app.get_name() + (chosen.empty() ? "" : " " + chosen[0]->get_name());
  std::fprintf(stderr, "%s: %s (see %s --help)\n", app.get_name().c_str(), what.c_str(), program.c_str());
  return kUsage;
}

int print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) std::perror("standard output");
  return written ? 0 : 1;
}

}  // namespace

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  app.require_subcommand(1);
  if (argc == 2 && argv[1] == std::string_view("--generate-man")) return print(man_page(app));
  if (argc == 2 && argv[1] == std::string_view("--generate-completion")) return print(bash_completion(app));
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return complain(app, what_is_wrong(app, e));
  }
  return std::nullopt;
}

}  // namespace hcq::cli
