// The outputs of a conversion that are for compilers: all binaries in one profile by source
// position.
#pragma once

#include <string>

#include "converters/format.h"
#include "converters/llvm_sample/llvm_sample_format.h"
#include "pgo/base/result.h"
#include "pgo/convert/convert.h"

namespace pgo {

// The source profile of the counts of `result.profile`, which are used up: they are large, and
// so is what becomes of them. Sets `moved` and the densities of `result`. Errors: kEmpty when no
// code that ran has a function or a line; kMismatch for binaries whose profiles cannot be one.
Result<SourceProfile> symbolize_counts(const ConvertRequest& request, ConvertResult& result);

// `format` is one of LLVM's or GCC's.
Result<std::string> write_source_profile(const SourceProfile& source, Format format, unsigned jobs);

// The form of a format for which is_llvm_profile() holds.
LlvmSampleFormat llvm_form(Format format);

}  // namespace pgo
