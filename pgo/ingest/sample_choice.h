// Which samples of a recording count can be chosen by process, thread name and time, and how they
// count by llvm-profgen's rules. Inputs that no longer have what these need of each sample are
// rejected, instead of counted as a whole.
#pragma once

#include <string>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/result.h"

namespace pgo {

// `kind` is what `path` is, without its article. Error (kUsage, with `advice`): `options` choose.
Result<void> refuse_sample_choice(const std::string& path, const std::string& kind,
                                  const std::string& advice, const perf_data::ReadOptions& options);
// The same of inputs to which events do not apply either.
Result<void> refuse_any_choice(const std::string& path, const std::string& kind,
                               const std::string& advice, const perf_data::ReadOptions& options);

}  // namespace pgo
