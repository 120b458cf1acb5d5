#include "pgo/cli/arguments/usage_error.h"

#include <algorithm>

#include "pgo/base/spelling.h"

namespace pgo {

std::string describe_unknown_command(const std::string& name,
                                     const std::vector<std::string>& commands) {
  std::string list;
  for (const std::string& command : commands) list += (list.empty() ? "" : ", ") + command;
  std::string meant = did_you_mean(name, commands);
  return "there is no command '" + name + "'" + (meant.empty() ? "; the" : meant + " The") +
         " commands are " + list + " (see 'pgo --help')";
}

std::string describe_single_dash(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& options) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    std::string name = "-" + argument.substr(0, argument.find('='));
    if (argument.size() > 2 && argument[1] != '-' &&
        std::find(options.begin(), options.end(), name) != options.end())
      return "there is no option " + name.substr(1) + "; write " + name;
  }
  return "";
}

std::string describe_empty_value(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& options) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (!argument.ends_with('=')) continue;
    const std::string name = argument.substr(0, argument.size() - 1);
    if (std::find(options.begin(), options.end(), name) != options.end())
      return name + ": its value is empty";
  }
  return "";
}

std::string describe_unknown_option(const std::vector<std::string>& unparsed,
                                    const std::vector<std::string>& options,
                                    const std::string& after_dashes) {
  for (const std::string& argument : unparsed) {
    if (argument == "--") break;
    if (!argument.starts_with('-')) continue;
    return "there is no option " + argument +
           did_you_mean(argument.substr(0, argument.find('=')), options) +
           (after_dashes.empty() ? "" : "; " + after_dashes + " " + argument);
  }
  return "";
}

}  // namespace pgo
