// Options of the commands that compare two sides of profiles, or list what is in one.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/cli/arguments/binary_from.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/diff/diff.h"

namespace pgo {

// BEFORE AFTER, or --before and --after.
struct SideArguments {
  std::vector<std::string> sides, before, after;
};

// `about_before`: help of --before.
void add_side_arguments(CommandLine& line, SideArguments& arguments, const char* about_before);
Result<std::array<std::vector<std::string>, 2>> parse_sides(const SideArguments& arguments);

// What the options of profiles write to.
struct ProfileInputs {
  std::string &path_template, &sample_type;
  std::vector<std::string>& binaries;
  DebugPlaces& debug;
  BinaryFrom& binary_from;
  bool& physical;
};

// Which samples of the profiles count, and which binaries symbolize their addresses.
void add_profile_inputs(CommandLine& line, const ProfileInputs& inputs);
void add_comparison_inputs(CommandLine& line, DiffRequest& request, BinaryFrom& binary_from);

// What --by names. `allowed` are the words of the command, such as "function" and "label:KEY".
struct RowsWord {
  RowsBy by = RowsBy::kFunction;
  std::string label;
};
// Error: kUsage.
Result<RowsWord> parse_rows(const std::string& text, const std::vector<std::string>& allowed);

}  // namespace pgo
