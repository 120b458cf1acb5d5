// Writes LLVM sample profiles: what clang reads with -fprofile-sample-use.
//
// LLVM's writers keep properties of "the" profile in static variables (FunctionSamples::ProfileIsFS
// and its kin). This is the only file that touches them: set before writing and restored after, so
// two profiles of different kinds can be written one after the other, but not at the same time.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

enum class LlvmSampleFormat { kExtBinary, kBinary, kText };

// The bytes of the file. The same profile gives the same bytes.
Result<std::string> write_llvm_sample(const SourceProfile& profile, LlvmSampleFormat format);

}  // namespace pgo
