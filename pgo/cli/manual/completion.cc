#include "pgo/cli/manual/completion.h"

#include <algorithm>
#include <string_view>

namespace pgo {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

// The first sentence of a help text, or its first line: what fits beside a name.
std::string short_help(const std::string& help) {
  std::string text = help.substr(0, help.find("\n  "));
  std::replace(text.begin(), text.end(), '\n', ' ');
  constexpr size_t kMaxBeside = 100;
  const size_t end = std::min({text.find("; "), text.find(". "), text.size()});
  text.resize(end);
  if (text.ends_with(':') || text.ends_with('.')) text.pop_back();
  if (text.size() > kMaxBeside) text = text.substr(0, text.rfind(' ', kMaxBeside)) + " ...";
  return text;
}

// ---- bash ----------------------------------------------------------------------------------

// The branch of `case $previous in` of the options that take a value. What is in no branch is
// completed as a file, because the script then offers nothing.
std::string bash_values(const CommandDescription& command) {
  std::string branches;
  for (const OptionDescription& option : command.options) {
    if (!option.takes_value()) continue;
    branches += "        " + joined(option.names, "|") + ") words='" + joined(option.words, " ") +
                "' options= ;;\n";
  }
  return branches.empty() ? "" : "      case $previous in\n" + branches + "      esac\n";
}

std::string bash_command(const CommandDescription& command) {
  std::vector<std::string> names, words;
  for (const OptionDescription& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  if (!command.arguments.empty()) words = command.arguments[0].words;
  return "    " + command.name + ")\n      options='" + joined(names, " ") + "'\n      words='" +
         joined(words, " ") + "'\n" + bash_values(command) + "      ;;\n";
}

std::string bash_script(const ProgramDescription& program) {
  std::vector<std::string> commands, options;
  std::string branches;
  for (const CommandDescription& command : program.commands) {
    commands.push_back(command.name);
    branches += bash_command(command);
  }
  for (const OptionDescription& option : program.options)
    options.insert(options.end(), option.names.begin(), option.names.end());
  return "# bash completion for " + program.name +
         "                          -*- shell-script -*-\n"
         "_" +
         program.name +
         "() {\n"
         // bash takes --option=value apart, into three words.
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local options= words= word\n"
         "  COMPREPLY=()\n"
         "  if [ \"$current\" = = ]; then\n"
         "    current=\n"
         "  elif [ \"$previous\" = = ] && [ \"$COMP_CWORD\" -ge 2 ]; then\n"
         "    previous=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         // What is behind -- belongs to another program.
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    [ \"$word\" != -- ] || return 0\n"
         "  done\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
         "    words='" +
         joined(commands, " ") +
         "'\n"
         "    options='" +
         joined(options, " ") +
         "'\n"
         "  else\n"
         "    case ${COMP_WORDS[1]} in\n" +
         branches +
         "    esac\n"
         "  fi\n"
         "  case $current in\n"
         "    -*) words=$options ;;\n"
         "  esac\n"
         // Without a word, bash goes on to files.
         "  if [ -n \"$words\" ]; then\n"
         "    while IFS= read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -W \"$words\" "
         "-- \"$current\")\n"
         "  fi\n"
         "}\n"
         "complete -o bashdefault -o default -F _" +
         program.name + " " + program.name + "\n";
}

// ---- zsh -----------------------------------------------------------------------------------

// Text between the brackets or colons of a specification of _arguments, in single quotes.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return escaped;
}

std::string zsh_value(const OptionDescription& option) {
  const std::string action =
      option.words.empty() ? "_files" : "(" + joined(option.words, " ") + ")";
  return ":" + zsh_text(option.value.empty() ? option.names[0] : option.value) + ":" + action;
}

std::string zsh_option(const OptionDescription& option) {
  const std::string about = "[" + zsh_text(short_help(option.help)) + "]";
  const std::string value = option.takes_value() ? zsh_value(option) : "";
  std::string lines;
  for (const std::string& name : option.names) {
    std::string before = option.is_repeatable ? "*" : "(" + joined(option.names, " ") + ")";
    // The value follows as the next word, or behind '='.
    const bool is_long = name.starts_with("--") && option.takes_value();
    lines += "            '" + before + name + (is_long ? "=" : "") + about + value + "' \\\n";
  }
  return lines;
}

std::string zsh_script(const ProgramDescription& program) {
  std::string commands, branches;
  for (const CommandDescription& command : program.commands) {
    commands += "        '" + command.name + ":" + zsh_text(short_help(command.summary)) + "'\n";
    branches += "        " + command.name + ")\n          _arguments -S \\\n";
    for (const OptionDescription& option : command.options) branches += zsh_option(option);
    for (const OptionDescription& argument : command.arguments) {
      const std::string place = argument.is_repeatable ? "*" : argument.is_required ? "" : ":";
      branches += "            '" + place + zsh_value(argument) + "' \\\n";
    }
    branches.resize(branches.size() - 3);  // no further line
    branches += "\n          ;;\n";
  }
  std::string options;
  for (const OptionDescription& option : program.options) options += zsh_option(option);
  return "#compdef " + program.name +
         "\n"
         "_" +
         program.name +
         "() {\n"
         "  local context state state_descr line\n"
         "  typeset -A opt_args\n"
         "  _arguments -C \\\n" +
         options +
         "    '1:command:->command' \\\n"
         "    '*::argument:->argument'\n"
         "  case $state in\n"
         "    command)\n"
         "      local -a commands=(\n" +
         commands +
         "      )\n"
         "      _describe command commands\n"
         "      ;;\n"
         "    argument)\n"
         "      case $words[1] in\n" +
         branches +
         "      esac\n"
         "      ;;\n"
         "  esac\n"
         "}\n"
         // Read at the start of a shell, or found by it.
         "if [ \"$funcstack[1]\" = _" +
         program.name +
         " ]; then\n"
         "  _" +
         program.name +
         " \"$@\"\n"
         "else\n"
         "  compdef _" +
         program.name + " " + program.name +
         "\n"
         "fi\n";
}

// ---- fish ----------------------------------------------------------------------------------

// In single quotes, where only these two mean something.
std::string fish_word(const std::string& text) {
  std::string word = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') word += '\\';
    word += c;
  }
  return word + "'";
}

std::string fish_option(const std::string& start, const OptionDescription& option) {
  std::string line = start;
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.words.empty())
    line += " -x -a " + fish_word(joined(option.words, " "));
  else if (option.takes_value())
    line += " -r -F";
  return line + " -d " + fish_word(short_help(option.help)) + "\n";
}

std::string fish_script(const ProgramDescription& program) {
  const std::string complete = "complete -c " + program.name;
  std::string script =
      "# fish completion for " + program.name + "\n" + complete + " -n __fish_use_subcommand -f\n";
  for (const OptionDescription& option : program.options)
    script += fish_option(complete + " -n __fish_use_subcommand", option);
  for (const CommandDescription& command : program.commands)
    script += complete + " -n __fish_use_subcommand -a " + command.name + " -d " +
              fish_word(short_help(command.summary)) + "\n";
  for (const CommandDescription& command : program.commands) {
    const std::string start =
        complete + " -n " + fish_word("__fish_seen_subcommand_from " + command.name);
    for (const OptionDescription& option : command.options) script += fish_option(start, option);
    for (const OptionDescription& argument : command.arguments)
      if (!argument.words.empty())
        script += start + " -f -a " + fish_word(joined(argument.words, " ")) + "\n";
  }
  return script;
}

}  // namespace

std::string completion_script(const ProgramDescription& program, Shell shell) {
  switch (shell) {
    case Shell::kBash: return bash_script(program);
    case Shell::kZsh: return zsh_script(program);
    case Shell::kFish: return fish_script(program);
  }
  return "";
}

}  // namespace pgo
