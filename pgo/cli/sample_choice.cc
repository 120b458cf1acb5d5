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

}  // namespace pgo
