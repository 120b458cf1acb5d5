#include "pgo/cli/arguments/result_arguments.h"

#include <nlohmann/json.hpp>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/convert/output_plan.h"
#include "pgo/report/json_text.h"

namespace pgo {

void add_result_options(CommandLine& line, ResultArguments& arguments) {
  add_report_option(line, arguments.report);
  add_json_option(line, arguments.json);
}

Result<void> check_result_file(const ResultArguments& arguments,
                               const std::vector<std::string>& read) {
  if (arguments.report.empty()) return ok();
  if (arguments.report == "-")
    return fail(ErrorKind::kUsage,
                "--report - would write to standard output, where the result is printed",
                "use --json");
  return check_plan({{arguments.report, "--report " + arguments.report}}, read);
}

Result<void> write_result(const ResultArguments& arguments, const nlohmann::json& result,
                          const std::string& text) {
  const std::string json = json_text(json_with_option_words(result));
  std::vector<FileContents> files;
  if (!arguments.report.empty()) files.push_back({arguments.report, json});
  files.push_back({"-", arguments.json ? json : text});
  return write_files(files);
}

}  // namespace pgo
