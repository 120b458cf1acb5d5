// ProgramDescription: the commands and options of the program as plain data, for its manual pages
// and for the completion of shells. command_line.cc makes it from what --help prints.
#pragma once

#include <string>
#include <vector>

namespace pgo {

struct OptionDescription {
  std::vector<std::string> names = {};  // "-o", "--output"; of an argument: its name, "INPUT"
  std::string value = {};               // what its value is called, "FILE"; empty: it takes none
  std::vector<std::string> words = {};  // the values it takes; none: any
  std::string default_value = {};
  std::string environment = {};                        // a variable that sets it, too
  std::vector<std::string> needs = {}, excludes = {};  // other options
  std::string help = {};                               // lines; those of tables are indented
  std::string heading = {};                            // of its group in the help
  bool is_required = false;
  bool is_repeatable = false;

  bool takes_value() const { return !value.empty(); }
};

struct CommandDescription {
  std::string name = {}, summary = {}, footer = {};
  std::vector<OptionDescription> options = {}, arguments = {};
};

struct ProgramDescription {
  std::string name = {}, version = {}, summary = {}, footer = {};
  std::vector<OptionDescription> options = {};
  std::vector<CommandDescription> commands = {};
};

}  // namespace pgo
