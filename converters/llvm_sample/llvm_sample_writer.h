// Writes LLVM sample profiles: what clang reads with -fprofile-sample-use.
// Uses LLVM's static variables (profile_kind.h): one profile at a time.
#pragma once

#include <string>

#include "converters/llvm_sample/llvm_sample_format.h"
#include "pgo/base/result.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

// Would write_llvm_sample() leave out counts by vtable? The binary form has no place for them.
bool leaves_out_vtables(const SourceProfile& profile, LlvmSampleFormat format);

// The bytes of the file. The same profile gives the same bytes, whatever `jobs` (threads; 0: all
// cores). kUnsupported for pseudo probes in the binary form, which has no place for them, and for
// names in the text form that would not be read as they are (text_name.h).
Result<std::string> write_llvm_sample(const SourceProfile& profile, LlvmSampleFormat format,
                                      unsigned jobs = 0);

}  // namespace pgo
