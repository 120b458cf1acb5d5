// Labels that say which machine was recorded. A recording has this in its header, and what is made
// from it in its samples: so that samples of several machines can be told apart after a merge.
#pragma once

#include "pgo/stacks/stack_source.h"

namespace pgo {

// Gives all samples of `source` the labels `host` and `cpu_model`, where these are known: `pgo
// diff` gives a recording the same. The profile is not normalized then. O(labels).
void add_machine_labels(StackSource& source);

}  // namespace pgo
