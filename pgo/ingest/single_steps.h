// Branch records of single steps (`pgo record --engine step`) beside PC samples. Single steps are
// few and show how branches go; PC samples are many and show which code is hot. So counts are
// inferred from PC samples, with the records as evidence of how branches go (pgo/infer), and the
// records are added to them once more, for code and calls that only they saw.
//
// Measured in docs/measurements/single-steps.md.
#pragma once

#include <vector>

#include "pgo/profile/address_profile.h"

namespace pgo {

// Is that what `profile` has, with samples that all count CPU time? PC samples beside other branch
// records say nothing that these do not say better.
bool has_steps_and_pc_samples(const AddressProfile& profile);

// Adds `inferred`, traces of each binary of `profile`, to the traces of steps that it has, whose
// counts are scaled. In each binary they then stand for .3 n / (n + 5 000) times as much executed
// code as the inferred ones, with n branch records in that binary; for more, if there are fewer
// than ten PC samples for each sample by single steps.
void combine_with_steps(std::vector<std::vector<Trace>> inferred, AddressProfile& profile);

}  // namespace pgo
