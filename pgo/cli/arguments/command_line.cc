#include "pgo/cli/arguments/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/arguments/several_pids.h"
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

constexpr const char* kNotEmpty = "not empty";

// An option whose value is a text.
template <typename T>
Option add_text(CLI::App& app, const char* names, T& value, const std::string& help) {
  CLI::Option* option = app.add_option(names, value, help)->allow_extra_args(false);
  auto check = [](const std::string& text) -> std::string {
    return text.empty() ? "its value is empty" : "";
  };
  return Option(option->check(CLI::Validator(check, "", kNotEmpty)));
}

// A validator with this at the beginning of its name takes the words behind it.
constexpr std::string_view kChoice = "choice:";

// "a|b|c".
std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> list;
  for (; !words.empty(); words.remove_prefix(std::min(list.back().size() + 1, words.size())))
    list.emplace_back(words.substr(0, words.find('|')));
  return list;
}

// The words that an option takes, as Option::one_of() named them; none: it takes any.
std::vector<std::string> words_of(CLI::Option& option) {
  try {
    for (int i = 0;; i++) {
      const std::string name = option.get_validator(i)->get_name();
      if (name.starts_with(kChoice)) return split(std::string_view(name).substr(kChoice.size()));
    }
  } catch (const CLI::OptionNotFound&) {  // there is no validator with this number
    return {};
  }
}

std::vector<std::string> names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  std::sort(names.begin(), names.end());
  return names;
}

OptionDescription describe(CLI::Option& option) {
  OptionDescription description;
  for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
  const bool is_argument = description.names.empty();
  if (is_argument) description.names.push_back(option.get_name(true));
  if (option.get_items_expected_max() != 0) {  // else it is a flag
    description.value = option.get_type_name();
    if (description.value.empty() && !is_argument) description.value = "VALUE";
    description.default_value = option.get_default_str();
    description.is_repeatable = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  }
  description.words = words_of(option);
  description.environment = option.get_envname();
  description.needs = names_of(option.get_needs());
  description.excludes = names_of(option.get_excludes());
  description.help = option.get_description();
  description.heading = option.get_group();
  description.is_required = option.get_required();
  return description;
}

void describe_options(CLI::App& app, std::vector<OptionDescription>& options,
                      std::vector<OptionDescription>& arguments) {
  for (CLI::Option* option : app.get_options())
    (option->get_positional() ? arguments : options).push_back(describe(*option));
  // In the help, a group's options are together, wherever they were declared.
  std::vector<std::string> headings;
  for (const OptionDescription& option : options)
    if (std::find(headings.begin(), headings.end(), option.heading) == headings.end())
      headings.push_back(option.heading);
  std::stable_sort(options.begin(), options.end(),
                   [&](const OptionDescription& a, const OptionDescription& b) {
                     auto place = [&](const std::string& one) {
                       return std::find(headings.begin(), headings.end(), one);
                     };
                     return place(a.heading) < place(b.heading);
                   });
}

ProgramDescription describe(CLI::App& app) {
  ProgramDescription program;
  program.name = app.get_name();
  program.version = program_version();
  program.summary = app.get_description();
  program.footer = app.get_footer();
  for (CLI::Option* option : app.get_options()) program.options.push_back(describe(*option));
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    CommandDescription command;
    command.name = sub->get_name();
    command.summary = sub->get_description();
    command.footer = sub->get_footer();
    describe_options(*sub, command.options, command.arguments);
    program.commands.push_back(std::move(command));
  }
  return program;
}

// Of a command, as they are written: "--binary".
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Is the first argument another number after that of --pid?
bool gives_several_pids(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    const CLI::Option* pid = command->get_option_no_throw("--pid");
    if (pid == nullptr || pid->count() == 0) continue;
    for (const CLI::Option* option : command->get_options())
      if (option->get_positional() && option->count() > 0) return is_number(option->results()[0]);
  }
  return false;
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
  if (error.get_exit_code() == kTooMany && gives_several_pids(app)) return kSeveralPids;
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

Option& Option::may_be_empty() {
  option_->get_validator(kNotEmpty)->active(false);
  return *this;
}

Option& Option::one_of(std::vector<std::string> choices) {
  auto check = [choices](std::string& text) -> std::string {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return "";
    std::string names;
    for (const std::string& choice : choices) names += (names.empty() ? "" : " or ") + choice;
    return "must be " + names + ", not " + text;
  };
  option_->check(CLI::Validator(check, "", std::string(kChoice) + joined(choices)));
  return *this;
}

Option CommandLine::option(const char* names, std::string& value, const std::string& help) {
  return add_text(app_, names, value, help);
}

Option CommandLine::option(const char* names, std::vector<std::string>& values,
                           const std::string& help) {
  return add_text(app_, names, values, help);
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

Option CommandLine::option(const char* names, std::optional<std::string>& value,
                           const std::string& help) {
  // CLI11 takes an empty text for no value.
  auto set = [&value](const std::string& text) { value = text; };
  return Option(app_.add_option_function<std::string>(names, set, help)->allow_extra_args(false));
}

Option CommandLine::option(const char* names, std::optional<double>& value,
                           const std::string& help) {
  return add(app_, names, value, help);
}

Option CommandLine::word_option(const char* names, std::vector<std::string> choices,
                                const std::function<void(const std::string&)>& set,
                                const std::string& help) {
  const std::string type_name = joined(choices);
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

// CLI11's own groups of options look like no other group in its help, and are no part of a
// command's options.
void CommandLine::choice(const std::string& heading, size_t least,
                         const std::function<void(CommandLine&)>& declare) {
  const std::vector<CLI::Option*> before = app_.get_options();
  declare(*this);
  Choice choice{.options = {}, .least = least};
  for (CLI::Option* option : app_.get_options()) {
    if (std::find(before.begin(), before.end(), option) != before.end()) continue;
    option->group(heading + (least == 1 ? " (exactly one of these)" : " (at most one of these)"));
    choice.options.push_back(option);
  }
  choices_.push_back(std::move(choice));
}

void CommandLine::check(const Choice& choice) {
  std::vector<std::string> names, given;
  for (const CLI::Option* option : choice.options) {
    names.push_back(option->get_name());
    if (option->count() > 0) given.push_back(option->get_name());
  }
  if (given.size() > 1)
    throw CLI::ValidationError(given[0] + " cannot be combined with " + given[1]);
  if (given.size() >= choice.least) return;
  std::string all;
  for (size_t i = 0; i < names.size(); i++)
    all += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
  throw CLI::ValidationError(all + " is required");
}

void CommandLine::footer(const char* text) { app_.footer(text); }

void CommandLine::run(std::function<int()> body) {
  app_.callback([body = std::move(body), choices = choices_, &exit_code = exit_code_] {
    for (const Choice& choice : choices) check(choice);
    exit_code = body();
  });
}

std::function<ProgramDescription()> CommandLine::program() const {
  CLI::App* root = &app_;
  while (root->get_parent() != nullptr) root = root->get_parent();
  return [root] { return describe(*root); };
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
    const std::vector<std::string> arguments(argv + 2, argv + argc),
        options = option_names(*app.get_subcommand(first));
    for (const std::string& wrong :
         {describe_single_dash(arguments, options), describe_empty_value(arguments, options)})
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
