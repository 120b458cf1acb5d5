// Is what a request asks for possible at all? Asked before the first profile is read, because
// reading may take long.
#pragma once

#include <vector>

#include "pgo/base/result.h"
#include "pgo/source/input_files.h"

namespace pgo {

struct OptimizeRequest;

// `inputs` are the files of its profiles. Errors: kUsage for options that llvm-bolt is not given, a
// command without {}, and outputs that would replace what is read; kIo when an output could not be
// written.
Result<void> check_request(const OptimizeRequest& request, const std::vector<InputFile>& inputs);

}  // namespace pgo
