// SPDX-License-Identifier: MIT
#include "tools/cli/manual.h"

#include <algorithm>
#include <vector>

namespace hcq::cli {
namespace {

// Text that troff takes literally: hyphens stay hyphens, and no line begins with a control character.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
  }
  return out;
}

std::string without_trailing_newlines(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app, bool positional) {
  std::vector<const CLI::Option*> found;
  // One may be both.
  for (const CLI::Option* o : app.get_options())
    if (!o->get_group().empty() &&
        (positional ? o->get_positional() : !o->get_lnames().empty() || !o->get_snames().empty()))
      found.push_back(o);
  return found;
}

std::string argument_name(const CLI::Option& o) {
  const auto& names = o.get_lnames();
  return upper(names.empty() ? o.get_name(true) : names.front());
}

// "--device,-d" as "-d, --device DEVICE".
std::string option_heading(const CLI::Option& o) {
  std::string text;
  for (const std::string& n : o.get_snames()) text += (text.empty() ? "" : ", ") + ("\\fB\\-" + escaped(n) + "\\fR");
  for (const std::string& n : o.get_lnames()) text += (text.empty() ? "" : ", ") + ("\\fB\\-\\-" + escaped(n) + "\\fR");
  if (o.get_items_expected_max() > 0) text += " \\fI" + escaped(argument_name(o)) + "\\fR";
  return text;
}

void describe_options(const CLI::App& app, std::string& page) {
  const auto entry = [&](const std::string& heading, const CLI::Option& o) {
    page += ".TP\n" + heading + "\n" + escaped(o.get_description());
    if (!o.get_default_str().empty()) page += escaped(" (default: " + o.get_default_str() + ")");
    page += "\n";
  };
  for (const CLI::Option* o : options_of(app, true)) entry("\\fI" + escaped(o->get_name(true)) + "\\fR", *o);
  for (const CLI::Option* o : options_of(app, false)) entry(option_heading(*o), *o);
}

std::string synopsis(const std::string& words, const CLI::App& app) {
  std::string line = "\\fB" + escaped(words) + "\\fR";
  if (!options_of(app, false).empty()) line += " [\\fIoptions\\fR]";
  for (const CLI::Option* o : options_of(app, true)) {
    const std::string name = "\\fI" + escaped(o->get_name(true)) + "\\fR";
    line += o->get_required() ? " " + name : " [" + name + "]";
  }
  return line;
}

void verbatim(const std::string& text, std::string& page) {
  if (!text.empty()) page += ".PP\n.nf\n" + escaped(without_trailing_newlines(text)) + "\n.fi\n";
}

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  const auto list = app.get_subcommands([](const CLI::App* s) { return !s->get_name().empty(); });
  return {list.begin(), list.end()};
}

std::string first_sentence(const std::string& text) { return text.substr(0, text.find(". ")); }

// What completes here: subcommands and long and short options.
std::string words_of(const CLI::App& app) {
  std::string words;
  const auto add = [&](const std::string& w) { words += (words.empty() ? "" : " ") + w; };
  for (const CLI::App* s : subcommands(app)) add(s->get_name());
  for (const CLI::Option* o : options_of(app, false)) {
    for (const std::string& n : o->get_lnames()) add("--" + n);
    for (const std::string& n : o->get_snames()) add("-" + n);
  }
  return words;
}

std::string function_name(const std::string& program) {
  std::string name = "_" + program;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  const std::string& name = app.get_name();
  std::string page = ".\\\" Made from the program's own description; not to be edited.\n";
  page += ".TH " + escaped(upper(name)) + " 1 \"\" \"hcq\" \"hcq\"\n.SH NAME\n";
  std::string about = without_trailing_newlines(first_sentence(app.get_description()));
  while (!about.empty() && about.back() == '.') about.pop_back();
  if (about.rfind(name + " ", 0) == 0) about = about.substr(name.size() + 1);
  page += escaped(name) + " \\- " + escaped(about) + "\n.SH SYNOPSIS\n";
  bool first = true;
  for (const CLI::App* s : subcommands(app)) {
    page += (first ? "" : ".br\n") + synopsis(name + " " + s->get_name(), *s) + "\n";
    first = false;
  }
  page += ".SH DESCRIPTION\n" + escaped(without_trailing_newlines(app.get_description())) + "\n";
  verbatim(app.get_footer(), page);
  page += ".SH OPTIONS\n";
  describe_options(app, page);
  page += ".SH COMMANDS\n";
  for (const CLI::App* s : subcommands(app)) {
    page += ".SS " + synopsis(name + " " + s->get_name(), *s) + "\n";
    page += escaped(without_trailing_newlines(s->get_description())) + "\n";
    describe_options(*s, page);
    // A program may give every subcommand the text that stands above already.
    if (s->get_footer() != app.get_footer()) verbatim(s->get_footer(), page);
  }
  return page;
}

std::string bash_completion(const CLI::App& app) {
  const std::string& name = app.get_name();
  const std::string function = function_name(name);
  std::string s = "# Made from the description of " + name + "; not to be edited.\n";
  s += function + "() {\n";
  s += "  local current=${COMP_WORDS[COMP_CWORD]} words=\n";
  s += "  if ((COMP_CWORD == 1)); then\n    words='" + words_of(app) + "'\n  else\n    case ${COMP_WORDS[1]} in\n";
  for (const CLI::App* sub : subcommands(app))
    s += "      " + sub->get_name() + ") words='" + words_of(*sub) + "' ;;\n";
  s += "    esac\n  fi\n";
  s += "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n";
  s += "  if ((${#COMPREPLY[@]} == 0)) && [[ $current != -* ]]; then\n";
  s += "    COMPREPLY=($(compgen -f -- \"$current\"))\n  fi\n}\n";
  s += "complete -o filenames -F " + function + " " + name + "\n";
  return s;
}

}  // namespace hcq::cli
