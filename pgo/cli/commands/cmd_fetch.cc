// pgo fetch: the command line of fetch() (pgo/fetch/fetch.h).

#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/base/clock.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/config_option.h"
#include "pgo/cli/arguments/fetch_words.h"
#include "pgo/cli/arguments/label_argument.h"
#include "pgo/cli/arguments/network_options.h"
#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/sources.h"
#include "pgo/cli/arguments/units_argument.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/fetch/fetch.h"
#include "pgo/report/fetch_report.h"
#include "pgo/report/json_text.h"
#include "pgo/source/blob_cache.h"

namespace pgo {
namespace {

constexpr const char *kChoiceGroup = "What to fetch", *kSizeGroup = "How much to fetch";

struct FetchArguments {
  std::vector<std::string> sources;
  SourceArguments source;
  ConfigArgument config;
  std::string service, version, build, from, to, last, skip_after_start, traffic;
  std::string max_bytes, cache_bytes;
  std::vector<std::string> labels;  // KEY=VALUE
  std::vector<std::string> allowed_labels;
  OutputArguments output;  // --report and --json
  bool drop_outliers = false, strict = false, merged = false;
  std::vector<std::unique_ptr<Source>> opened;
  FetchRequest request;
};

Result<void> parse_labels_asked(const FetchArguments& arguments, Labels& labels) {
  auto add = [&](const std::string& key, const std::string& value) -> Result<void> {
    if (!labels.emplace(key, value).second)
      return fail(ErrorKind::kUsage, "the label " + key + " is given twice");
    return ok();
  };
  PGO_TRY(labels, parse_label_arguments(arguments.labels, "given"));
  if (!arguments.service.empty()) PGO_CHECK(add("service", arguments.service));
  if (!arguments.version.empty()) PGO_CHECK(add("version", arguments.version));
  return ok();
}

Result<void> parse_size(const char* option, const std::string& text, uint64_t& size) {
  if (text.empty()) return ok();
  const std::optional<uint64_t> parsed = parse_byte_size(text);
  if (!parsed)
    return fail(ErrorKind::kUsage,
                std::string(option) + " " + text + ": expected a size such as 500M or 8G");
  size = *parsed;
  return ok();
}

Result<void> parse_traffic(FetchArguments& arguments) {
  FetchRequest& request = arguments.request;
  const bool is_needed = request.weights == WeightBy::kTraffic;
  if (is_needed && arguments.traffic.empty())
    return fail(ErrorKind::kUsage, "--weights traffic needs --traffic FILE");
  if (arguments.traffic.empty()) return ok();
  if (!is_needed && !request.busiest)
    return fail(ErrorKind::kUsage, "--traffic is for --weights traffic and for --busiest");
  double total = 0;
  std::vector<MemberUnits> units;
  PGO_CHECK(
      parse_units_argument("--traffic", "@" + arguments.traffic, UnitsOf::kMembers, total, units));
  for (MemberUnits& one : units) request.traffic.push_back({std::move(one.member), one.units});
  return ok();
}

Result<void> add_limits(const FetchArguments& arguments, FetchLimits& limits) {
  PGO_TRY(std::optional<Config> config, load_config(arguments.config));
  if (!config) return ok();
  print_warnings(config->diagnostics);
  limits = fetch_limits(config->fetch);
  return ok();
}

Result<void> parse(FetchArguments& arguments) {
  FetchRequest& request = arguments.request;
  PGO_CHECK(parse_labels_asked(arguments, request.query.labels));
  PGO_TRY(request.query.window,
          parse_fetch_window(arguments.from, arguments.to, arguments.last, time_now()));
  if (!arguments.build.empty()) {
    request.build = BuildId::from_hex(arguments.build);
    if (!request.build || request.build->bytes().size() < BuildId::kMinSize)
      return fail(ErrorKind::kUsage,
                  "--build-id " + arguments.build + ": 16 hexadecimal digits or more expected");
  }
  if (!arguments.skip_after_start.empty()) {
    const std::optional<int64_t> skipped = parse_duration(arguments.skip_after_start);
    if (!skipped)
      return fail(ErrorKind::kUsage, "--skip-after-start " + arguments.skip_after_start +
                                         ": expected a duration such as 90s, 10m or 2h");
    request.skip_after_start = *skipped;
  }
  PGO_CHECK(parse_size("--max-bytes", arguments.max_bytes, request.selection.max_bytes));
  PGO_CHECK(parse_size("--cache-bytes", arguments.cache_bytes, request.cache_bytes));
  PGO_CHECK(parse_traffic(arguments));
  PGO_CHECK(add_limits(arguments, request.limits));
  if (request.cache.empty()) {
    PGO_TRY(request.cache, default_cache_directory());
  }
  if (arguments.drop_outliers) request.outliers = OutlierAction::kDrop;
  request.allowed_labels.insert(arguments.allowed_labels.begin(), arguments.allowed_labels.end());
  if (arguments.strict) request.missing = MissingAction::kFail;
  if (arguments.merged) request.form = BundleForm::kMerged;
  request.tool_version = program_version();
  request.path_template = arguments.source.path_template;
  for (const std::string& text : arguments.sources) {
    PGO_TRY(std::unique_ptr<Source> source, open_source(text, arguments.source));
    request.sources.push_back(source.get());
    arguments.opened.push_back(std::move(source));
  }
  return ok();
}

Result<ExitCode> run(FetchArguments& arguments) {
  PGO_CHECK(parse(arguments));
  FetchRequest& request = arguments.request;
  PGO_TRY(FetchResult result, with_progress(request.progress, [&] { return fetch(request); }));
  const std::string json = json_text(json_with_option_words(fetch_json(result)));
  const std::string text = fetch_text(result, request.output);
  std::vector<FileContents> files;
  if (!arguments.output.report.empty()) files.push_back({arguments.output.report, json});
  files.push_back({"-", arguments.output.json ? json : text});
  PGO_CHECK(write_files(files));
  print(fetch_messages(result));
  return result.failed_limits.empty() ? kExitDone : kExitNo;
}

void declare_choice(CommandLine& line, FetchArguments& arguments) {
  FetchRequest& request = arguments.request;
  line.option("--path-template", arguments.source.path_template,
              "Take labels from the ends of names: '{service}/{version}/{hour}/{host}.pb.gz'")
      .group(kChoiceGroup);
  line.option("--service", arguments.service, "Only profiles with this label 'service'")
      .group(kChoiceGroup);
  line.option("--version", arguments.version, "Only profiles with this label 'version'")
      .group(kChoiceGroup);
  line.option("--label", arguments.labels,
              "KEY=VALUE: only profiles with exactly this label; may be given once for each key")
      .group(kChoiceGroup);
  line.option("--from", arguments.from,
              "Only profiles from this time on: 2026-11-26T13:00:00Z, 2026-11-26T13, or 7d (ago)")
      .group(kChoiceGroup);
  line.option("--to", arguments.to, "Only profiles before this time").group(kChoiceGroup);
  line.option("--last", arguments.last, "Only profiles of the last 90s, 10m, 6h, 7d or 2w")
      .group(kChoiceGroup);
  line.option("--build-id", arguments.build, "Only profiles with samples of this build")
      .group(kChoiceGroup);
  line.option("--sample-type", request.query.sample_type,
              "Sample type to judge profiles by: cpu, alloc_space, ... (default: CPU time)")
      .group(kChoiceGroup);
  line.option("--busiest", request.busiest,
              "Only the profiles of this many hosts: those with the most traffic (--traffic), or "
              "else with\n"
              "the most bytes in the store")
      .group(kChoiceGroup);
  line.option("--skip-after-start", arguments.skip_after_start,
              "Leave out the first 10m (or another time) of each run of a version on a host")
      .group(kChoiceGroup);
}

void declare_amount(CommandLine& line, FetchArguments& arguments) {
  FetchRequest& request = arguments.request;
  line.option("--max-profiles", request.selection.max_profiles,
              "Maximum number of profiles, spread over hosts and hours")
      .show_default()
      .group(kSizeGroup);
  line.option("--max-bytes", arguments.max_bytes, "Maximum size of all profiles together")
      .default_text("8G")
      .group(kSizeGroup);
  add_cache_option(line, request.cache);
  line.option("--cache-bytes", arguments.cache_bytes, "Size up to which the cache keeps profiles")
      .default_text("20G")
      .group(kCacheGroup);
}

}  // namespace

void declare_fetch(CommandLine& line) {
  auto options = std::make_shared<FetchArguments>();
  FetchArguments& arguments = *options;
  FetchRequest& request = arguments.request;
  line.argument("SOURCE", arguments.sources,
                "Where profiles are: a directory (PATH or dir:PATH), s3://BUCKET/PREFIX,\n"
                "pprof+http://HOST:PORT[,...]/debug/pprof/profile?seconds=30, or a store:\n"
                "parca+http://HOST:PORT, pyroscope+http://HOST:PORT, profefe+http://HOST:PORT")
      .required();
  line.option("-o,--output", request.output,
              "Write this bundle: a directory with the profiles and bundle.json")
      .required()
      .group(kOutputGroup);
  line.flag("--merge", arguments.merged, "Write one merged profile for each build")
      .group(kOutputGroup);
  add_allow_label_option(line, arguments.allowed_labels);
  add_trim_path_option(line, request.trimmed_paths);
  line.flag("--strict", arguments.strict, "Fail when a profile that was chosen is missing")
      .group(kOutputGroup);
  declare_choice(line, arguments);
  declare_amount(line, arguments);
  line.option("--weights", request.weights,
              Words<WeightBy>{{"sample", WeightBy::kSample},
                              {"host", WeightBy::kHost},
                              {"traffic", WeightBy::kTraffic}},
              "Give the same weight to each sample of the store (sample), to each host (host), or\n"
              "to each unit of work of --traffic (traffic)")
      .default_text("sample")
      .group(kWeightGroup);
  line.option("--traffic", arguments.traffic, "A file with lines 'HOST NUMBER', such as requests")
      .group(kWeightGroup);
  line.flag("--drop-outliers", arguments.drop_outliers,
            "Leave out profiles that differ from the others by more than sampling noise")
      .group(kWeightGroup);
  add_network_options(line, arguments.source.network);
  add_config_option(line, arguments.config);
  add_report_option(line, arguments.output.report);
  add_json_option(line, arguments.output.json);
  add_jobs_option(line, request.jobs);
  line.footer(
      "pgo fetch chooses profiles of all hosts and hours, and gives them weights so that together\n"
      "they represent all profiles of the source. Other commands take the bundle as an input.\n"
      "Examples:\n"
      "  pgo fetch /srv/profiles --path-template '{service}/{hour}/{host}.pb.gz' \\\n"
      "    --service queryd --last 7d -o queryd.bundle\n"
      "  pgo fetch s3://profiles/queryd --max-profiles 500 --merge -o queryd.bundle\n"
      "  pgo fetch pyroscope+https://pyroscope --service queryd --last 1d -o queryd.bundle\n"
      "  pgo fetch 'pprof+http://web-1:6060,web-2:6060/debug/pprof/profile?seconds=30' -o now\n"
      "  pgo convert queryd.bundle --binary ./server -o server.prof");
  line.run([options] { return report_any_failure(run(*options), options->output.json); });
}

}  // namespace pgo
