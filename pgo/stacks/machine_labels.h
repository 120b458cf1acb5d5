// Labels for the recorded machine. A recording names its machine in the header; the profiles made
// from it name it in the labels of samples, so that a merge keeps the machines apart.
#pragma once

#include "pgo/stacks/stack_source.h"

namespace pgo {

// Adds the labels `host` and `cpu_model` to all samples of `source`, if known. `pgo diff` uses the
// same labels for recordings. The profile is no longer normalized afterwards. O(labels).
void add_machine_labels(StackSource& source);

}  // namespace pgo
