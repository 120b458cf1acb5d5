#include "pgo/cli/output_argument.h"

namespace pgo {
namespace {

// Fails when another command makes this format.
Result<OutputSpec> written_by(FormatUse command, const FormatInfo& format,
                              std::string_view argument, std::string_view path) {
  if (path.empty())
    return fail(ErrorKind::kUsage, "-o " + std::string(argument) + ": the path is missing");
  if (is_used_by(format.output, command)) return OutputSpec{format.format, std::string(path)};
  bool merges = command == FormatUse::kMerge;
  return fail(ErrorKind::kUsage,
              "-o " + std::string(argument) + ": pgo " + (merges ? "convert" : "merge") +
                  " writes this format (" + std::string(format.description) + "), pgo " +
                  (merges ? "merge" : "convert") + " these:\n" + output_formats_help(command));
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
