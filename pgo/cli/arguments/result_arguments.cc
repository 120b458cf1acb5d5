#include "pgo/cli/arguments/result_arguments.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/convert/output_plan.h"
#include "pgo/registry/reference.h"
#include "pgo/report/json_text.h"
#include "pgo/source/file_identity.h"

namespace pgo {

void add_result_options(CommandLine& line, ResultArguments& arguments) {
  add_report_option(line, arguments.report);
  add_json_option(line, arguments.json);
}

namespace {

// The files of an OCI layout that a report could take the place of; of other arguments, themselves.
std::vector<std::string> files_of(const std::vector<std::string>& used) {
  std::vector<std::string> files;
  for (const std::string& text : used) {
    const Result<RegistryReference> reference =
        is_reference(text) ? parse_reference(text) : fail(ErrorKind::kUsage, "");
    if (reference && reference->kind == RegistryReference::Kind::kLayout)
      for (const char* name : {"/index.json", "/oci-layout"})
        files.push_back(reference->path + name);
    else
      files.push_back(text);
  }
  return files;
}

bool is_within(const std::string& file, const std::string& directory) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) return false;
  const auto inner = std::filesystem::canonical(file, error);
  const auto outer = std::filesystem::canonical(directory, error);
  return !error &&
         std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace

Result<void> check_result_file(const ResultArguments& arguments,
                               const std::vector<std::string>& used) {
  if (arguments.report.empty()) return ok();
  if (arguments.report == "-")
    return fail(ErrorKind::kUsage,
                "--report - would write to standard output, where the result is printed",
                "use --json");
  const std::string asked_by = "--report " + arguments.report;
  const std::vector<std::string> files = files_of(used);
  std::error_code missing;
  if (std::filesystem::is_regular_file(arguments.report, missing))
    for (const std::string& directory : files)
      if (is_within(arguments.report, directory))
        return fail(ErrorKind::kUsage,
                    asked_by + " would replace a file of " + directory + ", which is read");
  return check_plan({{arguments.report, asked_by}}, files);
}

Result<void> check_result_is_apart(const ResultArguments& arguments,
                                   const std::vector<std::string>& made) {
  for (const std::string& path : made)
    if (is_same_file(arguments.report, path))
      return fail(ErrorKind::kUsage,
                  "--report " + arguments.report +
                      " would replace what this command made: the report was not written",
                  "name another file");
  return ok();
}

Result<void> write_result(const ResultArguments& arguments, const nlohmann::json& result) {
  const std::string json = json_text(json_with_option_words(result));
  std::vector<FileContents> files;
  if (!arguments.report.empty()) files.push_back({arguments.report, json});
  if (arguments.json) files.push_back({"-", json});
  return write_files(files);
}

Result<void> write_result(const ResultArguments& arguments, const nlohmann::json& result,
                          const std::string& text) {
  PGO_CHECK(write_result(arguments, result));
  return arguments.json ? ok() : write_files({{"-", text}});
}

}  // namespace pgo
