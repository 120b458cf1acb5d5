#include "pgo/cli/verify_calibration.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pgo/cli/messages.h"
#include "pgo/cli/option_words.h"
#include "pgo/cli/progress_line.h"
#include "pgo/cli/written_files.h"
#include "pgo/report/calibration_report.h"
#include "pgo/report/json_text.h"

namespace pgo {
namespace {

// The error rate that the verdict has on simulated fleets.
constexpr double kAccepted = .05;

bool is_too_often(const SplitVerdicts& splits) {
  return static_cast<double>(splits.failed) > kAccepted * static_cast<double>(splits.count);
}

}  // namespace

Result<ExitCode> run_calibration(CalibrationArguments arguments) {
  CalibrationRequest& request = arguments.request;
  request.compared.outputs = planned_files(arguments.output, {});
  PGO_CHECK(check_plan(request.compared.outputs, arguments.read));
  PGO_TRY(Calibration result,
          with_progress(request.compared.progress, [&] { return calibrate(request); }));
  const std::string json = json_text(json_with_option_words(calibration_json(result)));
  const std::string text = calibration_text(result);
  std::vector<FileContents> files;
  if (!arguments.output.report.empty()) files.push_back({arguments.output.report, json});
  files.push_back({"-", arguments.output.json ? json : text});
  PGO_CHECK(write_files(files));
  print(messages_of(result.diagnostics));
  if (std::none_of(result.splits.begin(), result.splits.end(), is_too_often)) return kExitDone;
  print_note("more than 5 % of the splits fail: raise the limits, or add hosts");
  return kExitNo;
}

}  // namespace pgo
