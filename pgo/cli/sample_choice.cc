#include "pgo/cli/sample_choice.h"

namespace pgo {

Result<void> refuse_sample_choice(const std::string& path, const std::string& kind,
                                  const std::string& advice,
                                  const perf_data::ReadOptions& options) {
  if (options.compatibility == perf_data::Compatibility::kLlvmProfgen)
    return fail(ErrorKind::kUsage, path + ": is a " + kind +
                                       ", and --compat=llvm-profgen counts as llvm-profgen reads "
                                       "recordings");
  const char* option = !options.pids.empty()   ? "--pid"
                       : !options.comm.empty() ? "--comm"
                       : options.time          ? "--time"
                                               : nullptr;
  if (option == nullptr) return ok();
  return fail(ErrorKind::kUsage,
              path + ": is a " + kind + ", which " + option + " cannot choose from" + advice);
}

void warn_of_idle_options(const ConvertOptions& options, InputProfile& input) {
  constexpr const char* kKind = "idle-option";
  Diagnostics& diagnostics = input.profile.diagnostics;
  if (options.without_lines && input.named.stacks.empty())
    diagnostics.warn(kKind,
                     "--without-lines changes nothing: all samples that count have addresses");
  if (!options.assumed_build_ids.empty() && !diagnostics.entries().contains(kAssumedBuildId))
    diagnostics.warn(kKind,
                     "--assume-build-id changes nothing: no input names a binary without a build "
                     "id that could be this one");
}

}  // namespace pgo
