// LlvmSampleMerger: many LLVM sample profiles into one, as `llvm-profdata merge --sample` merges
// them: counts of the same position add up, times a weight, and stop at the largest number.
//
//   LlvmSampleMerger merger;
//   for (…) PGO_CHECK(merger.add(std::move(file), name, weight));
//   SourceProfile merged = std::move(merger).finish();
//
// One thing differs: a function, or what is inlined into one, whose checksum is not the same in all
// profiles. llvm-profdata keeps the code of the first input. Here the code stays that ran more in
// all of them together (of equal ones that with the smaller checksum), from the outermost function
// inwards, so that the order of inputs does not matter; with a warning. Attributes of contexts are
// those of all inputs.
//
// Not merged: context-sensitive profiles and those whose names are hashes, which are not written
// here either. Lists of symbols without samples are not read.
#pragma once

#include <llvm/ProfileData/SampleProf.h>

#include <map>
#include <optional>
#include <string>

#include "converters/llvm_sample/llvm_sample_reader.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

class LlvmSampleMerger {
 public:
  // `name` is for messages. Errors: kUnsupported for a kind that is not merged; kMismatch for one
  // that differs from the first. O(size of the file).
  Result<void> add(LlvmSampleFile file, const std::string& name, uint64_t weight = 1);
  // No functions when nothing was added.
  SourceProfile finish() &&;

 private:
  // One code of a function, and what is inlined into it.
  struct Code;
  // What goes by one name, by checksum: of one code, nearly always.
  using Codes = std::map<uint64_t, Code>;
  struct Code {
    llvm::sampleprof::FunctionSamples own;  // without what is inlined
    std::map<llvm::sampleprof::LineLocation, std::map<llvm::sampleprof::FunctionId, Codes>> inlined;

    llvm::sampleprof_error add(llvm::sampleprof::FunctionSamples&& function, uint64_t weight);
    // With the inlined codes that ran most; sets `has_others` where there are other ones.
    llvm::sampleprof::FunctionSamples finish(bool& has_others) &&;
  };
  static Code& most_run(Codes& codes);

  std::map<llvm::sampleprof::SampleContext, Codes> functions_;
  SourceProfile merged_;  // all but its functions
  std::optional<std::string> first_name_;
};

}  // namespace pgo
