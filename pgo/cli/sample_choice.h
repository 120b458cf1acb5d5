// Which samples of a recording count is chosen by process, thread name and time (--pid, --comm,
// --time), and how by --compat. Inputs that no longer say of each sample what these need are
// refused, instead of counted as a whole.
#pragma once

#include <string>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/result.h"

namespace pgo {

// `kind` is what `path` is, without its article; `advice` ends the message. Error: kUsage, when
// `options` choose.
Result<void> refuse_sample_choice(const std::string& path, const std::string& kind,
                                  const std::string& advice, const perf_data::ReadOptions& options);

}  // namespace pgo
