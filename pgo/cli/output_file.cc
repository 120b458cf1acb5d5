#include "pgo/cli/output_file.h"

#include "pgo/base/file_name.h"

namespace pgo {
namespace {

// Who writes it.
enum class Makers { kConvert, kMerge, kBoth };

struct Format {
  OutputFormat format;
  std::string_view prefix, extension, meaning;
  Makers makers = Makers::kConvert;

  bool is_made_by(OutputMaker maker) const {
    return makers == Makers::kBoth || (makers == Makers::kMerge) == (maker == OutputMaker::kMerge);
  }
};

constexpr Format kFormats[] = {
    {OutputFormat::kLlvm, "llvm", ".prof", "LLVM sample profile, extensible binary", Makers::kBoth},
    {OutputFormat::kLlvmBinary, "llvm-binary", "", "the same, raw binary", Makers::kBoth},
    {OutputFormat::kLlvmText, "llvm-text", ".proftext", "the same, text", Makers::kBoth},
    {OutputFormat::kGcc, "gcc", ".afdo", "profile for GCC 12's -fauto-profile"},
    {OutputFormat::kGcc13, "gcc-13", "", "the same for GCC 13 to 15, with discriminators"},
    {OutputFormat::kFdata, "fdata", ".fdata", "BOLT profile; runs the installed perf2bolt"},
    {OutputFormat::kPreaggregated, "preagg", ".preagg", "traces for perf2bolt -pa"},
    {OutputFormat::kAddress, "addr", ".addr", "address profile, to be merged and converted later",
     Makers::kBoth},
    {OutputFormat::kPprof, "pprof", ".pb.gz", "pprof profile", Makers::kMerge},
    {OutputFormat::kPprofPlain, "pprof-plain", ".pb", "the same, not compressed", Makers::kMerge},
    {OutputFormat::kFolded, "folded", ".folded", "folded stacks, for flame graphs", Makers::kMerge},
    {OutputFormat::kGo, "go", ".pgo", "default.pgo for go build -pgo", Makers::kMerge},
};

// Fails when another command makes this format.
Result<OutputFile> made_by(OutputMaker maker, const Format& format, std::string_view argument,
                           std::string_view path) {
  if (path.empty())
    return fail(ErrorKind::kUsage, "-o " + std::string(argument) + ": the path is missing");
  if (format.is_made_by(maker)) return OutputFile{format.format, std::string(path)};
  bool merges = maker == OutputMaker::kMerge;
  return fail(ErrorKind::kUsage,
              "-o " + std::string(argument) + ": pgo " + (merges ? "convert" : "merge") +
                  " writes this format (" + std::string(format.meaning) + "), pgo " +
                  (merges ? "merge" : "convert") + " these:\n" + output_formats_help(maker));
}

}  // namespace

Result<OutputFile> parse_output(std::string_view argument, OutputMaker maker) {
  for (const Format& format : kFormats)
    if (argument.starts_with(format.prefix) &&
        argument.substr(format.prefix.size()).starts_with(':'))
      return made_by(maker, format, argument, argument.substr(format.prefix.size() + 1));
  for (const Format& format : kFormats)
    if (!format.extension.empty() && argument.ends_with(format.extension))
      return made_by(maker, format, argument, argument);
  return fail(ErrorKind::kUsage, "-o " + std::string(argument) +
                                     ": which format? Use a known extension or FORMAT:PATH:\n" +
                                     output_formats_help(maker));
}

std::string output_formats_help(OutputMaker maker) {
  std::string text;
  for (const Format& format : kFormats) {
    if (!format.is_made_by(maker)) continue;
    std::string line = "  " + std::string(format.prefix) + ":PATH";
    if (!format.extension.empty()) line += " or *" + std::string(format.extension);
    line.resize(std::max<size_t>(line.size() + 2, 30), ' ');
    text += line + std::string(format.meaning) + "\n";
  }
  text.pop_back();
  return text;
}

bool names_binary(const std::string& path) {
  return path.find("%b") != std::string::npos || path.find("%i") != std::string::npos;
}

std::string path_for_binary(const std::string& path, const std::string& binary_path,
                            const std::string& build_id) {
  std::string result;
  for (size_t i = 0; i < path.size(); i++) {
    if (path[i] == '%' && i + 1 < path.size() && (path[i + 1] == 'b' || path[i + 1] == 'i')) {
      result += path[++i] == 'b' ? file_name(binary_path) : build_id;
    } else {
      result += path[i];
    }
  }
  return result;
}

}  // namespace pgo
