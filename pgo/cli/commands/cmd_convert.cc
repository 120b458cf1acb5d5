// pgo convert: the command line of convert() (pgo/convert/convert.h) and convert_stacks()
// (pgo/convert/stack_conversion.h).

#include <nlohmann/json.hpp>

#include "pgo/cli/arguments/binary_from.h"
#include "pgo/cli/arguments/command_line.h"
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
#include "pgo/convert/convert.h"
#include "pgo/convert/reference_tool.h"
#include "pgo/convert/stack_conversion.h"
#include "pgo/report/convert_report.h"
#include "pgo/report/error_json.h"
#include "pgo/report/json_text.h"
#include "pgo/report/stack_conversion_report.h"

namespace pgo {
namespace {

// The options as they are given; what needs no parsing is in the request at once.
struct ConvertArguments {
  OutputArguments output;
  bool by_line = false;
  std::string time;
  unsigned timeout = kDefaultTimeout.count();  // seconds
  bool without_lines = false;
  std::string with;  // a reference tool
  RegistryArguments registry;
  BinaryFrom binary_from;
};

// What a run holds on to. It lives until the program ends, which does not take it apart: freeing
// the maps of a large profile costs a tenth of the run.
struct Conversion {
  ConvertArguments arguments;
  ConvertRequest request;
  std::optional<ConvertResult> result;
};

// Completes the request with what had to be parsed.
Result<void> parse(const ConvertArguments& arguments, ConvertRequest& request) {
  PGO_TRY(request.outputs, parse_outputs(arguments.output.outputs, FormatUse::kConvert));
  for (const char* placeholder : {"%b", "%i"})
    if (arguments.output.report.find(placeholder) != std::string::npos)
      return fail(ErrorKind::kUsage,
                  "--report " + arguments.output.report + ": '" + placeholder +
                      "' is for outputs of one binary each; the report is of "
                      "all binaries",
                  "name one file");
  request.other_files = planned_files(arguments.output, {});
  PGO_TRY(request.read.time, parse_time_window(arguments.time));
  if (arguments.by_line) request.count_by = CountBy::kLine;
  if (arguments.without_lines) request.without_line = WithoutLine::kAnywhereInFunction;
  request.timeout = std::chrono::seconds(arguments.timeout);
  return ok();
}

// The outputs and, where they were asked for, the figures.
Result<void> write(const std::vector<OutputFile>& outputs, const nlohmann::json& figures,
                   const ConvertArguments& arguments) {
  std::vector<FileContents> files;
  for (const OutputFile& output : outputs) files.push_back({output.path, output.contents});
  const std::string json = json_text(json_with_option_words(figures));
  if (!arguments.output.report.empty()) files.push_back({arguments.output.report, json});
  if (arguments.output.json) files.push_back({"-", json});
  return write_files(files);
}

Result<ExitCode> judge(const ReferenceCheck& check, const ConvertRequest& request) {
  if (!check.difference) return fail(check.difference.error());
  print_note(format_check(*check.difference, check.program));
  if (check.difference->identical()) return kExitDone;
  if (!request.as_llvm_profgen())
    print_note("the default keeps what llvm-profgen loses; --compat=llvm-profgen gives its counts");
  return kExitNo;
}

Result<ExitCode> run_stacks(const Conversion& conversion) {
  PGO_TRY(StackConversion result, convert_stacks(conversion.request));
  PGO_CHECK(write(result.outputs, stack_conversion_json(result), conversion.arguments));
  print(stack_conversion_messages(result));
  return kExitDone;
}

Result<ExitCode> run(Conversion& conversion) {
  ConvertArguments& arguments = conversion.arguments;
  ConvertRequest& request = conversion.request;
  PGO_CHECK(parse(arguments, request));
  FetchedInputs fetched(arguments.registry);
  PGO_CHECK(fetched.replace(request.inputs, {FileKind::kAddress, FileKind::kPprof}));
  PGO_CHECK(arguments.binary_from.find(arguments.registry, request.inputs, request.read.jobs,
                                       request.binaries, request.debug));
  if (wants_stacks(request) && arguments.with.empty()) return run_stacks(conversion);
  if (request.binaries.empty())
    return fail(ErrorKind::kUsage, "--binary is required (see 'pgo convert --help')");

  if (!arguments.with.empty()) {
    PGO_TRY(ReferenceOutputs made, convert_with(arguments.with, request));
    PGO_CHECK(write(made.outputs, convert_json(made), arguments));
    return kExitDone;
  }

  PGO_TRY(conversion.result, with_progress(request.progress, [&] { return convert(request); }));
  const ConvertResult& result = *conversion.result;
  PGO_CHECK(write(result.outputs, convert_json(result), arguments));
  print(convert_messages(result));
  return result.check ? judge(*result.check, request) : Result<ExitCode>(kExitDone);
}

void declare_files(CommandLine& line, ConvertRequest& request, ConvertArguments& arguments) {
  line.argument(
          "INPUT", request.inputs,
          "Recordings (perf.data), pprof and gperftools profiles, address profiles (.addr) and\n"
          "pre-aggregated traces (.preagg): files, globs, directories, @LIST, bundles and\n"
          "sources of pgo fetch, versions (REFERENCE, pgo.lock#NAME), or -")
      .required();
  add_binary_option(line, request.binaries,
                    " (required, unless a recording becomes a pprof\n"
                    "profile, whose addresses then have no names)");
  add_binary_from_option(line, arguments.binary_from);
  line.option(
          "--assume-build-id", request.assumed_build_ids,
          "For pprof and gperftools profiles: treat mappings without a build ID as the --binary\n"
          "with this one, if the file name matches. If only one ID is given, also the main binary")
      .group(kBinaryGroup);
  line.option("-o,--output", arguments.output.outputs,
              "Write this file; may be given several times. With several binaries, the path of an\n"
              "fdata or preagg file must contain %b (file name) or %i (build ID):\n" +
                  output_formats_help())
      .required()
      .group(kOutputGroup);
  add_report_option(line, arguments.output.report);
  add_json_option(line, arguments.output.json);
}

void declare_selection(CommandLine& line, ConvertRequest& request, ConvertArguments& arguments) {
  add_sample_options(line, request.read, arguments.time);
  line.flag("--by-line", arguments.by_line,
            "Count by source line even where the binary has pseudo probes")
      .group(kSelectionGroup);
  line.flag("--without-lines", arguments.without_lines,
            "Also use samples that have neither an address nor a line, only a function")
      .group(kSelectionGroup);
}

void declare_tools(CommandLine& line, ConvertRequest& request, ConvertArguments& arguments) {
  using perf_data::Compatibility;
  line.option("--compat", request.read.compatibility,
              Words<Compatibility>{{"llvm-profgen", Compatibility::kLlvmProfgen}},
              "Write exactly the counts of llvm-profgen 22, including its losses")
      .group(kToolGroup);
  line.option("--check-against", request.check_against,
              "Also run llvm-profgen on the recording, show the differences, and exit with 1 if\n"
              "there are any")
      .one_of({"llvm-profgen"})
      .type_name("llvm-profgen")
      .group(kToolGroup);
  line.option("--with", arguments.with, "Make the profile with this installed tool instead")
      .one_of(ReferenceTool::names())
      .type_name("llvm-profgen|create_llvm_prof")
      .excludes("--check-against")
      .excludes("--compat")
      .group(kToolGroup);
  add_perf2bolt_option(line, request.perf2bolt);
  add_timeout_option(line, arguments.timeout, "perf2bolt");
}

}  // namespace

void declare_convert(CommandLine& line) {
  auto conversion = std::make_shared<Conversion>();
  ConvertRequest& request = conversion->request;
  ConvertArguments& arguments = conversion->arguments;
  declare_files(line, request, arguments);
  declare_selection(line, request, arguments);
  add_debug_options(line, request.debug);
  declare_tools(line, request, arguments);
  add_jobs_option(line, request.read.jobs);
  add_registry_options(line, arguments.registry);
  line.footer(
      "Branch records of all inputs are added up without scaling, even if sampling periods\n"
      "differ. PC samples are used only if no input has branch records other than\n"
      "those by single steps.\n"
      "Examples:\n"
      "  pgo convert recordings/ --binary ./server -o server.prof -o server.fdata\n"
      "  clang++ -O2 -fprofile-sample-use=server.prof …\n"
      "  pgo convert agent.pb.gz --binary ./server -o named.pb.gz    # names its addresses");
  line.run([conversion] {
    return report_any_failure(run(*conversion), conversion->arguments.output.json);
  });
}

}  // namespace pgo
