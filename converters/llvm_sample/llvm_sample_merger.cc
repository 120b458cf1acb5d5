#include "converters/llvm_sample/llvm_sample_merger.h"

#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>
#include <utility>

#include "pgo/code/shown_name.h"

namespace pgo {
namespace {

using llvm::sampleprof_error;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::FunctionSamplesMap;
using llvm::sampleprof::SampleContext;

Result<void> check_kind(const LlvmSampleFile& file, const std::string& name) {
  const char* kind = file.is_context_sensitive ? "is context-sensitive"
                     : file.names_are_hashes   ? "has hashes for names"
                                               : nullptr;
  if (kind == nullptr) return ok();
  return fail(
      ErrorKind::kUnsupported,
      name + ": " + kind +
          "; pgo merge does not support such profiles, but llvm-profdata merge --sample does");
}

}  // namespace

// What was added is freed at once, so that a profile and the sum are never there as a whole.
sampleprof_error LlvmSampleMerger::Code::add(FunctionSamples&& function, uint64_t weight) {
  sampleprof_error result = sampleprof_error::success;
  auto note = [&](sampleprof_error error) { llvm::mergeSampleProfErrors(result, error); };
  if (own.getContext().getFunction().empty()) own.setContext(function.getContext());
  own.getContext().setAllAttributes(own.getContext().getAllAttributes() |
                                    function.getContext().getAllAttributes());
  own.setFunctionHash(function.getFunctionHash());
  note(own.addTotalSamples(function.getTotalSamples(), weight));
  note(own.addHeadSamples(function.getHeadSamples(), weight));
  for (const auto& [place, record] : function.getBodySamples())
    note(own.addSampleRecord(place, record, weight));
  for (const auto& [place, types] : function.getCallsiteTypeCounts())
    note(own.addCallsiteVTableTypeProfAt(place, types, weight));
  for (const auto& [place, known] : function.getCallsiteSamples()) {
    FunctionSamplesMap callees = std::move(function.functionSamplesAt(place));
    for (auto& [name, callee] : callees) {
      Code& code = inlined[place][name][callee.getFunctionHash()];
      note(code.add(std::move(callee), weight));
      callee = {};
    }
  }
  return result;
}

LlvmSampleMerger::Code& LlvmSampleMerger::most_run(Codes& codes) {
  return std::max_element(codes.begin(), codes.end(),
                          [](const auto& a, const auto& b) {
                            return a.second.own.getTotalSamples() < b.second.own.getTotalSamples();
                          })
      ->second;
}

FunctionSamples LlvmSampleMerger::Code::finish(bool& has_others) && {
  for (auto& [place, callees] : inlined)
    for (auto& [name, codes] : callees) {
      has_others |= codes.size() > 1;
      own.functionSamplesAt(place)[name] = std::move(most_run(codes)).finish(has_others);
      codes.clear();
    }
  return std::move(own);
}

Result<void> LlvmSampleMerger::add(LlvmSampleFile file, const std::string& name, uint64_t weight) {
  PGO_CHECK(check_kind(file, name));
  SourceProfile& profile = file.profile;
  auto differs = [&](const char* one, const char* other, bool is_one) {
    return fail(ErrorKind::kMismatch, name + ": is " + (is_one ? one : other) + ", but " +
                                          *first_name_ + " is " + (is_one ? other : one) +
                                          "; their counts cannot be added up");
  };
  if (!first_name_) {
    first_name_ = name;
    merged_.is_probe_based = profile.is_probe_based;
    merged_.is_flow_sensitive = profile.is_flow_sensitive;
  }
  if (profile.is_probe_based != merged_.is_probe_based)
    return differs("by pseudo probe", "by line", profile.is_probe_based);
  if (profile.is_flow_sensitive != merged_.is_flow_sensitive)
    return differs("of flow-sensitive discriminators", "of plain ones", profile.is_flow_sensitive);
  for (auto& [key, function] : profile.functions()) {
    Code& mine = functions_[function.getContext()][function.getFunctionHash()];
    const SampleContext context = function.getContext();
    if (mine.add(std::move(function), weight) == sampleprof_error::counter_overflow)
      merged_.diagnostics.warn("stopped-counts", shown_name(context.toString()) +
                                                     ": counts that would be larger stop at "
                                                     "18446744073709551615");
    function = {};
  }
  merged_.diagnostics.add(profile.diagnostics);
  merged_.names.insert(merged_.names.end(), std::make_move_iterator(profile.names.begin()),
                       std::make_move_iterator(profile.names.end()));
  return ok();
}

SourceProfile LlvmSampleMerger::finish() && {
  for (auto& [context, codes] : functions_) {
    if (codes.size() > 1)
      merged_.diagnostics.warn("other-checksum",
                               shown_name(context.toString()) +
                                   ": its code differs between the profiles; the counts of the "
                                   "code that ran less are left out");
    bool has_others = false;
    merged_.functions().try_emplace(context, FunctionSamples()).first->second =
        std::move(most_run(codes)).finish(has_others);
    if (has_others)
      merged_.diagnostics.warn("other-checksum",
                               shown_name(context.toString()) +
                                   ": the code inlined into it differs between the profiles; the "
                                   "counts of the code that ran less are left out");
    codes.clear();
  }
  functions_.clear();
  return std::move(merged_);
}

}  // namespace pgo
