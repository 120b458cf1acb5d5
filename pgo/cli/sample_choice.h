// Which samples of a recording count is chosen by process, thread name and time (--pid, --comm,
// --time), and how by --compat. Inputs that no longer say of each sample what these need are
// refused, instead of counted as a whole. Options that say how to read what no input has are warned
// of: nothing is counted otherwise than without them.
#pragma once

#include <string>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/result.h"
#include "pgo/cli/convert_options.h"
#include "pgo/cli/input_profile.h"

namespace pgo {

// `kind` is what `path` is, without its article; `advice` ends the message. Error: kUsage, when
// `options` choose.
Result<void> refuse_sample_choice(const std::string& path, const std::string& kind,
                                  const std::string& advice, const perf_data::ReadOptions& options);

// Of --without-lines and --assume-build-id, when nothing of `input` had use for them.
void warn_of_idle_options(const ConvertOptions& options, InputProfile& input);

}  // namespace pgo
