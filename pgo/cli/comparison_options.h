// Options of the commands that compare two sides of profiles.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/cli/command_line.h"
#include "pgo/diff/diff.h"

namespace pgo {

// BEFORE AFTER, or --before and --after.
struct SideArguments {
  std::vector<std::string> sides, before, after;
};

// `about_before`: help of --before.
void add_side_arguments(CommandLine& line, SideArguments& arguments, const char* about_before);
Result<std::array<std::vector<std::string>, 2>> parse_sides(const SideArguments& arguments);

// Which samples of the profiles are compared, and which binaries symbolize their addresses.
void add_comparison_inputs(CommandLine& line, DiffRequest& request);

// A number above 0: "120000", "1.2e6".
bool parse_units(std::string_view text, double& units);

}  // namespace pgo
