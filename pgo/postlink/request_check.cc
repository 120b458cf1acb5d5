#include "pgo/postlink/request_check.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "bolt/bolt_options.h"
#include "pgo/base/atomic_file.h"
#include "pgo/ingest/inconvertible.h"
#include "pgo/postlink/optimization.h"
#include "pgo/source/file_identity.h"
#include "pgo/source/input_bytes.h"

namespace pgo {
namespace {

// Would writing `output` replace this file? A directory of profiles may also hold what an earlier
// run wrote.
bool replaces(const std::string& output, const InputFile& input) {
  if (!is_same_file(output, input.path)) return false;
  if (!input.from_directory) return true;
  const Result<InputBytes> file = InputBytes::open(input.path);
  return file && is_convertible(*file);
}

Failure replaced(const std::string& option, const std::string& output, const std::string& input) {
  return fail(ErrorKind::kUsage,
              option + " " + output + " would replace " + input + ", which is read");
}

// The output may be the input, which is whole in memory by then; the log may not.
Result<void> check_nothing_replaced(const OptimizeRequest& request,
                                    const std::vector<InputFile>& inputs) {
  std::vector<InputFile> read = inputs;
  for (const std::string& file : {request.recorded, request.stale})
    if (!file.empty()) read.push_back({file});
  for (const InputFile& file : read)
    if (replaces(request.output, file)) return replaced("\xFF{output}", request.output, file.path);
  read.push_back({request.input});
  for (const InputFile& file : read)
    for (const auto& [option, path] :
         {std::pair{"\xFF{log}", &request.log}, {"\xFF{report}", &request.report}})
      if (replaces(*path, file)) return replaced(option, *path, file.path);
  return ok();
}

// What is written beside the output: `path`, which `option` names.
Result<void> check_extra_file(const std::string& option, const std::string& path,
                              const OptimizeRequest& request) {
  if (path.empty()) return ok();
  if (path == "-")
    return fail(ErrorKind::kUsage,
                option + " -: must name a file, because the figures go to standard output");
  if (identity_of(path) == identity_of(request.output))
    return fail(ErrorKind::kUsage,
                request.output + " would be written twice, by \xFF{output} and by " + option);
  return AtomicFile::check_writable(path);
}

Result<void> check_option(const std::string& option) {
  static constexpr std::string_view kFiles[] = {"o", "data", "data2", "b", "p", "w"};
  std::string_view name = bolt_option_name(option);
  if (name.empty())
    return fail(ErrorKind::kUsage, option + ": is not an option of llvm-bolt",
                "write one as -name=value");
  if (std::find(std::begin(kFiles), std::end(kFiles), name) != std::end(kFiles))
    return fail(ErrorKind::kUsage,
                option + ": cannot be passed on, because pgo sets llvm-bolt's files itself");
  if (name.starts_with("instrument"))
    return fail(ErrorKind::kUsage, option + ": makes an instrumented program, not an optimized one",
                "run llvm-bolt itself for that");
  return ok();
}

}  // namespace

Result<void> check_request(const OptimizeRequest& request, const std::vector<InputFile>& inputs) {
  for (const std::string& option : request.extra_options) PGO_CHECK(check_option(option));
  if (!request.check.empty() && request.check.find("{}") == std::string::npos)
    return fail(ErrorKind::kUsage,
                "\xFF{check} '" + request.check + "': has no {} for the path of the result");
  PGO_CHECK(check_nothing_replaced(request, inputs));
  PGO_CHECK(check_extra_file("\xFF{log}", request.log, request));
  PGO_CHECK(check_extra_file("\xFF{report}", request.report, request));
  if (!request.report.empty() && identity_of(request.report) == identity_of(request.log))
    return fail(ErrorKind::kUsage,
                request.report + " would be written twice, by \xFF{report} and by \xFF{log}");
  std::error_code ignored;
  bool exists = std::filesystem::exists(request.output, ignored);
  if (request.output == "-" ||
      (exists && !std::filesystem::is_regular_file(request.output, ignored)))
    return fail(ErrorKind::kUsage, "\xFF{output} " + request.output +
                                       ": must name a file, so that the result can be checked");
  return AtomicFile::check_writable(request.output);
}

}  // namespace pgo
