#include "pgo/units/bundle_units.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "pgo/base/time_text.h"
#include "pgo/source/bundle.h"

namespace pgo {
namespace {

constexpr size_t kMaxWindows = 1'000;  // each is a request

const char* time_evidence_words(TimeEvidence evidence) {
  return evidence == TimeEvidence::kName ? "its name" : "the time of its last change";
}

Failure needs_window(const std::string& input, const char* option, const std::string& why) {
  return fail(
      ErrorKind::kUsage,
      input + ": " + why + ", so it is not known when its profiles were recorded; give " + option);
}

using Members = std::vector<const WindowedMember*>;

// Adds the units of the members of one window.
Result<void> share_out(const SideUnits& side, const Members& members,
                       std::vector<MemberUnits>& units) {
  std::vector<MemberUnits> works = side.members;
  if (works.empty()) works.push_back({.member = "", .units = side.total});
  std::set<std::string> hosts;
  for (const MemberUnits& work : works) {
    Members targets;
    for (const WindowedMember* member : members)
      if (work.member.empty() || work.member == member->host) targets.push_back(member);
    hosts.insert(work.member);
    for (const WindowedMember* target : targets)
      units.push_back(
          {target->path, work.units / static_cast<double>(targets.size()), work.stratum});
  }
  for (const WindowedMember* member : members)
    if (!hosts.contains("") && !hosts.contains(member->host))
      return fail(ErrorKind::kUsage,
                  member->path + ": the query gives no units of work for its host '" +
                      member->host + "' from " + format_time(member->window.begin) + " to " +
                      format_time(member->window.end));
  return ok();
}

}  // namespace

Result<std::vector<WindowedMember>> windowed_members(const std::vector<std::string>& inputs,
                                                     const char* option) {
  std::vector<WindowedMember> members;
  for (const std::string& input : inputs) {
    if (input.find('#') != input.npos)
      return needs_window(input, option, "has conditions, which leave out some of its profiles");
    PGO_TRY(std::optional<Bundle> bundle, read_bundle(input));
    if (!bundle) return needs_window(input, option, "is not a bundle");
    for (const BundleMember& member : bundle->members) {
      if (!member.window) return needs_window(input, option, "has no window of " + member.path);
      // An hour in a name, or the time of an upload, is not how long was recorded.
      if (member.window_evidence != TimeEvidence::kStore)
        return needs_window(input, option,
                            "knows the window of " + member.path + " from " +
                                time_evidence_words(member.window_evidence) + " only");
      const auto host = member.labels.find("host");
      members.push_back({input + (input.ends_with('/') ? "" : "/") + member.path,
                         host == member.labels.end() ? "" : host->second, *member.window});
    }
  }
  return members;
}

Result<std::vector<MemberUnits>> units_of_members(
    const std::vector<WindowedMember>& members,
    const std::function<Result<SideUnits>(const TimeWindow&)>& ask) {
  std::map<std::pair<int64_t, int64_t>, Members> windows;
  for (const WindowedMember& member : members)
    windows[{member.window.begin, member.window.end}].push_back(&member);
  if (windows.size() > kMaxWindows)
    return fail(ErrorKind::kUsage,
                "the profiles of a side have " + std::to_string(windows.size()) +
                    " different windows, and units of work are asked for " +
                    std::to_string(kMaxWindows) + " at most",
                "give \xFF{units-window-before} and \xFF{units-window-after}");
  // By begin, so one that overlaps another overlaps one before it, or the next.
  bool do_overlap = false;
  int64_t end = std::numeric_limits<int64_t>::min();
  for (const auto& [window, of_window] : windows) {
    do_overlap |= window.first < end;
    end = std::max(end, window.second);
  }
  std::vector<MemberUnits> units;
  for (const auto& [window, of_window] : windows) {
    PGO_TRY(SideUnits side, ask(TimeWindow{window.first, window.second}));
    // Each of the windows would get all the work of the time that it shares with others.
    if (side.members.empty() && do_overlap)
      return fail(ErrorKind::kUsage,
                  "the query gives no hosts, and profiles have different windows that overlap",
                  "keep hosts apart in the query: sum by (instance) (...)");
    PGO_CHECK(share_out(side, of_window, units));
  }
  return units;
}

}  // namespace pgo
