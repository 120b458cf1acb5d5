// Reads LLVM sample profiles of all forms (llvm_sample_format.h), through LLVM's own reader.
//
//   if (is_llvm_sample(file.bytes())) {
//     PGO_TRY(LlvmSampleFile sample, read_llvm_sample(file.bytes(), file.path()));
//     sample.profile.functions ...
//
// LLVM's reader believes the sizes that a file claims. Those that would lead it outside the file,
// or make it ask for memory out of all proportion, are refused here before it sees them; what
// remains of its trust in malformed files is LLVM's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "converters/llvm_sample/llvm_sample_format.h"
#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/symbolize/source_profile.h"

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

// Does this begin like an LLVM sample profile of any form?
bool is_llvm_sample(Bytes bytes);

// `name` is for messages. Errors: kInput with LLVM's own words; kUnsupported for a version that
// LLVM 22 does not read. O(size); LLVM needs several times the memory of the file.
Result<LlvmSampleFile> read_llvm_sample(Bytes bytes, const std::string& name);

// The name of a function of a profile as LLVM's text form has it: a context or a hash, if need be.
std::string sample_function_name(const llvm::sampleprof::FunctionSamples& function);

}  // namespace pgo
