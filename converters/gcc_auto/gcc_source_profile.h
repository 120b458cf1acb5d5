// From a SourceProfile to what GCC looks up: names as GCC knows functions, places as it knows
// lines.
#pragma once

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

// What tells code apart. GCC 12 looks up lines, and of the discriminators of one line keeps what
// happens to come last; so each line gets the largest of its counts. (Their sum is worse: the
// blocks of one line are often copies that exclude one another, or run as often as each other.) GCC
// 13 and later look up discriminators, and find nothing for a line that should have one.
enum class GccPlaces { kLines, kDiscriminators };

// Names are cut where GCC cuts them, at the first dot: copies (.part.0, .constprop.1) become one
// function again. A function that ran was entered, once at least: callers outside the binary are
// not in the profile, and GCC takes a function without entries for cold.
// Error: kUnsupported for positions that GCC has no idea of (probes, flow-sensitive
// discriminators).
Result<GccAutoProfile> make_gcc_auto_profile(const SourceProfile& profile, GccPlaces places);

}  // namespace pgo
