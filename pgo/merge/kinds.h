// The kinds of profiles that merge() merges: one function for each.
#pragma once

#include "pgo/base/result.h"
#include "pgo/merge/merge.h"
#include "pgo/merge/merge_inputs.h"

namespace pgo {

// `plan` is what `request.inputs` and `request.weights` name. All outputs are of the kind.
Result<MergeResult> merge_stacks(const MergePlan& plan, const MergeRequest& request);
Result<MergeResult> merge_addresses(const MergePlan& plan, const MergeRequest& request);
Result<MergeResult> merge_llvm_samples(const MergePlan& plan, const MergeRequest& request);

}  // namespace pgo
