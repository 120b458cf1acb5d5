#include "pgo/fetch/candidate_filter.h"

#include <algorithm>
#include <set>
#include <utility>

#include "pgo/profile/fetch_thresholds.h"

namespace pgo {
namespace {

using Run = std::pair<std::string, std::string>;  // host and version

Run run_of(const Candidate& candidate) {
  return {host_label_of(candidate.object.labels), label_of(candidate.object.labels, kVersionLabel)};
}

bool has_time(const Candidate& candidate) {
  return candidate.recorded.evidence != TimeEvidence::kNone;
}

bool may_be_in(const TimeWindow& window, const RecordedTime& recorded) {
  const std::optional<TimeWindow> known = window_of(recorded);
  if (!known) return true;
  switch (recorded.evidence) {
    case TimeEvidence::kName: return known->begin < window.end && known->end > window.begin;
    case TimeEvidence::kModified:
      return known->begin >= window.begin && known->begin - thresholds::kUploadDelay < window.end;
    default: return window.contains(known->begin);
  }
}

// A label that the listing does not tell may still be in the profile.
bool has_other_label(const Candidate& candidate, const Labels& wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const auto& label) {
    auto found = candidate.object.labels.find(label.first);
    return found != candidate.object.labels.end() && found->second != label.second;
  });
}

// When each host began to run each version.
std::map<Run, int64_t> find_starts(const std::vector<Candidate>& candidates) {
  std::map<Run, int64_t> starts;
  for (const Candidate& candidate : candidates) {
    if (!has_time(candidate)) continue;
    auto [at, is_new] = starts.emplace(run_of(candidate), candidate.recorded.time);
    if (!is_new) at->second = std::min(at->second, candidate.recorded.time);
  }
  return starts;
}

// The busiest first; of equal ones, the name that sorts first.
std::set<std::string> find_busiest(const std::vector<Candidate>& candidates,
                                   const std::vector<HostTraffic>& traffic, uint64_t count) {
  std::map<std::string, double> hosts;
  for (const Candidate& candidate : candidates)
    if (std::string host = host_label_of(candidate.object.labels); !host.empty())
      hosts[host] += static_cast<double>(candidate.object.size.value_or(0));
  if (!traffic.empty()) {
    for (auto& [host, busy] : hosts) busy = 0;
    for (const HostTraffic& one : traffic)
      if (auto found = hosts.find(one.host); found != hosts.end()) found->second = one.traffic;
  }
  std::vector<std::pair<std::string, double>> sorted(hosts.begin(), hosts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::set<std::string> busiest;
  for (size_t i = 0; i < sorted.size() && i < count; i++) busiest.insert(sorted[i].first);
  return busiest;
}

// "a, b, c, d, e and 3 more"
std::string first_few(const std::set<std::string>& values) {
  constexpr size_t kMostShown = 5;
  std::string text;
  size_t shown = 0;
  for (const std::string& value : values) {
    if (shown++ == kMostShown) break;
    text += (text.empty() ? "" : ", ") + value;
  }
  if (values.size() > kMostShown)
    text += " and " + std::to_string(values.size() - kMostShown) + " more";
  return text;
}

}  // namespace

std::string describe_values_instead(const std::vector<Candidate>& candidates,
                                    const Labels& wanted) {
  constexpr const char* kService = "service";
  std::vector<std::string> keys;
  if (wanted.contains(kService)) keys.emplace_back(kService);
  for (const auto& [key, value] : wanted)
    if (key != kService) keys.push_back(key);
  for (const std::string& key : keys) {
    std::set<std::string> values;
    for (const Candidate& candidate : candidates)
      if (std::string value = label_of(candidate.object.labels, key); !value.empty())
        values.insert(std::move(value));
    if (values.empty() || values.contains(wanted.at(key))) continue;
    return (key == kService ? "the services that are there: "
                            : "the values of '" + key + "' that are there: ") +
           first_few(values);
  }
  return "";
}

Result<FilteredCandidates> filter_candidates(std::vector<Candidate> candidates,
                                             const CandidateFilter& filter) {
  FilteredCandidates filtered;
  std::sort(candidates.begin(), candidates.end());
  // Leaves those for which `reason` has nothing to say.
  auto leave_out = [&](const auto& reason) {
    std::erase_if(candidates, [&](const Candidate& candidate) {
      const std::optional<NotAsked> why = reason(candidate);
      if (why) filtered.left_out[*why]++;
      return why.has_value();
    });
  };
  using Reason = std::optional<NotAsked>;
  leave_out([&](const Candidate& candidate) {
    return has_other_label(candidate, filter.labels) ? Reason(NotAsked::kLabel) : std::nullopt;
  });
  const std::map<Run, int64_t> starts =
      filter.skip_after_start > 0 ? find_starts(candidates) : std::map<Run, int64_t>();
  if (filter.window)
    leave_out([&](const Candidate& candidate) {
      return may_be_in(*filter.window, candidate.recorded) ? std::nullopt
                                                           : Reason(NotAsked::kWindow);
    });
  if (filter.skip_after_start > 0)
    leave_out([&](const Candidate& candidate) {
      if (!has_time(candidate)) return Reason();
      const int64_t age = candidate.recorded.time - starts.at(run_of(candidate));
      return age < filter.skip_after_start ? Reason(NotAsked::kAfterStart) : std::nullopt;
    });
  if (filter.busiest && !candidates.empty()) {
    const std::set<std::string> busiest = find_busiest(candidates, filter.traffic, *filter.busiest);
    if (busiest.empty())
      return fail(ErrorKind::kUsage, "\xFF{busiest} needs the label 'host', which no profile has",
                  "\xFF{path-template} takes labels from paths");
    leave_out([&](const Candidate& candidate) {
      return busiest.contains(host_label_of(candidate.object.labels))
                 ? std::nullopt
                 : Reason(NotAsked::kOtherHost);
    });
  }
  filtered.kept = std::move(candidates);
  return filtered;
}

}  // namespace pgo
