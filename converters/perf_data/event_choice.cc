#include "converters/perf_data/event_choice.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace pgo::perf_data {
namespace {

using Events = std::vector<size_t>;  // by index

std::string list_events(const Recording& recording, const Events& events) {
  std::string list;
  for (size_t i : events) {
    const EventAttr& event = recording.events[i];
    list += "\n  " + event.name +
            (event.has_branch_stacks()     ? "  (branch stacks)"
             : event.has_lbr_call_stacks() ? "  (LBR call stacks)"
                                           : "");
  }
  return list;
}

Events keep_if(const Events& events, const std::function<bool(size_t)>& is_kept) {
  Events kept;
  std::copy_if(events.begin(), events.end(), std::back_inserter(kept), is_kept);
  return kept;
}

// `events`, or those of them that have samples, if any has.
Events prefer_sampled(const Recording& recording, const Events& events) {
  Events sampled = keep_if(events, [&](size_t i) { return recording.event_samples[i] != 0; });
  return sampled.empty() ? events : sampled;
}

// All events but perf's own, unless these are all there is.
Events find_own_events(const Recording& recording) {
  Events all(recording.events.size());
  for (size_t i = 0; i < all.size(); i++) all[i] = i;
  Events own = keep_if(all, [&](size_t i) { return !recording.events[i].is_dummy(); });
  return own.empty() ? all : own;
}

bool all_count_the_same(const Recording& recording, const Events& events) {
  return std::all_of(events.begin(), events.end(), [&](size_t i) {
    return count_the_same(recording.events[events[0]], recording.events[i]);
  });
}

std::vector<bool> mark(const Recording& recording, const Events& events) {
  std::vector<bool> chosen(recording.events.size());
  for (size_t i : events) chosen[i] = true;
  return chosen;
}

Failure several(const Recording& recording, const Events& events) {
  return fail(ErrorKind::kUsage, recording.path +
                                     ": has events that count different things; name one or more "
                                     "with \xFF{event}:" +
                                     list_events(recording, events));
}

// The events that `name` means; none when there is no such event.
Result<Events> find_named(const Recording& recording, const std::string& name) {
  const std::vector<EventAttr>& events = recording.events;
  Events all(events.size());
  for (size_t i = 0; i < all.size(); i++) all[i] = i;
  Events found = keep_if(all, [&](size_t i) { return events[i].name == name; });
  if (!found.empty()) return found;
  const Events own = find_own_events(recording);
  found = keep_if(own, [&](size_t i) { return any_core_name(events[i].name) == name; });
  if (!found.empty()) return found;
  found = prefer_sampled(recording, keep_if(own, [&](size_t i) {
                           std::string full = any_core_name(events[i].name);
                           return full.substr(0, full.find(':')) == name;
                         }));
  if (!all_count_the_same(recording, found)) return several(recording, own);
  return found;
}

Result<std::vector<bool>> choose_named(const Recording& recording,
                                       const std::vector<std::string>& names,
                                       Diagnostics& diagnostics) {
  Events chosen;
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    PGO_TRY(Events found, find_named(recording, name));
    if (found.empty())
      missing.push_back(recording.path + ": has no event '" + name +
                        "'; it has:" + list_events(recording, find_own_events(recording)));
    chosen.insert(chosen.end(), found.begin(), found.end());
  }
  if (chosen.empty()) return fail(ErrorKind::kUsage, missing.at(0));
  for (const std::string& warning : missing) diagnostics.warn("missing-event", warning);
  return mark(recording, chosen);
}

}  // namespace

std::string any_core_name(std::string_view name) {
  size_t begin = name.find('/'), end = name.rfind('/');
  std::string_view unit = name.substr(0, begin);
  bool is_of_cores = unit == "cpu" || unit.starts_with("cpu_");
  if (begin == name.npos || end <= begin + 1 || !is_of_cores) return std::string(name);
  std::string event(name.substr(begin + 1, end - begin - 1));
  std::string_view modifier = name.substr(end + 1);
  if (modifier.starts_with(':')) modifier.remove_prefix(1);
  return modifier.empty() ? event : event + ":" + std::string(modifier);
}

bool count_the_same(const EventAttr& a, const EventAttr& b) {
  if (any_core_name(a.name) == any_core_name(b.name)) return true;
  return a.is_generic() && a.type == b.type && a.generic_event() == b.generic_event() &&
         (a.flags & kFlagsOfModes) == (b.flags & kFlagsOfModes);
}

Result<std::vector<bool>> choose_events(const Recording& recording,
                                        const std::vector<std::string>& names,
                                        Diagnostics& diagnostics) {
  if (!names.empty()) return choose_named(recording, names, diagnostics);
  const Events candidates = prefer_sampled(recording, find_own_events(recording));
  const Events with_stacks =
      keep_if(candidates, [&](size_t i) { return recording.events[i].has_branch_stacks(); });
  if (!with_stacks.empty()) {
    if (!all_count_the_same(recording, with_stacks)) return several(recording, candidates);
    return mark(recording, with_stacks);
  }
  // What must be decoded first stands in no sample.
  if (recording.has_aux_data && recording.events.size() > 1)
    return fail(ErrorKind::kUnsupported,
                recording.path +
                    ": has no branch stacks, but trace data that must be decoded first: perf "
                    "inject --itrace=i100usle --strip -i RECORDING -o DECODED");
  if (all_count_the_same(recording, candidates)) return mark(recording, candidates);
  return fail(ErrorKind::kUsage, recording.path +
                                     ": none of its events has branch stacks (perf record -b); "
                                     "name those to count with \xFF{event}:" +
                                     list_events(recording, candidates));
}

}  // namespace pgo::perf_data
