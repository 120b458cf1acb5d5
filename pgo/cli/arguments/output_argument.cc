#include "pgo/cli/arguments/output_argument.h"

#include <unistd.h>

#include <algorithm>

namespace pgo {
namespace {

std::string name_of(FormatUse command) {
  return command == FormatUse::kConvert  ? "pgo convert"
         : command == FormatUse::kMerge  ? "pgo merge"
         : command == FormatUse::kDiff   ? "pgo diff"
         : command == FormatUse::kVerify ? "pgo verify"
         : command == FormatUse::kCost   ? "pgo cost"
                                         : "pgo lock diff";
}

// "pgo convert writes", "pgo merge, pgo diff and pgo verify write".
std::string writers_of(FormatUse use) {
  std::vector<std::string> names;
  for (FormatUse command : {FormatUse::kConvert, FormatUse::kMerge, FormatUse::kDiff,
                            FormatUse::kVerify, FormatUse::kCost, FormatUse::kLockDiff})
    if (is_used_by(use, command)) names.push_back(name_of(command));
  std::string text = names[0];
  for (size_t i = 1; i < names.size(); i++)
    text += (i + 1 < names.size() ? ", " : " and ") + names[i];
  return text + (names.size() > 1 ? " write" : " writes");
}

// Fails when other commands make this format.
Result<OutputSpec> written_by(FormatUse command, const FormatInfo& format,
                              std::string_view argument, std::string_view path) {
  if (path.empty())
    return fail(ErrorKind::kUsage, "-o " + std::string(argument) + ": the path is missing");
  if (is_used_by(format.output, command)) return OutputSpec{format.format, std::string(path)};
  return fail(ErrorKind::kUsage, "-o " + std::string(argument) + ": " + writers_of(format.output) +
                                     " this format (" + std::string(format.description) + "), " +
                                     name_of(command) + " these:\n" + output_formats_help(command));
}

// Bytes that are no text would make a mess of a terminal.
Result<void> refuse_terminal(const OutputSpec& output) {
  if (output.path != "-" || is_text_format(output.format) || ::isatty(STDOUT_FILENO) == 0)
    return ok();
  return fail(ErrorKind::kUsage,
              "standard output is a terminal, and what would be written to it is binary",
              "name a file, or redirect it (> FILE)");
}

}  // namespace

Result<OutputSpec> parse_output(std::string_view argument, FormatUse command) {
  for (const FormatInfo& format : all_formats())
    if (!format.prefix.empty() && argument.starts_with(format.prefix) &&
        argument.substr(format.prefix.size()).starts_with(':'))
      return written_by(command, format, argument, argument.substr(format.prefix.size() + 1));
  for (const FormatInfo& format : all_formats())
    if (!format.extension.empty() && argument.ends_with(format.extension))
      return written_by(command, format, argument, argument);
  return fail(ErrorKind::kUsage, "-o " + std::string(argument) +
                                     ": which format? Use a known extension or FORMAT:PATH:\n" +
                                     output_formats_help(command));
}

Result<std::vector<OutputSpec>> parse_outputs(const std::vector<std::string>& arguments,
                                              FormatUse command) {
  std::vector<OutputSpec> outputs;
  for (const std::string& argument : arguments) {
    PGO_TRY(OutputSpec output, parse_output(argument, command));
    outputs.push_back(std::move(output));
  }
  for (const OutputSpec& output : outputs) PGO_CHECK(refuse_terminal(output));
  return outputs;
}

std::vector<PlannedFile> planned_files(const OutputArguments& arguments,
                                       const std::vector<OutputSpec>& parsed) {
  std::vector<PlannedFile> planned;
  for (size_t i = 0; i < parsed.size(); i++)
    planned.push_back({parsed[i].path, "-o " + arguments.outputs[i]});
  if (!arguments.report.empty())
    planned.push_back({arguments.report, "--report " + arguments.report});
  if (arguments.json) planned.push_back({"-", "--json"});
  return planned;
}

std::string output_formats_help(FormatUse command) {
  std::string text;
  for (const FormatInfo& format : all_formats()) {
    if (!is_used_by(format.output, command)) continue;
    std::string line = "  " + std::string(format.prefix) + ":PATH";
    if (!format.extension.empty()) line += " or *" + std::string(format.extension);
    line.resize(std::max<size_t>(line.size() + 2, 30), ' ');
    text += line + std::string(format.description) + "\n";
  }
  text.pop_back();
  return text;
}

}  // namespace pgo
