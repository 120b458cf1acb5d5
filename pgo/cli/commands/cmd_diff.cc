// pgo diff: the command line of diff() (pgo/diff/diff.h).

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "converters/flame_graph/flame_svg.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/comparison_options.h"
#include "pgo/cli/arguments/config_option.h"
#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/sources.h"
#include "pgo/cli/arguments/units_argument.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/diff/diff.h"
#include "pgo/diff/folded_difference.h"
#include "pgo/report/diff_report.h"

namespace pgo {
namespace {

struct DiffArguments {
  SideArguments sides;
  OutputArguments output;
  ConfigArgument config;
  RegistryArguments registry;
  BinaryFrom binary_from;
  std::string by;  // empty: functions, or lines where they are listed
  std::string per = "share";
  std::optional<double> false_discoveries;
  DiffTable table;
  std::vector<OutputSpec> files;  // parsed outputs
  DiffRequest request;
};

Result<void> parse_per(const std::string& text, DiffRequest& request) {
  constexpr std::string_view kUnit = "unit=";
  if (text == "share") return ok();
  if (text == "total") {
    request.measure = verify::Measure::kTotal;
    return ok();
  }
  if (text.starts_with(kUnit)) {
    std::string_view units = std::string_view(text).substr(kUnit.size());
    std::string_view before = units.substr(0, units.find(','));
    std::string_view after =
        before.size() == units.size() ? before : units.substr(before.size() + 1);
    request.measure = verify::Measure::kPerUnit;
    if (parse_units(before, request.units[0]) && parse_units(after, request.units[1])) return ok();
  }
  return fail(ErrorKind::kUsage,
              "--per " + text +
                  ": share, total or unit=BEFORE,AFTER expected, as in unit=120000,118000: how "
                  "many requests each side served");
}

Result<void> parse(DiffArguments& arguments) {
  DiffRequest& request = arguments.request;
  PGO_TRY(request.sides, parse_sides(arguments.sides));
  PGO_TRY(std::optional<Config> config, load_config(arguments.config));
  if (config) {
    print_warnings(config->diagnostics);
    request.owners = std::move(config->owners);
  }
  if (arguments.by.empty()) arguments.by = request.listing.functions.empty() ? "function" : "line";
  PGO_TRY(const RowsWord rows,
          parse_rows(arguments.by, {"function", "file", "line", "binary", "team", "label:KEY"}));
  request.by = rows.by;
  request.label = rows.label;
  PGO_CHECK(parse_per(arguments.per, request));
  if (arguments.false_discoveries) request.false_discoveries = *arguments.false_discoveries / 100;
  PGO_TRY(arguments.files, parse_outputs(arguments.output.outputs, FormatUse::kDiff));
  for (const OutputSpec& output : arguments.files) {
    switch (output.format) {
      case Format::kFlamePage:
      case Format::kFlamePicture: request.wants_graph = true; break;
      case Format::kMarkdown:
      case Format::kJson: break;
      default: request.wants_merged = true;
    }
  }
  request.outputs = planned_files(arguments.output, arguments.files);
  return ok();
}

FlamePage page_of(const DiffResult& result) {
  FlamePage page = diff_page(result);
  for (std::string& note : page.notes) note = with_option_words(note);
  return page;
}

std::string json_of(const DiffResult& result) {
  return diff_json_text(json_with_option_words(diff_json(result)), result);
}

Result<std::string> render_graph(const DiffResult& result, Format format) {
  if (!result.graph) return fail(ErrorKind::kInternal, "the comparison made no flame graph");
  const FlamePage page = page_of(result);
  if (format == Format::kFlamePicture) return flame_svg(*result.graph, page);
  return flame_html(*result.graph, page);
}

Result<std::string> render_merged(DiffResult& result, Format format) {
  if (!result.merged) return fail(ErrorKind::kInternal, "the comparison merged no profiles");
  if (format == Format::kFolded)
    return folded_difference(*result.merged, result.type + "/" + result.unit, result.diagnostics);
  return gzip(write_pprof(*result.merged));
}

Result<std::string> render(DiffResult& result, const DiffArguments& arguments, Format format) {
  switch (format) {
    case Format::kFlamePage:
    case Format::kFlamePicture: return render_graph(result, format);
    case Format::kMarkdown: return with_option_words(diff_markdown(result, arguments.table));
    case Format::kJson: return json_of(result);
    default: return render_merged(result, format);
  }
}

Result<ExitCode> run(DiffArguments& arguments) {
  PGO_CHECK(parse(arguments));
  DiffRequest& request = arguments.request;
  FetchedInputs fetched(arguments.registry, arguments.config);
  for (std::vector<std::string>& side : request.sides)
    PGO_CHECK(fetched.replace_side(side, request.path_template));
  std::vector<std::string> inputs = request.sides[0];
  inputs.insert(inputs.end(), request.sides[1].begin(), request.sides[1].end());
  PGO_CHECK(arguments.binary_from.find_for_sides(arguments.registry, inputs, request.binaries,
                                                 request.debug));
  PGO_TRY(DiffResult result, with_progress(request.progress, [&] { return diff(request); }));
  result.diagnostics = with_option_words(result.diagnostics);
  MadeFiles files;
  for (const OutputSpec& output : arguments.files) {
    PGO_TRY(std::string text, render(result, arguments, output.format));
    files.add(output.path, std::move(text));
  }
  const std::string& report = arguments.output.report;
  if (!report.empty()) files.add(report, json_of(result));
  if (arguments.output.json || arguments.files.empty())
    files.add("-", arguments.output.json ? json_of(result) : diff_text(result, arguments.table));
  PGO_CHECK(write_files(files.files()));
  print(diff_messages(result));
  return kExitDone;
}

void declare_filters(CommandLine& line, StackFilterOptions& filter) {
  const char* group = "Filters (regular expressions, as in go tool pprof)";
  line.option("--focus", filter.focus, "Only samples with a frame that matches").group(group);
  line.option("--ignore", filter.ignore, "Leave out samples with a frame that matches")
      .group(group);
  line.option("--hide", filter.hide, "Leave out frames that match").group(group);
  line.option("--show", filter.show, "Leave out frames that do not match").group(group);
  line.option("--tagfocus", filter.tag_focus,
              "Only samples with a label that matches: KEY=REGEX, KEY=1kb:2mb")
      .group(group);
  line.option("--tagignore", filter.tag_ignore, "Leave out samples with a label that matches")
      .group(group);
  line.option("--tagshow", filter.tag_show, "Leave out labels whose key does not match")
      .group(group);
}

}  // namespace

void declare_diff(CommandLine& line) {
  auto options = std::make_shared<DiffArguments>();
  DiffRequest* request = &options->request;
  add_side_arguments(line, options->sides,
                     "An input of the before side; may be given several times");
  add_comparison_inputs(line, *request, options->binary_from);
  add_config_option(line, options->config);
  line.option("--by", options->by,
              "Rows: function, file, line, binary, team, or label:KEY (values of a label)")
      .default_text("function");
  line.option("--list", request->listing.functions,
              "Show only the functions that match this regular expression, line by line,\n"
              "with their source")
      .excludes("--by");
  line.option("--source-root", request->listing.source_roots,
              "A directory to search for the source files of --list; may be given several times")
      .default_text("the current directory")
      .needs("--list");
  line.option(
          "--per", options->per,
          "Compare shares of each side (share), means per profile (total), or values per unit of\n"
          "work (unit=BEFORE,AFTER, such as requests served)")
      .show_default();
  line.option(
          "--fdr", options->false_discoveries,
          "Accepted false discovery rate: share of false findings among all findings, in percent")
      .percent()
      .default_text("5");
  declare_filters(line, request->filter);
  line.option("-o,--output", options->output.outputs,
              "Write this file instead of printing a table; may be given several times:\n" +
                  output_formats_help(FormatUse::kDiff))
      .group(kOutputGroup);
  line.option("--top", options->table.top, "Maximum number of rows")
      .show_default()
      .group(kOutputGroup);
  line.flag("--cumulative", options->table.cumulative,
            "Show cumulative cost (with what a function calls) instead of flat cost (without)")
      .group(kOutputGroup);
  line.flag("--only-changed", options->table.only_changed,
            "Leave rows with the verdict noise or thin out of the table")
      .group(kOutputGroup);
  add_report_option(line, options->output.report);
  add_json_option(line, options->output.json);
  add_jobs_option(line, request->jobs);
  add_registry_options(line, options->registry);
  line.footer(
      "With several profiles per side, pgo knows how much hosts and hours differ, and marks\n"
      "the rows that changed by more. With one per side, it knows only the sampling error.\n"
      "[owners] of pgo.toml says which team a function belongs to.\n"
      "Examples:\n"
      "  pgo diff before.pb.gz after.pb.gz\n"
      "  pgo diff 'fleet/1.41/*.pb.gz' 'fleet/1.42/*.pb.gz' -o release.html\n"
      "  pgo diff merged.pb.gz#version=1.41 merged.pb.gz#version=1.42 --only-changed\n"
      "  pgo diff old.data new.data --binary old/server --binary new/server --by line\n"
      "  pgo diff before/ after/ --list 'Engine::scan' --source-root ~/src/server");
  line.run([options] { return report_any_failure(run(*options), options->output.json); });
}

}  // namespace pgo
