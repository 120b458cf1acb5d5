#include "pgo/show/show.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "pgo/base/diagnostics.h"
#include "pgo/base/file_name.h"
#include "pgo/registry/lock_file.h"
#include "pgo/source/bundle.h"
#include "pgo/source/input_bytes.h"

namespace pgo {
namespace {

// A result of any kind as one of all kinds.
template <typename Contents>
Result<ShownContents> any_of(Result<Contents> contents) {
  if (!contents) return std::move(contents).failure();
  return ShownContents(*std::move(contents));
}

Failure unknown_contents(const InputBytes& input) {
  Diagnostics ignored;
  if (!parse_lock_file(as_text(input.file()), input.path(), ignored)) return input.unknown();
  return fail(ErrorKind::kUnsupported, input.path() + ": is a lock file of profiles",
              "'pgo list " + input.path() + "' lists them, 'pgo show " + input.path() +
                  "#NAME' shows one of them, 'pgo lock diff' what changed");
}

Result<ShownContents> read_contents(const InputBytes& input, const ShowRequest& request) {
  if (!input.format()) return unknown_contents(input);
  Bytes bytes = input.contents();
  const std::string& path = input.path();
  const size_t top = request.top;
  switch (*input.format()) {
    case Format::kPerfData: return any_of(read_recording_contents(bytes, request));
    case Format::kElf: return any_of(read_elf_contents(bytes, path, request.debug));
    case Format::kAddressProfile: return any_of(read_address_contents(bytes, path));
    case Format::kGcc:
    case Format::kGcc13: return any_of(read_gcc_contents(bytes, path, top));
    case Format::kConvertReport: return any_of(read_conversion_report(bytes, path));
    case Format::kBoltYaml: return any_of(read_bolt_yaml_contents(bytes, path, top));
    case Format::kFdata: return any_of(read_fdata_contents(bytes, path, top));
    case Format::kPreaggregated: return any_of(read_preaggregated_contents(bytes, path, top));
    case Format::kLlvm:
    case Format::kLlvmBinary:
    case Format::kLlvmText: return any_of(read_llvm_contents(bytes, path, top, request.jobs));
    case Format::kGperftools:
    case Format::kPprof:
    case Format::kPprofPlain:
    case Format::kGo:
    case Format::kFolded: return any_of(read_stack_contents(input, top));
    case Format::kFlamePage:
    case Format::kFlamePicture:
    case Format::kMarkdown:
    case Format::kJson:
    case Format::kJunit:
    case Format::kBenchmark: break;  // only written
  }
  return input.unknown();
}

Result<ShownContents> read_directory(const std::string& path, const ShowRequest& request) {
  if (!request.binaries.empty())
    return fail(ErrorKind::kUsage,
                request.path + ": is a directory, and \xFF{binary} is for one recording",
                "name a recording in it, or use pgo convert, which reads all of them");
  return any_of(read_directory_contents(path));
}

}  // namespace

Result<ShowResult> show(const ShowRequest& request) {
  if (!request.events.empty() && request.binaries.empty())
    return fail(ErrorKind::kUsage, "\xFF{event} chooses what is counted for \xFF{binary}",
                "name a binary as well");
  ShowResult result;
  result.path = request.path;
  result.top = request.top;
  std::error_code ignored;
  if (std::filesystem::is_directory(request.path, ignored)) {
    PGO_TRY(result.contents, read_directory(request.path, request));
    return result;
  }
  if (file_name(request.path) == kBundleName &&
      std::filesystem::is_regular_file(request.path, ignored)) {
    const std::string directory = std::filesystem::path(request.path).parent_path().string();
    PGO_TRY(result.contents, read_directory(directory.empty() ? "." : directory, request));
    return result;
  }
  PGO_TRY(InputBytes input, InputBytes::open(request.path));
  result.size = input.file().size();
  if (!request.binaries.empty() && input.format() && *input.format() != Format::kPerfData)
    return fail(ErrorKind::kUsage,
                "\xFF{binary} needs a recording, and " + request.path + " is not one");
  PGO_TRY(result.contents, read_contents(input, request));
  return result;
}

}  // namespace pgo
