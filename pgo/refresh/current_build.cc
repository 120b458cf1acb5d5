#include "pgo/refresh/current_build.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/match/match.h"

namespace pgo {
namespace {

MatchRequest matching_of(const CurrentBuildRequest& request, const std::string& build) {
  MatchRequest matching;
  matching.binary = build;
  matching.profile = request.profile;
  matching.shown_as = request.shown_as;
  matching.min_match = request.min_match;
  matching.jobs = request.jobs;
  return matching;
}

Failure no_counts_for(const std::string& names, const std::string& profile) {
  return fail(ErrorKind::kEmpty, profile + ": has no counts for functions of " + names);
}

Result<CurrentBuildMatch> match_one(const CurrentBuildRequest& request) {
  MatchRequest matching = matching_of(request, request.builds[0]);
  matching.of_several = request.has_libraries;
  PGO_TRY(const MatchResult matched, match(matching));
  if (!matched.has_counts()) return no_counts_for(matching.binary, matched.profile);
  CurrentBuildMatch result;
  result.builds = {{request.builds[0], matched.match_rate()}};
  result.match_rate = matched.match_rate();
  result.lowest = request.builds[0];
  result.min_match = matched.min_match;
  result.diagnostics = matched.diagnostics;
  return result;
}

// What of each function matches in the build that has most of it.
class BestMatches {
 public:
  void add(const ProfileMatch& match) {
    total_ = match.weights.all();  // the same of all builds
    for (const FunctionMatch& function : match.functions) {
      uint64_t& matched = matched_[function.name];
      matched = std::max(matched, function.weights.all() - function.weights.unmatched());
    }
  }
  double rate() const {
    double matched = 0;
    for (const auto& [name, weight] : matched_) matched += static_cast<double>(weight);
    return total_ == 0 ? 0 : matched / static_cast<double>(total_);
  }

 private:
  std::map<std::string, uint64_t> matched_;
  uint64_t total_ = 0;
};

}  // namespace

std::string CurrentBuildMatch::describe(const std::string& profile) const {
  const std::string only = "only " + format_share(match_rate) + " of ";
  if (lowest.empty())
    return only + profile +
           " match the builds of current-build together (are all libraries listed there?)";
  if (builds.size() == 1) return only + profile + " match " + lowest;
  return only + "what " + profile + " has of " + lowest + " match";
}

std::string describe_absent_build(const std::vector<std::string>& builds) {
  for (const std::string& build : builds)
    if (std::error_code error; !std::filesystem::exists(build, error))
      return build + ", named by current-build, does not exist; build it first";
  return "";
}

Result<CurrentBuildMatch> match_current_builds(const CurrentBuildRequest& request) {
  if (request.builds.size() == 1) return match_one(request);
  CurrentBuildMatch result;
  BestMatches best;
  std::string names;
  for (const std::string& build : request.builds) {
    PGO_TRY(MatchResult matched, match(matching_of(request, build)));
    best.add(matched.match);
    result.min_match = matched.min_match;
    result.diagnostics.add(matched.diagnostics);
    matched.match.leave_out_absent();
    names += (names.empty() ? "" : ", ") + build;
    BuildMatch& its = result.builds.emplace_back(BuildMatch{build, std::nullopt});
    if (matched.match.weights.all() == 0) continue;
    its.match_rate = matched.match_rate();
    if (!result.lowest.empty() && *its.match_rate >= result.match_rate) continue;
    result.match_rate = *its.match_rate;
    result.lowest = build;
  }
  if (result.lowest.empty()) return no_counts_for(names, request.shown_as);
  if (const double together = best.rate(); together < result.match_rate) {
    result.match_rate = together;
    result.lowest.clear();
  }
  return result;
}

}  // namespace pgo
