// pgo verify: the command line of verify_release() (pgo/verdict/release_verdict.h).

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "converters/flame_graph/flame_page.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/comparison_options.h"
#include "pgo/cli/arguments/config_option.h"
#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/sources.h"
#include "pgo/cli/arguments/units_argument.h"
#include "pgo/cli/arguments/units_query.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/commands/verify_calibration.h"
#include "pgo/cli/commands/verify_runs.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/report/json_text.h"
#include "pgo/report/verify_report.h"
#include "pgo/verdict/release_verdict.h"

namespace pgo {
namespace {

struct VerifyArguments {
  SideArguments sides;
  ConfigArgument config;
  RegistryArguments registry;
  BinaryFrom binary_from;
  std::vector<std::string> units_before,
      units_after;                  // of each release before, and of the one after
  UnitsQueryArguments units_query;  // instead
  std::optional<double> growth, drop, function_growth, function_share;  // in percent
  std::vector<std::string> calibrate;
  OutputArguments output;
  DiffTable table;
  std::vector<OutputSpec> files;  // parsed outputs
  VerifyRequest request;
  RunsArguments runs;
};

// Options win over pgo.toml.
Result<void> parse_limits(VerifyArguments& arguments) {
  PGO_TRY(std::optional<Config> config, load_config(arguments.config));
  VerifyConfig of_file;
  if (config) {
    print_warnings(config->diagnostics);
    of_file = config->verify;
    arguments.request.compared.owners = std::move(config->owners);
  }
  auto add = [](std::optional<double>& option, const std::optional<double>& otherwise) {
    if (!option) option = otherwise;
  };
  add(arguments.growth, of_file.limit);
  add(arguments.drop, of_file.expect);
  add(arguments.function_growth, of_file.function_limit);
  add(arguments.function_share, of_file.min_share);
  Limits& limits = arguments.request.limits;
  if (arguments.growth) limits.growth = *arguments.growth / 100;
  if (arguments.drop) limits.drop = *arguments.drop / 100;
  if (arguments.function_growth) limits.function_growth = *arguments.function_growth / 100;
  if (arguments.function_share) limits.function_share = *arguments.function_share / 100;
  return ok();
}

// Each --before is a release of its own.
void parse_releases(VerifyArguments& arguments) {
  VerifyRequest& request = arguments.request;
  const std::vector<std::string>& before = arguments.sides.before;
  if (before.size() > 1)
    for (const std::string& input : before) request.earlier.push_back({.inputs = {input}});
  request.keeps_growth = arguments.growth.has_value();
}

UnitsOf units_of(const DiffRequest& compared) {
  return compared.standardize.empty() ? UnitsOf::kMembers : UnitsOf::kLabelValues;
}

Result<void> parse_all_units(VerifyArguments& arguments) {
  VerifyRequest& request = arguments.request;
  DiffRequest& compared = request.compared;
  compared.measure = verify::Measure::kPerUnit;
  const size_t releases = std::max<size_t>(1, request.earlier.size());
  if (arguments.units_before.size() != releases || arguments.units_after.size() != 1)
    return fail(ErrorKind::kUsage,
                "give --units-before once for each --before, in the same order, and --units-after "
                "once");
  const UnitsOf of = units_of(compared);
  PGO_CHECK(parse_units_argument("--units-after", arguments.units_after[0], of, compared.units[1],
                                 compared.member_units[1]));
  if (request.earlier.empty())
    return parse_units_argument("--units-before", arguments.units_before[0], of, compared.units[0],
                                compared.member_units[0]);
  for (size_t i = 0; i < releases; i++)
    PGO_CHECK(parse_units_argument("--units-before", arguments.units_before[i], of,
                                   request.earlier[i].units, request.earlier[i].member_units));
  return ok();
}

Result<void> query_all_units(VerifyArguments& arguments) {
  VerifyRequest& request = arguments.request;
  DiffRequest& compared = request.compared;
  if (!arguments.units_query.is_wanted()) return ok();
  compared.measure = verify::Measure::kPerUnit;
  UnitsSides sides = {.before = {}, .after = compared.sides[1]};
  for (const auto& release : request.earlier) sides.before.push_back(release.inputs);
  if (sides.before.empty()) sides.before.push_back(compared.sides[0]);
  Diagnostics diagnostics;
  PGO_TRY(ReleaseUnits units, ask_for_units(arguments.units_query, arguments.registry.network,
                                            sides, compared.standardize, diagnostics));
  print_warnings(diagnostics);
  auto set = [](SideUnits& side, double& total, std::vector<MemberUnits>& members) {
    total = side.total;
    members = std::move(side.members);
  };
  set(units.after, compared.units[1], compared.member_units[1]);
  if (request.earlier.empty()) set(units.before[0], compared.units[0], compared.member_units[0]);
  for (size_t i = 0; i < request.earlier.size(); i++)
    set(units.before[i], request.earlier[i].units, request.earlier[i].member_units);
  return ok();
}

// Without the units of work, which `needed` would give.
Result<void> refuse_cost_limits(const VerifyArguments& arguments, const char* needed) {
  if (!arguments.drop && !arguments.growth) return ok();
  return fail(ErrorKind::kUsage,
              std::string(arguments.drop ? "--expect" : "--limit") + " needs " + needed +
                  ": shares cannot show a change that all functions have in common");
}

// Fetches inputs that are sources, and binaries that are archived.
Result<void> replace_inputs(FetchedInputs& fetched, VerifyArguments& arguments) {
  VerifyRequest& request = arguments.request;
  DiffRequest& compared = request.compared;
  std::vector<std::string> inputs;
  auto replace_side = [&](std::vector<std::string>& side) -> Result<void> {
    PGO_CHECK(fetched.replace_side(side, compared.path_template));
    inputs.insert(inputs.end(), side.begin(), side.end());
    return ok();
  };
  for (std::vector<std::string>& side : compared.sides) PGO_CHECK(replace_side(side));
  for (auto& release : request.earlier) PGO_CHECK(replace_side(release.inputs));
  PGO_CHECK(arguments.binary_from.find_for_sides(arguments.registry, inputs, compared.binaries,
                                                 compared.debug));
  return fetched.replace_by_file(request.profile, {FileKind::kLlvm, FileKind::kGcc});
}

Result<void> parse(VerifyArguments& arguments) {
  DiffRequest& compared = arguments.request.compared;
  PGO_TRY(compared.sides, parse_sides(arguments.sides));
  PGO_CHECK(refuse_options_of_runs(arguments.runs));
  parse_releases(arguments);
  const bool has_units = !arguments.units_before.empty();
  if (arguments.units_query.is_wanted()) {
    if (has_units || !arguments.units_after.empty())
      return fail(ErrorKind::kUsage,
                  "give --units-prometheus, or --units-before and --units-after, not both");
  } else if (has_units != !arguments.units_after.empty()) {
    return fail(ErrorKind::kUsage, "give both --units-before and --units-after, or neither");
  } else if (has_units) {
    PGO_CHECK(parse_all_units(arguments));
  } else {
    PGO_CHECK(refuse_cost_limits(arguments, "--units-before and --units-after"));
  }
  PGO_CHECK(parse_limits(arguments));
  PGO_TRY(arguments.files, parse_outputs(arguments.output.outputs, FormatUse::kVerify));
  for (const OutputSpec& output : arguments.files)
    compared.wants_graph |= output.format == Format::kFlamePage;
  compared.outputs = planned_files(arguments.output, arguments.files);
  std::vector<std::string> read;
  if (!arguments.request.profile.empty()) read.push_back(arguments.request.profile);
  for (const auto* side : {&arguments.units_before, &arguments.units_after})
    for (const std::string& units : *side)
      if (units.starts_with('@')) compared.unit_files.push_back(units.substr(1));
  read.insert(read.end(), compared.unit_files.begin(), compared.unit_files.end());
  return check_plan(compared.outputs, read);
}

std::string json_of(const VerifyResult& result) {
  return json_text(json_with_option_words(verify_json(result)));
}

Result<std::string> render(const VerifyResult& result, const VerifyArguments& arguments,
                           Format format) {
  switch (format) {
    case Format::kFlamePage: {
      if (!result.comparison.graph)
        return fail(ErrorKind::kInternal, "the comparison made no flame graph");
      FlamePage page = verify_page(result);
      for (std::string& note : page.notes) note = with_option_words(note);
      return flame_html(*result.comparison.graph, page);
    }
    case Format::kMarkdown: return with_option_words(verify_markdown(result, arguments.table));
    case Format::kJunit: return verify_junit(result);
    case Format::kBenchmark: return json_text(verify_benchmark_json(result));
    default: return json_of(result);
  }
}

// Prints the verdict even if it writes files, so that it is visible in a CI log.
Result<ExitCode> run(VerifyArguments& arguments) {
  PGO_CHECK(parse(arguments));
  FetchedInputs fetched(arguments.registry, arguments.config);
  PGO_CHECK(replace_inputs(fetched, arguments));
  PGO_CHECK(query_all_units(arguments));
  PGO_TRY(VerifyResult result, with_progress(arguments.request.compared.progress,
                                             [&] { return verify_release(arguments.request); }));
  Diagnostics& diagnostics = result.comparison.diagnostics;
  diagnostics = with_option_words(diagnostics);
  MadeFiles files;
  for (const OutputSpec& output : arguments.files) {
    PGO_TRY(std::string text, render(result, arguments, output.format));
    files.add(output.path, std::move(text));
  }
  const OutputArguments& wanted = arguments.output;
  if (!wanted.report.empty()) files.add(wanted.report, json_of(result));
  const bool prints = wanted.outputs.empty();
  if (wanted.json || prints)
    files.add("-", wanted.json ? json_of(result) : verify_text(result, arguments.table));
  PGO_CHECK(write_files(files.files()));
  print(diff_messages(result.comparison));
  if (wanted.json || !prints) print_note(verdict_sentence(result));
  return exit_code_of(result.outcome);
}

Result<void> check_calibration_usage(const VerifyArguments& arguments) {
  const SideArguments& sides = arguments.sides;
  if (!sides.sides.empty() || !sides.before.empty() || !sides.after.empty())
    return fail(
        ErrorKind::kUsage,
        "--calibrate splits one fleet, so it takes no BEFORE, AFTER, --before or --after; quote a "
        "glob, or name each input with a --calibrate of its own");
  if (!arguments.units_after.empty() || arguments.units_before.size() > 1 ||
      arguments.units_query.is_wanted())
    return fail(ErrorKind::kUsage,
                "--calibrate takes one --units-before, with the units of work of the fleet");
  PGO_CHECK(refuse_options_of_runs(arguments.runs));
  const VerifyRequest& request = arguments.request;
  if (!request.profile.empty() || request.sampling_only)
    return fail(ErrorKind::kUsage,
                std::string(request.sampling_only ? "--sampling-only" : "--profile") +
                    " cannot be combined with --calibrate");
  if (!arguments.units_before.empty()) return ok();
  return refuse_cost_limits(arguments, "--units-before");
}

// Judges splits of one fleet, instead of two sides.
Result<ExitCode> run_calibration_of(VerifyArguments& arguments) {
  PGO_CHECK(check_calibration_usage(arguments));
  PGO_CHECK(parse_limits(arguments));
  CalibrationArguments calibration;
  calibration.output = arguments.output;
  calibration.request.limits = arguments.request.limits;
  DiffRequest& compared = calibration.request.compared = arguments.request.compared;
  compared.sides[0] = arguments.calibrate;
  FetchedInputs fetched(arguments.registry, arguments.config);
  PGO_CHECK(fetched.replace_side(compared.sides[0], compared.path_template));
  PGO_CHECK(arguments.binary_from.find_for_sides(arguments.registry, compared.sides[0],
                                                 compared.binaries, compared.debug));
  if (!arguments.units_before.empty()) {
    const std::string& units = arguments.units_before[0];
    compared.measure = verify::Measure::kPerUnit;
    PGO_CHECK(parse_units_argument("--units-before", units, units_of(compared), compared.units[0],
                                   compared.member_units[0]));
    if (units.starts_with('@')) compared.unit_files.push_back(units.substr(1));
    calibration.read = compared.unit_files;
  }
  return run_calibration(std::move(calibration));
}

// What the other options of the command say about runs.
Result<RunsContext> runs_context(VerifyArguments& arguments) {
  const SideArguments& sides = arguments.sides;
  const DiffRequest& compared = arguments.request.compared;
  RunsContext context;
  context.has_profiles = !sides.sides.empty() || !sides.before.empty() || !sides.after.empty();
  context.has_profile_options =
      !arguments.units_before.empty() || !arguments.units_after.empty() ||
      arguments.units_query.is_wanted() || !arguments.calibrate.empty() ||
      !compared.standardize.empty() || !arguments.request.profile.empty() ||
      !compared.path_template.empty() || !compared.sample_type.empty() ||
      !compared.binaries.empty() || !arguments.binary_from.archives.empty() ||
      arguments.function_growth || arguments.function_share || arguments.request.sampling_only ||
      compared.physical || !compared.debug.files.empty() ||
      compared.debug.roots != DebugPlaces().roots || arguments.table.top != DiffTable().top ||
      compared.jobs != DiffRequest().jobs;
  PGO_CHECK(parse_limits(arguments));  // adds those of pgo.toml
  context.limits = arguments.request.limits;
  context.output = arguments.output;
  return context;
}

Result<ExitCode> run_commands(VerifyArguments& arguments) {
  PGO_TRY(const RunsContext context, runs_context(arguments));
  return run_programs(arguments.runs, context);
}

void declare_limits(CommandLine& line, VerifyArguments& arguments) {
  const char* group = "Limits (percent)";
  line.option("--limit", arguments.growth, "Accepted growth of the cost of a unit of work")
      .growth_percent()
      .default_text("1")
      .group(group);
  line.option("--expect", arguments.drop,
              "Pass only if a unit of work costs at least this much less")
      .percent()
      .group(group);
  line.option("--function-limit", arguments.function_growth, "Accepted growth of a single function")
      .growth_percent()
      .default_text("20")
      .group(group);
  line.option("--min-share", arguments.function_share,
              "Judge only functions with at least this share of the cost (of both sides together)")
      .percent()
      .default_text("0.5")
      .group(group);
  line.flag("--sampling-only", arguments.request.sampling_only,
            "With one profile per side, judge by sampling error alone; this ignores how\n"
            "much hosts and hours differ")
      .group(group);
}

void declare_inputs(CommandLine& line, VerifyArguments& arguments) {
  add_side_arguments(line, arguments.sides,
                     "An input of the before side. Given three or more times, each is an earlier\n"
                     "release, and how much these differ sets the limits");
  line.option("--units-before", arguments.units_before,
              "Units of work that the before side did (such as requests served): a number, or\n"
              "@FILE with a line 'HOST NUMBER' for each host or file (with --standardize:\n"
              "'VALUE NUMBER' or 'HOST VALUE NUMBER'). Without units, shares are compared,\n"
              "which cannot show a change that all functions have in common")
      .type_name("N|@FILE")
      .group(kInputGroup);
  line.option("--units-after", arguments.units_after, "Units of work that the after side did")
      .type_name("N|@FILE")
      .group(kInputGroup);
  add_units_query_options(line, arguments.units_query, kInputGroup);
  line.option(
          "--calibrate", arguments.calibrate,
          "Instead of two sides: split the profiles of this fleet at random into halves, up to\n"
          "200 times, and show how often a split fails although nothing changed")
      .type_name("INPUT")
      .group(kInputGroup);
  add_config_option(line, arguments.config);
  add_comparison_inputs(line, arguments.request.compared, arguments.binary_from);
  line.option("--profile", arguments.request.profile,
              "The profile that the build of the after side was made with: show how much of it\n"
              "matches that build (one of --binary), and which hot functions do not")
      .type_name("FILE")
      .group(kBinaryGroup);
}

}  // namespace

void declare_verify(CommandLine& line) {
  auto options = std::make_shared<VerifyArguments>();
  declare_inputs(line, *options);
  declare_runs(line, options->runs);
  declare_limits(line, *options);
  line.option("-o,--output", options->output.outputs,
              "Write this file instead of printing; may be given several times:\n" +
                  output_formats_help(FormatUse::kVerify))
      .group(kOutputGroup);
  line.option("--top", options->table.top, "Maximum number of rows in the table of functions")
      .show_default()
      .group(kOutputGroup);
  add_report_option(line, options->output.report);
  add_json_option(line, options->output.json);
  add_jobs_option(line, options->request.compared.jobs);
  add_registry_options(line, options->registry);
  line.footer(
      "Exit code: 0 pass, 1 fail, 2 wrong usage or unusable files, 3 inconclusive. With "
      "--calibrate, 1\n"
      "says that more than 5 % of the splits fail.\n"
      "Examples:\n"
      "  pgo verify before/ after/ --units-before 1200000 --units-after 1180000 --expect 3\n"
      "  pgo verify --before 'stable/*.pb.gz' --after 'canary/*.pb.gz' -o canary.xml -o "
      "canary.html\n"
      "  pgo verify --run-before './server.old --bench' --run-after './server.new --bench' "
      "--expect 3\n"
      "  pgo verify --before r1/ --before r2/ --before r3/ --after r4/\n"
      "  pgo verify --calibrate 'stable/*.pb.gz' --units-before @stable.txt\n"
      "  pgo verify --run-before './server.old --bench' --run-after './server.new --bench' "
      "--count\n"
      "  pgo verify --serve-before ./server.old --serve-after ./server.new --ready ./ping.sh "
      "--load 'h2load -n 20000 URL'\n"
      "  pgo verify fleet/#version=1.41 fleet/#version=1.42 --path-template "
      "'{version}/{host}.pb.gz'");
  line.run([options] {
    Result<ExitCode> ended = options->runs.is_wanted()     ? run_commands(*options)
                             : !options->calibrate.empty() ? run_calibration_of(*options)
                                                           : run(*options);
    return report_any_failure(ended, options->output.json);
  });
}

}  // namespace pgo
