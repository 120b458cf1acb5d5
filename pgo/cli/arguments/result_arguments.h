// Where a command whose files are not profiles writes its result: --report and --json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

class CommandLine;

struct ResultArguments {
  std::string report;  // empty: not given
  bool json = false;
};

void add_result_options(CommandLine& line, ResultArguments& arguments);
// For before the work: whether the file of --report can be written, and is none of `used`: files,
// directories that are read, and versions (references), as the command got them. Error: kUsage,
// kIo.
Result<void> check_result_file(const ResultArguments& arguments,
                               const std::vector<std::string>& used);
// For after it: whether it is none of the files that the command made. Error: kUsage.
Result<void> check_result_is_apart(const ResultArguments& arguments,
                                   const std::vector<std::string>& made);
// The file of --report, and with --json standard output. Error: kIo.
Result<void> write_result(const ResultArguments& arguments, const nlohmann::json& result);
// The same of a command that prints `text` without --json.
Result<void> write_result(const ResultArguments& arguments, const nlohmann::json& result,
                          const std::string& text);

}  // namespace pgo
