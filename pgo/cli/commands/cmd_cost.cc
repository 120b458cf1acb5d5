// pgo cost: the command line of cost() (pgo/cost/cost.h).

#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/comparison_options.h"
#include "pgo/cli/arguments/config_option.h"
#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/sources.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/cost/cost.h"
#include "pgo/report/cost_report.h"

namespace pgo {
namespace {

struct CostArguments {
  ConfigArgument config;
  RegistryArguments registry;
  BinaryFrom binary_from;
  std::string by = "function";
  OutputArguments output;
  CostTable table;
  std::vector<OutputSpec> files;  // parsed outputs
  CostRequest request;
};

Result<void> parse(CostArguments& arguments) {
  CostRequest& request = arguments.request;
  PGO_TRY(const RowsWord rows,
          parse_rows(arguments.by, {"function", "file", "binary", "team", "label:KEY"}));
  request.by = rows.by;
  request.label = rows.label;
  PGO_TRY(arguments.files, parse_outputs(arguments.output.outputs, FormatUse::kCost));
  request.outputs = planned_files(arguments.output, arguments.files);
  return ok();
}

// Options win over the file.
Result<void> add_config(const ConfigArgument& argument, CostRequest& request) {
  PGO_TRY(std::optional<Config> config, load_config(argument));
  if (!config) return ok();
  print_warnings(config->diagnostics);
  request.owners = std::move(config->owners);
  Price& price = request.price;
  if (!price.cores) price.cores = config->cost.cores;
  if (!price.core_hour) price.core_hour = config->cost.core_hour;
  if (price.currency.empty()) price.currency = config->cost.currency;
  return ok();
}

std::string json_of(const CostResult& result) {
  return costs_json_text(json_with_option_words(costs_json(result)), result);
}

Result<ExitCode> run(CostArguments& arguments) {
  PGO_CHECK(parse(arguments));
  CostRequest& request = arguments.request;
  PGO_CHECK(add_config(arguments.config, request));
  FetchedInputs fetched(arguments.registry, arguments.config);
  PGO_CHECK(fetched.replace_side(request.inputs, request.path_template));
  PGO_CHECK(arguments.binary_from.find_for_sides(arguments.registry, request.inputs,
                                                 request.binaries, request.debug));
  PGO_TRY(CostResult result, with_progress(request.progress, [&] { return cost(request); }));
  result.diagnostics = with_option_words(result.diagnostics);
  MadeFiles files;
  for (const OutputSpec& output : arguments.files)
    files.add(output.path, output.format == Format::kMarkdown
                               ? costs_markdown(result, arguments.table)
                               : json_of(result));
  const OutputArguments& wanted = arguments.output;
  if (!wanted.report.empty()) files.add(wanted.report, json_of(result));
  if (wanted.json || wanted.outputs.empty())
    files.add("-", wanted.json ? json_of(result) : costs_text(result, arguments.table));
  PGO_CHECK(write_files(files.files()));
  print(costs_messages(result));
  return kExitDone;
}

void declare_price(CommandLine& line, CostRequest& request) {
  const char* group = "Cores and money (default: [cost] of pgo.toml)";
  line.option("--cores", request.price.cores,
              "Number of cores that the profiled service keeps busy on average")
      .type_name("N")
      .group(group);
  line.option("--core-hour", request.price.core_hour, "Price of a core for an hour")
      .type_name("PRICE")
      .group(group);
  line.option("--currency", request.price.currency, "Currency of the price, such as USD")
      .group(group);
  line.option("--traffic", request.traffic,
              "Show the cores that this many times the traffic needs, if cost grows in\n"
              "proportion to traffic")
      .type_name("TIMES")
      .group(group);
}

}  // namespace

void declare_cost(CommandLine& line) {
  auto options = std::make_shared<CostArguments>();
  CostRequest* request = &options->request;
  line.argument(
          "PROFILE", request->inputs,
          "CPU profiles: files, globs, directories, @LIST, bundles and sources of pgo fetch,\n"
          "versions (REFERENCE, pgo.lock#NAME).\n"
          "Formats: pprof, gperftools, folded stacks, perf.data, .addr with PC samples.\n"
          "INPUT#KEY=PATTERN,... selects samples by their labels")
      .required();
  add_profile_inputs(line, {request->path_template, request->sample_type, request->binaries,
                            request->debug, options->binary_from, request->physical});
  add_config_option(line, options->config);
  line.option("--by", options->by,
              "Rows: function, file, binary, team, or label:KEY (values of a label)")
      .show_default();
  declare_price(line, *request);
  line.option("-o,--output", options->output.outputs,
              "Write this file instead of printing a table; may be given several times:\n" +
                  output_formats_help(FormatUse::kCost))
      .group(kOutputGroup);
  line.option("--top", options->table.top, "Maximum number of rows")
      .show_default()
      .group(kOutputGroup);
  line.flag(
          "--cumulative", request->cumulative,
          "Order rows by cumulative cost (with what a function calls), not by flat cost (without)")
      .group(kOutputGroup);
  add_report_option(line, options->output.report);
  add_json_option(line, options->output.json);
  add_jobs_option(line, request->jobs);
  add_registry_options(line, options->registry);
  line.footer(
      "[owners] of pgo.toml says which team a function belongs to.\n"
      "Examples:\n"
      "  pgo cost fleet/ --cores 1200 --core-hour 0.04 --currency USD\n"
      "  pgo cost 'fleet/*.pb.gz' --by team --traffic 1.5\n"
      "  pgo cost fleet/ --path-template '{service}/{host}.pb.gz' --by label:service\n"
      "  pgo cost server.data --binary ./server --cumulative -o cost.md");
  line.run([options] { return report_any_failure(run(*options), options->output.json); });
}

}  // namespace pgo
