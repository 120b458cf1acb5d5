#include "pgo/cli/manual/man_page.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace pgo {
namespace {

// Text as roff shows it. Roff takes a line that begins with a dot or a quotation mark for a
// request, and prints a bare hyphen as a typographic one, which a shell does not understand.
std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '^')
      result += "\\(ha";
    else if (c == '~')
      result += "\\(ti";
    else if (c == '`')
      result += "\\(ga";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

// An argument of a macro.
std::string macro_argument(std::string_view text) {
  std::string result = "\"";
  for (char c : escaped(text)) {
    if (c == '"')
      result += "\\(dq";
    else
      result += c;
  }
  return result + '"';
}

class RoffWriter {
 public:
  void title(const std::string& page, const ProgramDescription& program) {
    text_ += ".TH " + macro_argument(page) + " 1 \"\" " +
             macro_argument("ProdPGO " + program.version) + " \"User Commands\"\n";
    // Neither hyphenated nor spread to both margins: lines have options and paths.
    text_ += ".nh\n.ad l\n";
  }
  void section(const std::string& name) { text_ += ".SH " + macro_argument(name) + "\n"; }
  void subsection(const std::string& name) { text_ += ".SS " + macro_argument(name) + "\n"; }
  void paragraph() { text_ += ".PP\n"; }
  // A line of roff, as it is.
  void line(const std::string& roff) { text_ += roff + "\n"; }

  // Lines that are indented stay as they are; the others are filled.
  void text(std::string_view text) {
    bool is_literal = false;
    while (!text.empty()) {
      const std::string_view one = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(one.size() + 1, text.size()));
      const bool is_indented = one.starts_with(' ');
      if (is_indented != is_literal) text_ += is_indented ? ".PD 0\n.nf\n" : ".fi\n.PD\n";
      is_literal = is_indented;
      if (!one.empty()) text_ += (is_indented ? "\\&" : "") + escaped(one) + "\n";
    }
    if (is_literal) text_ += ".fi\n.PD\n";
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + bold(name);
  return list;
}

// What --help says beside the name of an option, as sentences of roff.
std::vector<std::string> remarks_on(const OptionDescription& option) {
  std::vector<std::string> remarks;
  if (option.is_required) remarks.push_back("Required.");
  if (option.is_repeatable && option.help.find("several times") == option.help.npos)
    remarks.push_back("May be given several times.");
  if (!option.environment.empty())
    remarks.push_back("The environment variable " + bold(option.environment) + " sets it, too.");
  if (!option.needs.empty()) remarks.push_back("Only together with " + joined(option.needs) + ".");
  if (!option.excludes.empty())
    remarks.push_back("Not together with " + joined(option.excludes) + ".");
  return remarks;
}

void write_option(const OptionDescription& option, RoffWriter& out) {
  std::string head = joined(option.names);
  if (option.takes_value()) head += " " + italic(option.value);
  if (!option.default_value.empty()) head += " (default: " + escaped(option.default_value) + ")";
  out.line(".TP");
  out.line(head);
  const std::vector<std::string> remarks = remarks_on(option);
  const bool ends_in_table = option.help.find("\n  ", option.help.rfind('\n')) != option.help.npos;
  const bool needs_stop = !remarks.empty() && !ends_in_table && !option.help.ends_with('.');
  out.text(option.help + (needs_stop ? "." : ""));
  for (const std::string& remark : remarks) out.line(remark);
}

void write_options(const std::vector<OptionDescription>& options, RoffWriter& out) {
  out.section("OPTIONS");
  std::string heading = "Options";
  for (const OptionDescription& option : options) {
    if (option.heading != heading) out.subsection(option.heading);
    heading = option.heading;
    write_option(option, out);
  }
}

// Splits what is below the options in a help text where its examples begin.
std::pair<std::string_view, std::string_view> split_examples(std::string_view footer) {
  for (std::string_view heading : {"Examples:\n", "Example:\n"}) {
    const size_t at = footer.find(heading);
    if (at == 0 || (at != footer.npos && footer[at - 1] == '\n'))
      return {footer.substr(0, at), footer.substr(at + heading.size())};
  }
  return {footer, {}};
}

std::string usage_of(const OptionDescription& argument) {
  std::string text = italic(argument.names[0]) + (argument.is_repeatable ? " ..." : "");
  return argument.is_required ? text : "[" + text + "]";
}

}  // namespace

std::string man_page_name(const ProgramDescription& program) { return program.name + ".1"; }

std::string man_page_name(const ProgramDescription& program, const CommandDescription& command) {
  return program.name + "-" + command.name + ".1";
}

std::string man_page(const ProgramDescription& program) {
  RoffWriter out;
  out.title(program.name, program);
  out.section("NAME");
  out.line(escaped(program.name) + " \\- " + escaped(program.summary));
  out.section("SYNOPSIS");
  out.line(bold(program.name) + " " + italic("COMMAND") + " [" + italic("OPTIONS") + "]");
  out.section("COMMANDS");
  for (const CommandDescription& command : program.commands) {
    out.line(".TP");
    out.line("\\fB" + escaped(program.name + "-" + command.name) + "\\fR(1)");
    out.text(command.summary);
  }
  write_options(program.options, out);
  out.section("EXIT STATUS");
  out.text(program.footer);
  return out.take();
}

std::string man_page(const ProgramDescription& program, const CommandDescription& command) {
  const auto [about, examples] = split_examples(command.footer);
  RoffWriter out;
  out.title(program.name + "-" + command.name, program);
  out.section("NAME");
  out.line(escaped(program.name + "-" + command.name) + " \\- " + escaped(command.summary));
  out.section("SYNOPSIS");
  std::string usage = bold(program.name + " " + command.name) + " [" + italic("OPTIONS") + "]";
  for (const OptionDescription& argument : command.arguments) usage += " " + usage_of(argument);
  out.line(usage);
  if (!about.empty()) {
    out.section("DESCRIPTION");
    out.text(about);
  }
  if (!command.arguments.empty()) {
    out.section("ARGUMENTS");
    for (OptionDescription argument : command.arguments) {
      argument.value.clear();  // the name says what it is
      write_option(argument, out);
    }
  }
  write_options(command.options, out);
  if (!examples.empty()) {
    out.section("EXAMPLES");
    out.text(examples);
  }
  out.section("EXIT STATUS");
  out.line(bold(program.name) + "(1) lists the exit codes of all commands.");
  return out.take();
}

}  // namespace pgo
