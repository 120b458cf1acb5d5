#include "pgo/cli/commands/verify_calibration.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/report/calibration_report.h"
#include "pgo/report/json_text.h"

namespace pgo {
namespace {

Result<std::vector<OutputSpec>> parse_calibration_outputs(
    const std::vector<std::string>& arguments) {
  std::vector<OutputSpec> outputs;
  for (const std::string& argument : arguments) {
    PGO_TRY(OutputSpec output, parse_output(argument, FormatUse::kVerify));
    if (output.format != Format::kMarkdown && output.format != Format::kJson)
      return fail(
          ErrorKind::kUsage,
          "-o " + argument +
              ": the false alarms of a fleet are written as Markdown (.md) or JSON (.json)");
    outputs.push_back(std::move(output));
  }
  return outputs;
}

}  // namespace

Result<ExitCode> run_calibration(CalibrationArguments arguments) {
  CalibrationRequest& request = arguments.request;
  PGO_TRY(const std::vector<OutputSpec> outputs,
          parse_calibration_outputs(arguments.output.outputs));
  request.compared.outputs = planned_files(arguments.output, outputs);
  PGO_CHECK(check_plan(request.compared.outputs, arguments.read));
  PGO_TRY(Calibration result,
          with_progress(request.compared.progress, [&] { return calibrate(request); }));
  result.diagnostics = with_option_words(result.diagnostics);
  const std::string json = json_text(json_with_option_words(calibration_json(result)));
  const bool prints = outputs.empty();
  MadeFiles files;
  for (const OutputSpec& output : outputs)
    files.add(output.path,
              output.format == Format::kMarkdown ? calibration_markdown(result) : json);
  if (!arguments.output.report.empty()) files.add(arguments.output.report, json);
  if (arguments.output.json || prints)
    files.add("-", arguments.output.json ? json : calibration_text(result));
  PGO_CHECK(write_files(files.files()));
  print(messages_of(result.diagnostics));
  const bool is_too_often =
      std::any_of(result.splits.begin(), result.splits.end(), fails_too_often);
  if (is_too_often || decides_nothing(result) || arguments.output.json || !prints)
    print_note(calibration_sentence(result));
  return is_too_often ? kExitNo : kExitDone;
}

}  // namespace pgo
