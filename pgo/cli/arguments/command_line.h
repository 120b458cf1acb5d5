// The options of a command, declared without a header of CLI11: compiling these takes 15 seconds in
// every unit, so only command_line.cc includes them.
//
//   void declare_show(CommandLine& line) {
//     auto request = std::make_shared<ShowRequest>();
//     line.argument("FILE", request->path, "The file").required();
//     line.option("--top", request->top, "Maximum number of rows").show_default();
//     line.run([request] { return run(*request); });
//   }
//
// An option writes to the variable that it was declared with, which must live until the command has
// run. One that takes a vector may be given several times. An option with fixed words takes
// the words and their values; the help and error messages list the words:
//
//   line.option("--on-failure", on_failure,
//               Words<OnFailure>{{"keep", OnFailure::kKeep}, {"error", OnFailure::kError}}, "…");
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pgo/cli/manual/program_description.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace pgo {

// Describes an option further, and restricts its values. A wrong value is refused in plain words:
// "--period: must be a whole number of at least 1, not 0".
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  Option& group(const char* heading);       // of the help
  Option& type_name(const char* name);      // of its value, in the help; "" shows none
  Option& show_default();                   // what the variable holds when the option is declared
  Option& default_text(const char* value);  // the same for a variable that holds nothing yet
  Option& environment(const char* variable);
  Option& separated_by(char separator);
  Option& needs(const char* other);  // "--profile", declared before
  Option& excludes(const char* other);
  Option& whole_number(uint64_t least = 0, uint64_t most = std::numeric_limits<uint32_t>::max());
  Option& percent();         // from 0 to 100
  Option& growth_percent();  // from 0 to 10 000: of what may become a multiple
  Option& one_of(std::vector<std::string> choices);
  // An empty text is a value, too. Else it is refused: a script has lost what it wanted to name.
  Option& may_be_empty();

 private:
  Option& percent_up_to(int most);

  CLI::Option* option_;
};

template <typename T>
using Words = std::vector<std::pair<std::string, T>>;

class CommandLine {
 public:
  CommandLine(CLI::App& app, int& exit_code) : app_(app), exit_code_(exit_code) {}

  // `names`: "-o,--output". A flag takes no value.
  Option option(const char* names, std::string& value, const std::string& help);
  Option option(const char* names, std::optional<std::string>& value, const std::string& help);
  Option option(const char* names, std::vector<std::string>& values, const std::string& help);
  Option option(const char* names, std::vector<uint32_t>& values, const std::string& help);
  Option option(const char* names, unsigned& value, const std::string& help);
  Option option(const char* names, size_t& value, const std::string& help);
  Option option(const char* names, std::optional<uint64_t>& value, const std::string& help);
  Option option(const char* names, std::optional<int64_t>& value, const std::string& help);
  Option option(const char* names, std::optional<double>& value, const std::string& help);
  template <typename T>
  Option option(const char* names, T& value, const Words<T>& words, const std::string& help) {
    std::vector<std::string> choices;
    for (const auto& [word, meaning] : words) choices.push_back(word);
    auto set = [&value, words](const std::string& chosen) {
      for (const auto& [word, meaning] : words)
        if (word == chosen) value = meaning;
    };
    return word_option(names, std::move(choices), set, help);
  }
  Option flag(const char* names, bool& value, const std::string& help);
  Option flag(const char* names, std::function<void()> set, const std::string& help);
  // Without a name, by its position; a vector takes all that follow.
  Option argument(const char* name, std::string& value, const std::string& help);
  Option argument(const char* name, std::vector<std::string>& values, const std::string& help);

  // A group of options, which `declare` declares before run(). From `least`, 0 or 1, to one of them
  // must be given.
  void choice(const std::string& heading, size_t least,
              const std::function<void(CommandLine&)>& declare);
  // Text below the options in the help.
  void footer(const char* text);
  // What the command does once its options are parsed; `body` returns the exit code.
  void run(std::function<int()> body);
  // The whole program, for `body`: by then, all commands are declared.
  std::function<ProgramDescription()> program() const;

 private:
  Option word_option(const char* names, std::vector<std::string> choices,
                     const std::function<void(const std::string&)>& set, const std::string& help);

  // The options of a choice(), and how many must be given.
  struct Choice {
    std::vector<const CLI::Option*> options;
    size_t least = 0;
  };
  static void check(const Choice& choice);

  CLI::App& app_;
  int& exit_code_;
  std::vector<Choice> choices_;
};

// A command of the program.
struct Command {
  const char* name;
  const char* summary;
  const char* after_dashes;  // what goes after --, as an example that ends there; "": nothing does
  void (*declare)(CommandLine& line);
};

// "0.1.0".
const char* program_version();

// Runs the command that `argv` names. Returns its exit code; for `--help` and `--version`, that of
// printing them.
int run_command(const std::vector<Command>& commands, int argc, char** argv);

}  // namespace pgo
