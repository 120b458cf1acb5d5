#include "pgo/cli/arguments/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <system_error>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/arguments/usage_error.h"
#include "pgo/cli/terminal/exit_code.h"

namespace pgo {
namespace {

// An option that takes a vector takes one value each time it is given: what follows that is an
// argument.
template <typename T>
Option add(CLI::App& app, const char* names, T& value, const std::string& help) {
  return Option(app.add_option(names, value, help)->allow_extra_args(false));
}

// Of a command, as they are written: "--binary".
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// What is wrong with the command line. A misspelt option is named before one that is then missing.
std::string describe_usage_error(const CLI::App& app, const std::string& after_dashes,
                                 const CLI::ParseError& error) {
  if (error.get_name() == "ValidationError") return error.what();
  const std::vector<std::string> unparsed = app.remaining(true);
  std::vector<std::string> options;
  for (const CLI::App* command : app.get_subcommands()) options = option_names(*command);
  std::string unknown = describe_unknown_option(unparsed, options, after_dashes);
  if (!unknown.empty()) return unknown;
  constexpr int kTooMany = static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (error.get_exit_code() == kTooMany && !unparsed.empty())
    return "'" + unparsed.front() + "' is an unexpected argument";
  std::string what = error.what();
  if (what.ends_with(" missing")) return what.substr(0, what.find(':')) + ": its value is missing";
  return what;
}

// Help and version go to standard output, and count as results: whoever asks for them gets all of
// it or an error.
int print_requested(const CLI::App& app, const CLI::ParseError& request) {
  std::ostringstream text;
  app.exit(request, text, text);
  Result<void> written = write_file_atomically("-", text.str());
  return written ? kExitDone : report_error(written.error());
}

// Is --json among the options? Looked up by hand, because wrong usage ends before they are parsed.
bool asks_for_json(int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    std::string_view argument = argv[i];
    if (argument == "--") return false;
    if (argument == "--json") return true;
  }
  return false;
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::group(const char* heading) {
  option_->group(heading);
  return *this;
}

Option& Option::type_name(const char* name) {
  option_->type_name(name);
  return *this;
}

Option& Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::default_text(const char* value) {
  option_->default_str(value);
  return *this;
}

Option& Option::environment(const char* variable) {
  option_->envname(variable);
  return *this;
}

Option& Option::separated_by(char separator) {
  option_->delimiter(separator);
  return *this;
}

Option& Option::needs(const char* other) {
  option_->needs(other);
  return *this;
}

Option& Option::excludes(const char* other) {
  option_->excludes(other);
  return *this;
}

// CLI11's own checks show a type, or the range of a double.
Option& Option::whole_number(uint64_t least, uint64_t most) {
  auto check = [least, most](std::string& text) -> std::string {
    uint64_t value = 0;
    const char* end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end && value >= least && value <= most) return "";
    std::string what = "must be a whole number";
    if (error == std::errc::result_out_of_range || value > most)
      what += " of at most " + std::to_string(most);
    else if (least != 0)
      what += " of at least " + std::to_string(least);
    return what + ", not " + text;
  };
  option_->check(CLI::Validator(check, "", "whole number"));
  return *this;
}

Option& Option::percent() { return percent_up_to(100); }
Option& Option::growth_percent() { return percent_up_to(10'000); }

Option& Option::percent_up_to(int most) {
  auto check = [most](std::string& text) -> std::string {
    double value = 0;
    const char* end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end && value >= 0 && value <= most) return "";
    return "must be a number from 0 to " + std::to_string(most) + ", not " + text;
  };
  option_->check(CLI::Validator(check, "", "percentage"));
  return *this;
}

Option& Option::one_of(std::vector<std::string> choices) {
  auto check = [choices = std::move(choices)](std::string& text) -> std::string {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return "";
    std::string names;
    for (const std::string& choice : choices) names += (names.empty() ? "" : " or ") + choice;
    return "must be " + names + ", not " + text;
  };
  option_->check(CLI::Validator(check, "", "choice"));
  return *this;
}

Option CommandLine::option(const char* names, std::string& value, const std::string& help) {
  return add(app_, names, value, help);
}

Option CommandLine::option(const char* names, std::vector<std::string>& values,
                           const std::string& help) {
  return add(app_, names, values, help);
}

Option CommandLine::option(const char* names, std::vector<uint32_t>& values,
                           const std::string& help) {
  return add(app_, names, values, help);
}

Option CommandLine::option(const char* names, unsigned& value, const std::string& help) {
  return add(app_, names, value, help);
}

Option CommandLine::option(const char* names, size_t& value, const std::string& help) {
  return add(app_, names, value, help);
}

Option CommandLine::option(const char* names, std::optional<uint64_t>& value,
                           const std::string& help) {
  return add(app_, names, value, help);
}

Option CommandLine::option(const char* names, std::optional<int64_t>& value,
                           const std::string& help) {
  return add(app_, names, value, help);
}

Option CommandLine::option(const char* names, std::optional<double>& value,
                           const std::string& help) {
  return add(app_, names, value, help);
}

Option CommandLine::word_option(const char* names, std::vector<std::string> choices,
                                const std::function<void(const std::string&)>& set,
                                const std::string& help) {
  std::string type_name;
  for (const std::string& choice : choices) type_name += (type_name.empty() ? "" : "|") + choice;
  Option option(app_.add_option_function<std::string>(names, set, help)->allow_extra_args(false));
  return option.one_of(std::move(choices)).type_name(type_name.c_str());
}

Option CommandLine::flag(const char* names, bool& value, const std::string& help) {
  return Option(app_.add_flag(names, value, help));
}

Option CommandLine::flag(const char* names, std::function<void()> set, const std::string& help) {
  return Option(app_.add_flag_callback(names, std::move(set), help));
}

Option CommandLine::argument(const char* name, std::string& value, const std::string& help) {
  return Option(app_.add_option(name, value, help));
}

Option CommandLine::argument(const char* name, std::vector<std::string>& values,
                             const std::string& help) {
  return Option(app_.add_option(name, values, help));
}

void CommandLine::choice(const char* heading, size_t least, size_t most,
                         const std::function<void(CommandLine&)>& declare) {
  CLI::Option_group* group = app_.add_option_group(heading);
  CommandLine line(*group, exit_code_);
  declare(line);
  group->require_option(least, most);
}

void CommandLine::footer(const char* text) { app_.footer(text); }

void CommandLine::run(std::function<int()> body) {
  app_.callback([body = std::move(body), &exit_code = exit_code_] { exit_code = body(); });
}

const char* program_version() { return PRODPGO_VERSION; }

int run_command(const std::vector<Command>& commands, int argc, char** argv) {
  // Never freed: it holds what the commands hold, and freeing the maps of a large profile costs a
  // tenth of the run.
  CLI::App& app =
      *new CLI::App("ProdPGO: turn production profiles into profiles for compilers and BOLT");
  app.name("pgo");
  app.set_version_flag("--version", "pgo " PRODPGO_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 success, 1 a check failed or nothing was written, 2 wrong usage or unusable\n"
      "data, 3 inconclusive ('pgo verify'). 'pgo record' exits with the code of the recorded "
      "command.\n"
      "'pgo COMMAND --help' describes a command.");
  int exit_code = kExitDone;
  std::vector<std::string> names;
  for (const Command& command : commands) {
    names.push_back(command.name);
    CommandLine line(*app.add_subcommand(command.name, command.summary), exit_code);
    command.declare(line);
  }
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kExitError;
  }
  const bool json = asks_for_json(argc, argv);
  auto wrong_usage = [json](const std::string& what) {
    return report_failure({ErrorKind::kUsage, what}, json);
  };
  std::string first = argv[1];
  auto command = std::find_if(commands.begin(), commands.end(),
                              [&](const Command& one) { return first == one.name; });
  bool known = command != commands.end();
  if (!known && !first.starts_with('-')) return wrong_usage(describe_unknown_command(first, names));
  std::string see = " (see 'pgo " + (known ? first + " " : "") + "--help')";
  if (known) {
    std::string wrong =
        describe_single_dash({argv + 2, argv + argc}, option_names(*app.get_subcommand(first)));
    if (!wrong.empty()) return wrong_usage(wrong + see);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return print_requested(app, error);
    return wrong_usage(describe_usage_error(app, known ? command->after_dashes : "", error) + see);
  } catch (const std::exception& error) {
    // Nothing of ours throws: memory ran out, or a library met what it did not expect.
    return report_failure({ErrorKind::kInternal, std::string("stopped: ") + error.what()}, json);
  }
  return exit_code;
}

}  // namespace pgo
