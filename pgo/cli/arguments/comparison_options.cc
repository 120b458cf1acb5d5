#include "pgo/cli/arguments/comparison_options.h"

#include <algorithm>
#include <map>

#include "pgo/cli/arguments/shared_options.h"

namespace pgo {

void add_side_arguments(CommandLine& line, SideArguments& arguments, const char* about_before) {
  line.argument("BEFORE AFTER", arguments.sides,
                "The two sides, each one or more profiles: a file, glob, directory, @LIST, or a\n"
                "bundle or source of pgo fetch, or a version (REFERENCE, pgo.lock#NAME).\n"
                "Formats: pprof, gperftools, folded stacks, perf.data, .addr with PC samples.\n"
                "INPUT#KEY=PATTERN,... selects samples by their labels");
  line.option("--before", arguments.before, about_before).group(kInputGroup);
  line.option("--after", arguments.after, "An input of the after side; may be given several times")
      .group(kInputGroup);
}

Result<std::array<std::vector<std::string>, 2>> parse_sides(const SideArguments& arguments) {
  using Sides = std::array<std::vector<std::string>, 2>;
  const bool by_option = !arguments.before.empty() || !arguments.after.empty();
  if (by_option && !arguments.sides.empty())
    return fail(
        ErrorKind::kUsage,
        "name the sides either as two arguments, or with --before and --after; put globs in "
        "quotes");
  if (by_option && !arguments.before.empty() && !arguments.after.empty())
    return Sides{arguments.before, arguments.after};
  if (by_option)
    return fail(ErrorKind::kUsage, std::string(arguments.before.empty() ? "--before" : "--after") +
                                       " is missing: a comparison has two sides");
  if (arguments.sides.size() == 2)
    return Sides{std::vector{arguments.sides[0]}, std::vector{arguments.sides[1]}};
  return fail(
      ErrorKind::kUsage,
      "a comparison needs two sides, BEFORE and AFTER; if a side has several files, name it "
      "as a directory, a glob in quotes or @LIST");
}

void add_profile_inputs(CommandLine& line, const ProfileInputs& inputs) {
  line.option(
          "--path-template", inputs.path_template,
          "Take labels from the end of each path: '{service}/{version}/{date}/{hour}/{host}.pb.gz'")
      .group(kInputGroup);
  line.option("--sample-type", inputs.sample_type,
              "Sample type to count: cpu, alloc_space, ... (default: that of the profiles)")
      .group(kInputGroup);
  add_binary_option(line, inputs.binaries, ",\nwhose debug information names addresses");
  add_binary_from_option(line, inputs.binary_from);
  add_debug_options(line, inputs.debug);
  line.flag("--physical", inputs.physical,
            "Count inlined functions for the function that they are inlined into")
      .group(kBinaryGroup);
}

void add_comparison_inputs(CommandLine& line, DiffRequest& request, BinaryFrom& binary_from) {
  add_profile_inputs(line, {request.path_template, request.sample_type, request.binaries,
                            request.debug, binary_from, request.physical});
  line.option("--standardize", request.standardize,
              "Compare both sides with the same mix of values of this label (such as endpoint),\n"
              "so that a change of the mix does not count as a change of the cost")
      .type_name("LABEL")
      .group(kInputGroup);
}

Result<RowsWord> parse_rows(const std::string& text, const std::vector<std::string>& allowed) {
  static const std::map<std::string, RowsBy> kRows{
      {"function", RowsBy::kFunction}, {"file", RowsBy::kFile}, {"line", RowsBy::kLine},
      {"binary", RowsBy::kBinary},     {"team", RowsBy::kTeam}, {"label:KEY", RowsBy::kLabel}};
  constexpr std::string_view kLabel = "label:";
  const bool has_label = text.starts_with(kLabel) && text.size() > kLabel.size();
  const std::string word = has_label ? "label:KEY" : text;
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end())
    return RowsWord{kRows.at(word), has_label ? text.substr(kLabel.size()) : ""};
  std::string list;
  for (size_t i = 0; i < allowed.size(); i++)
    list += (i == 0 ? "" : i + 1 < allowed.size() ? ", " : " or ") + allowed[i];
  return fail(ErrorKind::kUsage, "--by " + text + ": " + list + " expected");
}

}  // namespace pgo
