#include "pgo/cli/stack_input.h"

#include "converters/folded/folded.h"
#include "converters/gperftools/gperftools_cpu.h"
#include "converters/pprof/pprof_reader.h"
#include "pgo/cli/file_kind.h"

namespace pgo {

std::optional<StackFormat> find_stack_format(Bytes inflated) {
  if (is_gperftools_cpu(inflated)) return StackFormat::kGperftools;
  if (is_pprof(inflated)) return StackFormat::kPprof;
  if (is_folded(inflated)) return StackFormat::kFolded;
  return std::nullopt;
}

const char* name_of(StackFormat format) {
  switch (format) {
    case StackFormat::kPprof: return "pprof profile";
    case StackFormat::kGperftools: return "gperftools CPU profile";
    case StackFormat::kFolded: break;
  }
  return "folded stacks";
}

bool is_stack_profile(Bytes file) {
  Result<InflatedBytes> inflated = inflate(file, "");
  return inflated && find_stack_format(inflated->bytes());
}

Result<std::optional<StackProfile>> try_stack_profile(Bytes file, const std::string& path,
                                                      Diagnostics& diagnostics) {
  using Found = std::optional<StackProfile>;
  PGO_TRY(InflatedBytes inflated, inflate(file, path));
  std::optional<StackFormat> format = find_stack_format(inflated.bytes());
  if (!format) return Found();
  switch (*format) {
    case StackFormat::kPprof: {
      PGO_TRY(StackProfile profile, parse_pprof(inflated.bytes(), path, diagnostics));
      return Found(std::move(profile));
    }
    case StackFormat::kGperftools: {
      PGO_TRY(StackProfile profile, parse_gperftools_cpu(inflated.bytes(), path, diagnostics));
      return Found(std::move(profile));
    }
    case StackFormat::kFolded: break;
  }
  PGO_TRY(StackProfile profile, parse_folded(inflated.bytes(), path));
  return Found(std::move(profile));
}

Result<StackProfile> read_stack_profile(Bytes file, const std::string& path,
                                        Diagnostics& diagnostics) {
  if (file.empty())
    return fail(ErrorKind::kInput, path + ": is empty; was it cut short, or never finished?");
  PGO_TRY(std::optional<StackProfile> profile, try_stack_profile(file, path, diagnostics));
  if (profile) return *std::move(profile);
  return fail(
      ErrorKind::kUnsupported,
      tell_file(file, path,
                ", and no profile of stacks (pprof, gperftools CPU profile, folded stacks)"));
}

}  // namespace pgo
