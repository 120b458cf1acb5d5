// Which events of a recording count. There is mostly one, but perf opens an event twice on hybrid
// processors, once for each kind of core ("cpu_core/cycles/u", "cpu_atom/cycles/u"): such events
// are added up, as llvm-profgen adds up all events. Of events that count different things the user
// names those that count.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "converters/perf_data/recording.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"

namespace pgo::perf_data {

// The name of an event without the kind of core: "cycles:u" for "cpu_atom/cycles/u". Other names
// stay as they are.
std::string any_core_name(std::string_view name);

// Do these events count the same thing? Those of one name do, whatever the kind of core, and those
// of one generic event (PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE) in the same modes of the processor.
bool count_the_same(const EventAttr& a, const EventAttr& b);

// Does the event count branches that ran? A profile makes clang and BOLT lay out code with fewer
// taken branches, so that such a count says nothing of time. Mispredicted branches cost time and
// are not among them.
bool counts_branches(const EventAttr& event);

// Whether an event with this name counts branches. Sample types of pprof have only a name: our own
// conversions write "br_inst_retired.near_taken:u" or "r20c4", perf_to_profile "branches_event" and
// "branches_sample".
bool names_branches(std::string_view event);

// Does the event count cycles in which the processor was not halted?
bool counts_cycles(const EventAttr& event);

// By event: does it count? Without `names` those with branch stacks count, or, where none has any,
// all; if they do not count the same, that is an error that lists them. perf's own dummy events do
// not count, nor do events without samples where others have some. A name is that of an event, with
// or without the kind of core and the modifier: "cycles" finds "cpu_core/cycles/u". What several
// `names` find is added up; warns of a name that finds nothing where another one does. Errors:
// kUsage, or kUnsupported where the recording has to be decoded first.
Result<std::vector<bool>> choose_events(const Recording& recording,
                                        const std::vector<std::string>& names,
                                        Diagnostics& diagnostics);

// By event: does it say what code costs? All that do count the same thing, so that their weights
// can be added up. Without `names` these are all events that have samples; where they do not count
// the same, those that count no branches. Otherwise as choose_events(), but names of events that
// count different things are an error (kUsage): a profile that has all of them cannot be compared.
Result<std::vector<bool>> choose_cost_events(const Recording& recording,
                                             const std::vector<std::string>& names,
                                             Diagnostics& diagnostics);

}  // namespace pgo::perf_data
