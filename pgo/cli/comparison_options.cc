#include "pgo/cli/comparison_options.h"

#include <charconv>

#include "pgo/cli/shared_options.h"

namespace pgo {

void add_side_arguments(CommandLine& line, SideArguments& arguments) {
  line.argument("BEFORE AFTER", arguments.sides,
                "The two sides, each a profile or several: a file, glob, directory or @LIST.\n"
                "pprof, gperftools, folded stacks, perf.data, .addr with PC samples.\n"
                "INPUT#KEY=PATTERN,... takes the samples with these labels");
  line.option("--before", arguments.before, "An input of the first side; several times")
      .group(kInputGroup);
  line.option("--after", arguments.after, "An input of the second side; several times")
      .group(kInputGroup);
}

Result<std::array<std::vector<std::string>, 2>> parse_sides(const SideArguments& arguments) {
  using Sides = std::array<std::vector<std::string>, 2>;
  const bool by_option = !arguments.before.empty() || !arguments.after.empty();
  if (by_option && !arguments.sides.empty())
    return fail(ErrorKind::kUsage,
                "name the sides either as two arguments, or by --before and --after");
  if (by_option && !arguments.before.empty() && !arguments.after.empty())
    return Sides{arguments.before, arguments.after};
  if (by_option)
    return fail(ErrorKind::kUsage, std::string(arguments.before.empty() ? "--before" : "--after") +
                                       " is missing: a comparison has two sides");
  if (arguments.sides.size() == 2)
    return Sides{std::vector{arguments.sides[0]}, std::vector{arguments.sides[1]}};
  return fail(ErrorKind::kUsage,
              "two sides expected, BEFORE and AFTER; a directory, a glob in quotes or @LIST is "
              "one side, and so is what --before or --after names several times");
}

void add_comparison_inputs(CommandLine& line, DiffRequest& request) {
  line.option("--path-template", request.path_template,
              "How paths end, for labels: '{service}/{version}/{date}/{hour}/{host}.pb.gz'")
      .group(kInputGroup);
  line.option("--sample-type", request.sample_type,
              "What to compare: cpu, alloc_space, ... (default: what the profiles show)")
      .group(kInputGroup);
  line.option("--binary", request.binaries,
              "A program or library that ran, on either side: its debug information\n"
              "names addresses; several times")
      .group(kDebugGroup);
  add_debug_options(line, request.debug);
}

bool parse_units(std::string_view text, double& units) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), units);
  return error == std::errc() && end == text.data() + text.size() && units > 0;
}

}  // namespace pgo
