// What an -o argument names: a format and a path.
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

enum class OutputFormat {
  kLlvm,
  kLlvmBinary,
  kLlvmText,
  kGcc,    // by line: GCC 12
  kGcc13,  // by line and discriminator: GCC 13 and later
  kFdata,
  kPreaggregated,
  kAddress,
  kPprof,       // compressed by gzip, as nearly all of them are
  kPprofPlain,  // not compressed
  kFolded,
  kGo,  // pprof as Go's compiler takes it
};

// Which command writes it.
enum class OutputMaker { kConvert, kMerge };

struct OutputFile {
  OutputFormat format = OutputFormat::kLlvm;
  std::string path;

  bool is_llvm() const {
    return format == OutputFormat::kLlvm || format == OutputFormat::kLlvmBinary ||
           format == OutputFormat::kLlvmText;
  }
  bool is_gcc() const { return format == OutputFormat::kGcc || format == OutputFormat::kGcc13; }
  bool is_address() const { return format == OutputFormat::kAddress; }
  bool is_text() const {
    return format == OutputFormat::kLlvmText || format == OutputFormat::kFdata ||
           format == OutputFormat::kPreaggregated || format == OutputFormat::kFolded;
  }
  // One file for all binaries together; BOLT's formats need one for each.
  bool merges_binaries() const {
    return format != OutputFormat::kFdata && format != OutputFormat::kPreaggregated;
  }
};

// "FORMAT:PATH", or a path with a known extension; "-" is standard output.
Result<OutputFile> parse_output(std::string_view argument,
                                OutputMaker maker = OutputMaker::kConvert);
// The formats with their prefixes and extensions, for help and error messages.
std::string output_formats_help(OutputMaker maker = OutputMaker::kConvert);

// The path with %b replaced by the file name of a binary, and %i by its build id.
std::string path_for_binary(const std::string& path, const std::string& binary_path,
                            const std::string& build_id);
bool names_binary(const std::string& path);

}  // namespace pgo
