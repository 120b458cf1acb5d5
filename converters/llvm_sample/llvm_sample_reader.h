// Reads LLVM sample profiles of all forms (llvm_sample_format.h): the binary ones itself
// (binary_reader.h), the text form through LLVM's own reader.
//
//   if (is_llvm_sample(file.bytes())) {
//     PGO_TRY(LlvmSampleFile sample, read_llvm_sample(file.bytes(), file.path()));
//     sample.profile.functions ...
//
// LLVM's reader of text stays inside the file and asks for memory in proportion to it. What
// would crash it, or what works on the profile afterwards, is refused before: calls that are
// inlined too deep, and contexts and functions without a name; and what no other form can keep, a
// NUL in a name or a line offset of more than 16 bits, after it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "converters/llvm_sample/llvm_sample_format.h"
#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/symbolize/source_profile.h"

namespace llvm::sampleprof {
class FunctionSamples;
}  // namespace llvm::sampleprof

namespace pgo {

// The hottest counts that together make up `share_millionths` of all: how many there are, and the
// smallest of them.
struct SummaryCutoff {
  uint32_t share_millionths = 0;
  uint64_t smallest_count = 0;
  uint64_t counts = 0;
};

struct LlvmSampleFile {
  LlvmSampleFormat format = LlvmSampleFormat::kExtBinary;
  SourceProfile profile;
  bool is_context_sensitive = false;
  bool is_pre_inlined = false;
  bool names_are_hashes = false;
  std::vector<SummaryCutoff> cutoffs;  // by ascending share
};

// `name` is for messages. A text that may be cut short (text_end.h) gets a warning in the profile's
// diagnostics. Errors: kInput, for text in LLVM's own words; kUnsupported for a version
// that LLVM 22 does not read. O(size); LLVM's map needs several times the memory of the file.
Result<LlvmSampleFile> read_llvm_sample(Bytes bytes, const std::string& name);

// Do the functions of this profile have attributes (whether a context was inlined, and such)? Those
// of profiles by line and without contexts have no meaning, and LLVM's writers leave them out.
bool has_attributes(const LlvmSampleFile& file);

// The name of a function of a profile as LLVM's text form has it: a context or a hash, if need be.
std::string sample_function_name(const llvm::sampleprof::FunctionSamples& function);

}  // namespace pgo
