#include "converters/perf_data/event_choice.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

namespace pgo::perf_data {
namespace {

using Events = std::vector<size_t>;  // by index

std::string list_events(const Recording& recording, const Events& events) {
  std::string list;
  for (size_t i : events) {
    const EventAttr& event = recording.events[i];
    list += "\n  " + event.name +
            (event.has_branch_stacks()     ? "  (branch records)"
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

Failure several(const Recording& recording, const Events& events,
                const std::string& how_many = "one or more") {
  return fail(ErrorKind::kUsage, recording.path +
                                     ": has events that count different things; name " + how_many +
                                     " with \xFF{event}:" + list_events(recording, events));
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

// What must be decoded first stands in no sample.
bool needs_decoding(const Recording& recording) {
  return recording.has_aux_data && recording.events.size() > 1;
}

constexpr std::string_view kDecode =
    "but trace data that must be decoded first: "
    "perf inject --itrace=i100usle --strip -i RECORDING -o DECODED";

// The value of "event=0xc4" in "event=0xc4,umask=0x20"; nothing without.
std::optional<uint64_t> event_code_in(std::string_view name) {
  constexpr std::string_view kKey = "event=";
  while (!name.empty()) {
    std::string_view term = name.substr(0, name.find(','));
    name.remove_prefix(std::min(term.size() + 1, name.size()));
    if (!term.starts_with(kKey)) continue;
    term.remove_prefix(kKey.size());
    bool is_hex = term.starts_with("0x");
    if (is_hex) term.remove_prefix(2);
    uint64_t code = 0;
    auto [end, error] =
        std::from_chars(term.data(), term.data() + term.size(), code, is_hex ? 16 : 10);
    return error == std::errc() && end != term.data() ? std::optional(code) : std::nullopt;
  }
  return std::nullopt;
}

// Retired branches by Intel's processors, retired taken branches by AMD's.
constexpr uint64_t kRetiredBranches = 0xc4;

bool is_code_of_branches(uint64_t config) {
  constexpr uint64_t kCodeBits = 0xf000000ff;
  return (config & kCodeBits) == kRetiredBranches;
}

// "cycles:u" for "unit/cycles/u"; nothing of other names.
std::string name_within_unit(std::string_view name) {
  const size_t begin = name.find('/'), end = name.rfind('/');
  if (begin == name.npos || end <= begin + 1) return "";
  std::string event(name.substr(begin + 1, end - begin - 1));
  std::string_view modifier = name.substr(end + 1);
  if (modifier.starts_with(':')) modifier.remove_prefix(1);
  return modifier.empty() ? event : event + ":" + std::string(modifier);
}

// Whatever unit counts it, such as "armv8_pmuv3".
std::string any_unit_name(const std::string& name) {
  const std::string within = name_within_unit(name);
  return within.empty() ? name : within;
}

std::string in_lower_case(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

// Names of Intel's, AMD's and Arm's events, as perf list has them, of perf itself, and of what pgo
// record emulates.
bool is_name_of_branches(std::string_view name) {
  static constexpr std::string_view kBeginnings[] = {
      "br_inst_retired", "br_inst_exec",      "br_inst_decoded",  "br_retired",
      "br_immed_",       "br_return_retired", "br_indirect_spec", "br_taken_retired",
      "branch-brs",      "ex_ret_brn",        "ex_ret_near_ret",  "ex_ret_cond",
      "ex_ret_ind_brch", "ex_ret_uncond",     "lbr_inserts",      "pc_write_retired"};
  if (name.find("misp") != name.npos) return false;
  for (std::string_view whole :
       {"branches", "branch-instructions", "branch-loads", "emulated-branches"})
    if (name == whole) return true;
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

}  // namespace

std::string any_core_name(std::string_view name) {
  const std::string_view unit = name.substr(0, name.find('/'));
  const bool is_of_cores = unit == "cpu" || unit.starts_with("cpu_");
  std::string within = is_of_cores ? name_within_unit(name) : "";
  return within.empty() ? std::string(name) : within;
}

bool count_the_same(const EventAttr& a, const EventAttr& b) {
  const bool has_one_name = any_core_name(a.name) == any_core_name(b.name);
  // The numbers of an event mean something else for each kind of core, and names the same.
  if (a.type != b.type) return has_one_name;
  if (!a.is_generic()) return has_one_name && a.config == b.config;
  return a.generic_event() == b.generic_event() &&
         (has_one_name || (a.flags & kFlagsOfModes) == (b.flags & kFlagsOfModes));
}

bool counts_branches(const EventAttr& event) {
  // PERF_COUNT_HW_BRANCH_INSTRUCTIONS, and accesses of the branch predictor.
  constexpr uint32_t kBranchInstructions = 4, kPredictorAccesses = 5;
  if (event.type == kTypeHardware) return event.generic_event() == kBranchInstructions;
  if (event.type == kTypeHardwareCache) return event.generic_event() == kPredictorAccesses;
  if (event.type == kTypeSoftware) return false;

  std::string name = any_core_name(event.name);
  bool is_of_cores = event.type == kTypeRaw || name != event.name;
  name = in_lower_case(std::move(name));
  // What the counters of other units (uncore) mean by this number, their names say.
  if (is_of_cores && is_code_of_branches(event.config)) return true;
  if (event_code_in(name) == kRetiredBranches) return is_of_cores;
  name = any_unit_name(name);
  return is_name_of_branches(name.substr(0, name.find(':')));
}

bool names_branches(std::string_view event) {
  const std::string of_cores = in_lower_case(any_core_name(event));
  if (event_code_in(of_cores) == kRetiredBranches) return true;
  std::string name = any_unit_name(of_cores);
  name = name.substr(0, name.find(':'));
  for (std::string_view end : {"_event", "_sample"})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  if (name.starts_with('r') && of_cores.find('/') == of_cores.npos) {
    uint64_t config = 0;
    const char* end = name.data() + name.size();
    auto [rest, error] = std::from_chars(name.data() + 1, end, config, 16);
    if (error == std::errc() && rest == end) return is_code_of_branches(config);
  }
  return is_name_of_branches(name);
}

bool counts_cycles(const EventAttr& event) {
  // PERF_COUNT_HW_CPU_CYCLES, and PERF_COUNT_HW_REF_CPU_CYCLES.
  constexpr uint32_t kCycles = 0, kReferenceCycles = 9;
  if (event.type == kTypeHardware)
    return event.generic_event() == kCycles || event.generic_event() == kReferenceCycles;
  if (event.type == kTypeSoftware || event.type == kTypeHardwareCache) return false;
  std::string name = any_core_name(event.name);
  name = name.substr(0, name.find(':'));
  return name == "cycles" || name == "cpu-cycles" || name == "ref-cycles" ||
         name.starts_with("cpu_clk_unhalted.");
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
  if (needs_decoding(recording))
    return fail(ErrorKind::kUnsupported,
                recording.path + ": has no branch records, " + std::string(kDecode));
  if (all_count_the_same(recording, candidates)) return mark(recording, candidates);
  return fail(ErrorKind::kUsage, recording.path +
                                     ": none of its events has branch records (perf record -b); "
                                     "name those to count with \xFF{event}:" +
                                     list_events(recording, candidates));
}

Result<std::vector<bool>> choose_cost_events(const Recording& recording,
                                             const std::vector<std::string>& names,
                                             Diagnostics& diagnostics) {
  if (!names.empty()) {
    PGO_TRY(std::vector<bool> chosen, choose_named(recording, names, diagnostics));
    Events named;
    for (size_t i = 0; i < chosen.size(); i++)
      if (chosen[i]) named.push_back(i);
    if (all_count_the_same(recording, named)) return chosen;
    return fail(ErrorKind::kUsage,
                recording.path +
                    ": the chosen events count different things, which cannot be added up; name "
                    "one with \xFF{event}:" +
                    list_events(recording, named));
  }
  Events candidates = prefer_sampled(recording, find_own_events(recording));
  if (recording.sample_records == 0 && needs_decoding(recording))
    return fail(ErrorKind::kUnsupported,
                recording.path + ": has no samples, " + std::string(kDecode));
  if (all_count_the_same(recording, candidates)) return mark(recording, candidates);
  Events of_time =
      keep_if(candidates, [&](size_t i) { return !counts_branches(recording.events[i]); });
  if (!of_time.empty() && all_count_the_same(recording, of_time)) return mark(recording, of_time);
  return several(recording, candidates, "one");
}

}  // namespace pgo::perf_data
