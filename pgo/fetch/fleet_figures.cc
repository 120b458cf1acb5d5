#include "pgo/fetch/fleet_figures.h"

#include <algorithm>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/profile/fetch_thresholds.h"

namespace pgo {
namespace {

// The window of a profile, or the time that its source tells.
std::optional<TimeWindow> time_of(const FetchedProfile& profile) {
  if (profile.inspected.window) return profile.inspected.window;
  return window_of(profile.candidate.recorded);
}

void extend(std::optional<TimeWindow>& window, const std::optional<TimeWindow>& by) {
  if (!by) return;
  if (!window) window = by;
  window->begin = std::min(window->begin, by->begin);
  window->end = std::max(window->end, by->end);
}

std::string digest_of(const std::string& text) { return Sha256::hex_of(as_bytes(text)); }

// Two halves of the profiles, which are divided as if by chance: by digests of the names of their
// hosts, and of the profiles that tell no host or all the same. Each zone is divided by itself, as
// profiles are chosen in each. What hosts have in common shows how well those that were chosen
// stand for others; profiles of one host would only show how well its time was sampled.
std::optional<HalvesOverlap> overlap_of_halves(const std::vector<FetchedProfile>& profiles,
                                               size_t hosts) {
  if (profiles.size() < 2) return std::nullopt;
  HalvesOverlap result{.by_host = hosts >= 2};
  using Part = std::pair<std::string, std::string>;  // zone, and digest
  std::map<Part, std::vector<const FetchedProfile*>> parts;
  for (const FetchedProfile& profile : profiles) {
    std::string name = result.by_host ? host_label_of(profile.labels) : "";
    if (name.empty()) name = profile.candidate.source_name + "\n" + profile.candidate.object.name;
    parts[{label_of(profile.labels, kZoneLabel), digest_of(name)}].push_back(&profile);
  }
  MeanLeafShares halves[2];
  size_t half = 0;
  for (const auto& [part, its] : parts) {
    for (const FetchedProfile* profile : its)
      halves[half].add(profile->inspected.leaves, weighted_total(*profile));
    half = 1 - half;
  }
  result.overlap = overlap_of(halves[0].mean(), halves[1].mean());
  return result;
}

uint64_t count_of(const std::map<Evidence, uint64_t>& evidence, Evidence one) {
  auto found = evidence.find(one);
  return found == evidence.end() ? 0 : found->second;
}

}  // namespace

double weighted_total(const FetchedProfile& profile) {
  return static_cast<double>(profile.weight.numerator) /
         static_cast<double>(profile.weight.denominator) * profile.inspected.total;
}

Result<void> set_weights(WeightBy by, const std::vector<HostTraffic>& traffic,
                         FetchResult& result) {
  std::vector<WeightedProfile> weighted;
  for (const FetchedProfile& profile : result.profiles) {
    const FetchedStratum& stratum = result.strata[profile.stratum];
    weighted.push_back({.host = host_label_of(profile.labels),
                        .total = profile.inspected.total,
                        .represented = stratum.stratum.listed,
                        .chosen = stratum.answered});
  }
  PGO_TRY(std::vector<Weight> weights, fleet_weights(weighted, by, traffic));
  for (size_t i = 0; i < weights.size(); i++) result.profiles[i].weight = weights[i];
  return ok();
}

std::vector<ProgramBuild> find_program_builds(const std::vector<FetchedProfile>& profiles,
                                              OldBuildAction old_builds) {
  std::map<std::string, ProgramBuild> by_id;
  double total = 0;
  for (const FetchedProfile& profile : profiles) {
    ProgramBuild& build = by_id[profile.inspected.program];
    build.id = profile.inspected.program;
    build.profiles++;
    build.share += weighted_total(profile);
    total += weighted_total(profile);
    extend(build.window, time_of(profile));
    // Of different paths, such as those of containers, the first as they sort: in any order.
    for (const InspectedBuild& one : profile.inspected.builds)
      if (one.id == build.id && !one.path.empty() && (build.path.empty() || one.path < build.path))
        build.path = one.path;
  }
  std::vector<ProgramBuild> builds;
  for (auto& [id, build] : by_id) {
    if (total > 0) build.share /= total;
    builds.push_back(std::move(build));
  }
  std::stable_sort(builds.begin(), builds.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  if (old_builds == OldBuildAction::kKeep) return builds;
  for (ProgramBuild& build : builds) {
    if (build.id.empty() || !build.window || build.share >= thresholds::kSmallBuildShare) continue;
    build.is_left_out = std::any_of(builds.begin(), builds.end(), [&](const ProgramBuild& other) {
      return !other.id.empty() && other.share > build.share && other.window &&
             other.window->end - build.window->end >= thresholds::kOldBuildAge;
    });
  }
  return builds;
}

void compare_profiles(FetchResult& result) {
  std::vector<ComparedProfile> compared;
  for (const FetchedProfile& profile : result.profiles) {
    Candidate with_labels = profile.candidate;
    with_labels.object.labels = profile.labels;
    compared.push_back({&profile.inspected.leaves, profile.inspected.samples,
                        stratum_key(with_labels, StratumDetail::kHostAndHour),
                        profile.inspected.program});
  }
  const std::vector<std::optional<PeerComparison>> peers = compare_with_peers(compared);
  for (size_t i = 0; i < peers.size(); i++) result.profiles[i].peers = peers[i];
}

void find_figures(FetchResult& result) {
  std::vector<ProgramBuild> left_out;
  for (ProgramBuild& build : result.builds)
    if (build.is_left_out) left_out.push_back(std::move(build));
  result.builds = find_program_builds(result.profiles, OldBuildAction::kKeep);
  result.builds.insert(result.builds.end(), left_out.begin(), left_out.end());

  uint64_t pc_samples = 0;
  for (const FetchedProfile& profile : result.profiles) {
    const InspectedProfile& its = profile.inspected;
    result.samples += its.samples;
    FetchedStratum& stratum = result.strata[profile.stratum];
    stratum.used++;
    stratum.samples += its.samples;
    if (std::string host = host_label_of(profile.labels); !host.empty()) result.hosts.insert(host);
    std::string model =
        its.cpu_model.empty() ? label_of(profile.labels, "cpu_model") : its.cpu_model;
    if (!model.empty()) result.cpu_models.insert(std::move(model));
    extend(result.window, time_of(profile));
    result.evidence[its.evidence]++;
    if (its.evidence == Evidence::kPcSamples || its.evidence == Evidence::kFunctionAndLine)
      pc_samples += its.samples;
  }
  // How good branch records are shows where they meet the binary.
  if (count_of(result.evidence, Evidence::kBranchRecords) == 0 &&
      count_of(result.evidence, Evidence::kSoftwareBranchRecords) == 0)
    result.quality = quality_of_pc_samples(pc_samples);
  result.halves = overlap_of_halves(result.profiles, result.hosts.size());
}

std::vector<std::string> find_failed_limits(const FetchLimits& limits, const FetchResult& result) {
  std::vector<std::string> failed;
  auto at_least = [&](const std::optional<double>& limit, uint64_t count, const char* one) {
    if (limit && static_cast<double>(count) < *limit)
      failed.push_back(format_count(count, one) + ", and at least " +
                       format_count(static_cast<uint64_t>(*limit)) + " are required");
  };
  at_least(limits.profiles, result.profiles.size(), "profile");
  at_least(limits.hosts, result.hosts.size(), "host");
  at_least(limits.samples, result.samples, "sample");
  if (limits.overlap && !result.halves)
    failed.push_back("one profile has no split-half overlap, and " + format_share(*limits.overlap) +
                     " is required");
  if (limits.overlap && result.halves && result.halves->overlap < *limits.overlap)
    failed.push_back("the split-half overlap is " + format_share(result.halves->overlap) +
                     ", and at least " + format_share(*limits.overlap) + " is required");
  const double missing = result.chosen == 0 ? 0
                                            : static_cast<double>(result.missing()) /
                                                  static_cast<double>(result.chosen);
  if (limits.missing && missing > *limits.missing)
    failed.push_back(format_share(missing) + " of the chosen profiles are missing, and at most " +
                     format_share(*limits.missing) + " are accepted");
  return failed;
}

void warn_of_gaps(FetchResult& result) {
  Diagnostics& diagnostics = result.diagnostics;
  if (result.missing() > 0) diagnostics.warn("missing", describe_missing(result));
  for (const FetchedProfile& profile : result.profiles)
    if (profile.peers && profile.peers->is_outlier)
      diagnostics.warn("outlier", profile.candidate.shown() + ": " +
                                      describe_outlier(*profile.peers, profile.inspected.leaves));
  // Where others of a stratum have answered, they are not of the window, the label or the build.
  const auto empty = static_cast<uint64_t>(std::count_if(
      result.strata.begin(), result.strata.end(),
      [](const FetchedStratum& stratum) { return stratum.used == 0 && stratum.answered == 0; }));
  if (empty > 0)
    diagnostics.warn("stratum-without-profile",
                     format_count(empty) + " of " +
                         format_count(result.strata.size(), "stratum", "strata") +
                         " have no profile in the bundle: all that were chosen are missing");
}

std::string describe_not_asked(const std::map<NotAsked, uint64_t>& counts) {
  std::string text;
  for (const auto& [why, count] : counts) {
    text += (text.empty() ? "" : ", ") + format_count(count);
    switch (why) {
      case NotAsked::kWindow: text += " outside of the window"; break;
      case NotAsked::kLabel: text += " with other labels"; break;
      case NotAsked::kAfterStart: text += " right after a start"; break;
      case NotAsked::kOtherHost: text += " of less busy hosts"; break;
    }
  }
  return text;
}

std::string describe_outlier(const PeerComparison& peers, const LeafShares& leaves) {
  return "overlaps by " + format_share(peers.overlap) + " with the median of " +
         format_count(peers.peers) + " others, where " + format_share(peers.expected) +
         " is expected; " + format_share(leaves.top_share) + " of its time is in " +
         (leaves.top_name.empty() ? "code without a name" : leaves.top_name);
}

std::string_view exclusion_name(Exclusion why) {
  switch (why) {
    case Exclusion::kNotFetched: return "not-fetched";
    case Exclusion::kTooLarge: return "too-large";
    case Exclusion::kDamaged: return "damaged";
    case Exclusion::kUnsupported: return "no-profile";
    case Exclusion::kEmpty: return "no-samples";
    case Exclusion::kOtherType: return "other-sample-type";
    case Exclusion::kOtherLabel: return "other-label";
    case Exclusion::kOtherWindow: return "other-window";
    case Exclusion::kOtherBuild: return "other-build";
    case Exclusion::kSameContents: return "same-contents";
    case Exclusion::kSmallOldBuild: return "small-old-build";
    case Exclusion::kOutlier: return "outlier";
  }
  return "";
}

std::vector<std::pair<Exclusion, uint64_t>> count_exclusions(const FetchResult& result) {
  std::map<Exclusion, uint64_t> counts;
  for (const ExcludedProfile& one : result.excluded) counts[one.why]++;
  std::vector<std::pair<Exclusion, uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

std::string describe_missing(const FetchResult& result) {
  const auto first = std::find_if(result.excluded.begin(), result.excluded.end(),
                                  [](const ExcludedProfile& one) { return is_missing(one.why); });
  if (first == result.excluded.end()) return "nothing is missing";
  std::string reasons;
  for (const auto& [why, count] : count_exclusions(result))
    if (is_missing(why))
      reasons += (reasons.empty() ? "" : ", ") + format_count(count) + " " +
                 std::string(exclusion_name(why));
  return format_count(result.missing()) + " of " + format_count(result.chosen, "profile") +
         (result.missing() == 1 ? " is" : " are") + " missing (" + reasons +
         "); the first: " + first->text;
}

}  // namespace pgo
