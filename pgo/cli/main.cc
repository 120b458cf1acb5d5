// The program: a table of commands.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/command.h"
#include "pgo/cli/option_words.h"
#include "pgo/cli/spelling.h"
#include "pgo/cli/surroundings.h"
#include "pgo/report/error_json.h"
#include "pgo/report/json_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

constexpr Command kCommands[] = {
    {"bolt", "Optimize a linked binary with llvm-bolt, and check the result", declare_bolt},
    {"convert", "Convert recordings to profiles for clang, GCC and BOLT", declare_convert},
    {"doctor", "Check this machine and a binary for PGO", declare_doctor},
    {"flags", "Print the compiler flags to build for profiling or with a profile", declare_flags},
    {"match", "Measure how much of a profile matches a build, and why the rest does not",
     declare_match},
    {"merge", "Merge profiles of many hosts into one", declare_merge},
    {"record", "Record a command or a process (perf.data)", declare_record},
    {"show", "Show what a recording, a profile or a binary contains", declare_show},
};

std::string describe_unknown_command(const std::string& name) {
  std::vector<std::string> known;
  std::string list;
  for (const Command& command : kCommands) {
    known.push_back(command.name);
    list += (list.empty() ? "" : ", ") + known.back();
  }
  std::string meant = did_you_mean(name, known);
  return "there is no command '" + name + "'" + (meant.empty() ? "; there" : meant + " There") +
         " are " + list + " ('pgo --help' describes them)";
}

// Of a command, as they are written: "--binary".
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// "-binary", which would be -b with the value "inary"; empty when there is none.
std::string find_single_dash(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::vector<std::string> names = option_names(command);
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    std::string name = "-" + argument.substr(0, argument.find('='));
    if (argument.size() > 2 && argument[1] != '-' &&
        std::find(names.begin(), names.end(), name) != names.end())
      return "there is no option " + name.substr(1) + "; write " + name;
  }
  return "";
}

// What is wrong with the command line. A misspelt option is named before one that is then missing.
std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_name() == "ValidationError") return error.what();
  for (const std::string& argument : app.remaining(true)) {
    if (argument == "--") break;
    if (!argument.starts_with('-')) continue;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands()) names = option_names(*command);
    std::string text = "there is no option " + argument +
                       did_you_mean(argument.substr(0, argument.find('=')), names);
    if (app.got_subcommand("bolt"))
      text += "; options for llvm-bolt go after --: pgo bolt ... -- " + argument;
    if (app.got_subcommand("record"))
      text +=
          "; the recorded command and its options go after --: pgo record -- COMMAND " + argument;
    return text;
  }
  constexpr int kTooMany = static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (error.get_exit_code() == kTooMany && !app.remaining(true).empty())
    return "'" + app.remaining(true).front() + "' is an unexpected argument" +
           (app.got_subcommand("show") ? ": pgo show takes one file" : "");
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

}  // namespace

int report_error(const Error& error) {
  std::fprintf(stderr, "pgo: error: %s\n", printable(error_text(error)).c_str());
  return kExitError;
}

Result<void> print_error_json(const Error& error) {
  Error shown{error.kind, with_option_words(error.message), with_option_words(error.advice)};
  return write_file_atomically("-", json_text(error_json(shown)));
}

int report_failure(const Error& error, bool json) {
  Result<void> written = json ? print_error_json(error) : ok();
  if (!written) report_error(written.error());
  return report_error(error);
}

}  // namespace pgo

int main(int argc, char** argv) {
  using namespace pgo;
  reserve_standard_streams();
  survive_file_size_limit();
  CLI::App app("ProdPGO: turn production profiles into profiles for compilers and BOLT");
  app.name("pgo");
  app.set_version_flag("--version", "pgo " PRODPGO_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 success, 1 a check failed, 2 wrong usage or unusable data.\n"
      "'pgo COMMAND --help' describes a command.");
  int exit_code = kExitDone;
  for (const Command& command : kCommands)
    command.declare(*app.add_subcommand(command.name, command.summary), exit_code);
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kExitError;
  }
  std::string first = argv[1];
  bool known = std::any_of(std::begin(kCommands), std::end(kCommands),
                           [&](const Command& command) { return first == command.name; });
  if (!known && !first.starts_with('-'))
    return report_error({ErrorKind::kUsage, describe_unknown_command(first)});
  std::string see = " ('pgo " + (known ? first + " " : "") + "--help' describes what there is)";
  if (known) {
    std::string wrong = find_single_dash(*app.get_subcommand(first),
                                         std::vector<std::string>(argv + 2, argv + argc));
    if (!wrong.empty()) return report_error({ErrorKind::kUsage, wrong + see});
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return print_requested(app, error);
    return report_error({ErrorKind::kUsage, describe_usage_error(app, error) + see});
  } catch (const std::exception& error) {
    // Nothing of ours throws: memory ran out, or a library met what it did not expect.
    exit_code = report_error({ErrorKind::kInternal, std::string("stopped: ") + error.what()});
  }
  // Ends without destructors: see Conversion in cmd_convert.cc.
  std::fflush(nullptr);
  std::_Exit(exit_code);
}
