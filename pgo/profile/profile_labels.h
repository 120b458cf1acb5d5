// Labels of whole profiles, as their paths or their bundles tell them. They hold for all samples of
// a profile: whoever keeps profiles knows where they come from, while programs often name the host
// that they see themselves, such as "localhost" in a container.
#pragma once

#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// A kind of warnings.
inline constexpr const char* kOtherLabels = "other-labels";

// A text, or a number with its unit: "64bytes".
std::string label_text(const StackProfile& profile, const StackLabel& label);

// Removes labels of samples that have a key of `of_profile`, and say something else, with a warning
// for each key. Samples that become equal stay apart until `profile` is normalized. O(labels).
void drop_other_labels(StackProfile& profile, const Labels& of_profile, Diagnostics& diagnostics);

}  // namespace pgo
