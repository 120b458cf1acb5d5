// `pgo record`: see cmd_record.cc.
#pragma once

#include <CLI/App.hpp>

namespace pgo {

// Adds the command to `app`. When it is given, it runs during parsing and leaves the program's exit
// status in `exit_status`: the recorded command's own, or 2 for an error of ours.
void add_record_command(CLI::App& app, int& exit_status);

}  // namespace pgo
