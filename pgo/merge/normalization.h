// Normalization: by which factors inputs are multiplied so that each of them, or each host, gets
// what all of them have on average.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/merge/merge.h"
#include "pgo/profile/merge_factor.h"

namespace pgo {

// What an input has of what is to be made equal.
struct MeasuredInput {
  std::string host;               // inputs of one host are equalized together; empty: alone
  std::vector<uint64_t> amounts;  // of each sample type; none: the input was skipped
};

// Factors of one input: one, or one for each sample type.
using MergeFactors = std::vector<MergeFactor>;

// For each weight the factors of its input. `inputs` are as many, or none: weights alone. So are
// `in_bundles`, by which factors are multiplied; none: all 1.
std::vector<MergeFactors> find_factors(const std::vector<Weight>& weights,
                                       const std::vector<MeasuredInput>& inputs,
                                       const std::vector<RelativeWeight>& in_bundles = {});

}  // namespace pgo
