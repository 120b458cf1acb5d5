#include "converters/llvm_sample/llvm_sample_merger.h"

#include <algorithm>
#include <utility>

#include "pgo/symbolize/shown_name.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::SampleContext;

Result<void> check_kind(const LlvmSampleFile& file, const std::string& name) {
  const char* kind = file.is_context_sensitive ? "is context-sensitive"
                     : file.names_are_hashes   ? "has hashes for names"
                                               : nullptr;
  if (kind == nullptr) return ok();
  return fail(ErrorKind::kUnsupported,
              name + ": " + kind +
                  "; such profiles are not merged here, llvm-profdata merge --sample does it");
}

}  // namespace

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
  for (auto& [key, function] : profile.functions) {
    FunctionSamples& mine = functions_[function.getContext()][function.getFunctionHash()];
    llvm::sampleprof_error merged = mine.merge(function, weight);
    if (merged == llvm::sampleprof_error::counter_overflow)
      merged_.diagnostics.warn("stopped-counts", shown_name(function.getContext().toString()) +
                                                     ": counts that would be larger stop at "
                                                     "18446744073709551615");
    if (merged == llvm::sampleprof_error::hash_mismatch)
      merged_.diagnostics.warn("other-checksum",
                               shown_name(function.getContext().toString()) +
                                   ": what is inlined into it differs between the profiles; the "
                                   "first one's counts are kept");
  }
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
                                   "one that ran less are left out");
    auto most = std::max_element(codes.begin(), codes.end(), [](const auto& a, const auto& b) {
      return a.second.getTotalSamples() < b.second.getTotalSamples();
    });
    merged_.functions.try_emplace(context, FunctionSamples()).first->second =
        std::move(most->second);
  }
  functions_.clear();
  return std::move(merged_);
}

}  // namespace pgo
