#include "pgo/fetch/bundle_members.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/base/number_text.h"
#include "pgo/base/sha256.h"
#include "pgo/base/time_text.h"
#include "pgo/fetch/fleet_weights.h"
#include "pgo/ingest/stack_input.h"
#include "pgo/merge/merge.h"
#include "pgo/profile/label_limits.h"
#include "pgo/source/input_bytes.h"

namespace pgo {
namespace {

std::string digest_of_contents(std::string_view contents) {
  return "sha256:" +
         Sha256::hex_of({reinterpret_cast<const uint8_t*>(contents.data()), contents.size()});
}

// What is stored of a profile, where that is not all of it: without unwanted labels and beginnings
// of paths. Nothing: the file as it is.
Result<std::optional<std::string>> stored_contents(const FetchedProfile& fetched,
                                                   const FetchRequest& request) {
  const bool may_differ = fetched.inspected.has_unwanted_labels || !request.trimmed_paths.empty();
  if (fetched.inspected.format != Format::kPprof || !may_differ)
    return std::optional<std::string>();
  PGO_TRY(InputBytes input, InputBytes::open(fetched.path));
  Diagnostics told_before;
  PGO_TRY(StackProfile profile, read_stack_profile(input, told_before));
  profile.normalize();
  drop_user_labels(profile, request.allowed_labels);
  trim_source_paths(profile, request.trimmed_paths);
  profile.normalize();
  limit_label_values(profile, {.allowed = request.allowed_labels}, told_before);
  PGO_TRY(std::string contents, gzip(write_pprof(profile)));
  return std::optional(std::move(contents));
}

// Adds the file of `profile`, and says in `member` what it is.
Result<void> add_profile(const FetchRequest& request, const FetchedProfile& profile,
                         BundleMember& member, BundleWriter& writer) {
  PGO_TRY(std::optional<std::string> contents, stored_contents(profile, request));
  if (!contents) return writer.add_file(member.path, profile.path);
  member.size = contents->size();
  member.digest = digest_of_contents(*contents);
  return writer.add_contents(member.path, *contents);
}

// Its own, or what the source tells.
void set_window(const FetchedProfile& profile, BundleMember& member) {
  const RecordedTime& recorded = profile.candidate.recorded;
  const bool is_own = profile.inspected.window.has_value();
  member.window = is_own ? profile.inspected.window : window_of(recorded);
  member.window_evidence = is_own ? TimeEvidence::kStore : recorded.evidence;
  if (member.window) member.window->end = std::max(member.window->end, member.window->begin + 1);
}

Weight in_lowest_terms(const Weight& weight) {
  const uint64_t divisor = std::gcd(weight.numerator, weight.denominator);
  return {weight.numerator / divisor, weight.denominator / divisor};
}

BundleMember member_of(const FetchedProfile& profile) {
  BundleMember member;
  member.path = member_path(profile.candidate.source_name, profile.candidate.object.name);
  member.size = profile.size;
  member.digest = profile.digest;
  member.source = profile.candidate.source_name;
  member.object = profile.candidate.object.name;
  member.labels = profile.labels;
  set_window(profile, member);
  member.weight = in_lowest_terms(profile.weight);
  for (const InspectedBuild& build : profile.inspected.builds) member.builds.push_back(build.id);
  member.samples = profile.inspected.samples;
  member.accounting = profile.inspected.accounting;
  return member;
}

Labels query_of(const FetchRequest& request) {
  const SourceQuery& query = request.query;
  Labels words = query.labels;
  if (query.window) {
    words["from"] = format_time(query.window->begin);
    words["to"] = format_time(query.window->end);
  }
  if (!request.path_template.empty()) words["path-template"] = request.path_template;
  if (!query.sample_type.empty()) words["sample-type"] = query.sample_type;
  if (request.build) words["build-id"] = request.build->hex();
  return words;
}

Bundle empty_bundle(const FetchRequest& request, const FetchResult& result) {
  Bundle bundle;
  bundle.tool_version = request.tool_version;
  for (const ListedSource& source : result.sources) bundle.sources.push_back(source.name);
  bundle.query = query_of(request);
  return bundle;
}

void sort_members(Bundle& bundle) {
  std::sort(bundle.members.begin(), bundle.members.end(),
            [](const BundleMember& a, const BundleMember& b) { return a.path < b.path; });
}

// Profiles that become one.
struct MergeGroup {
  std::string program;         // build ID; empty: not known
  bool has_addresses = false;  // address profiles, and not stack profiles

  auto operator<=>(const MergeGroup&) const = default;
};

using MergeGroups = std::map<MergeGroup, std::vector<const FetchedProfile*>>;

// In a merged profile, those of its group count 1 on average. With their mean as its weight, it
// counts as much as they do. In the order of `groups`.
Result<std::vector<Weight>> weights_of_groups(const MergeGroups& groups) {
  uint64_t common = 1;  // below a million for all profiles of a result
  for (const auto& [group, profiles] : groups)
    for (const FetchedProfile* profile : profiles)
      common = std::lcm(common, profile->weight.denominator);
  std::vector<WeightedProfile> means;
  for (const auto& [group, profiles] : groups) {
    WeightedProfile& mean = means.emplace_back();
    mean.chosen = profiles.size();
    mean.represented = 0;
    for (const FetchedProfile* profile : profiles)
      mean.represented += profile->weight.numerator * (common / profile->weight.denominator);
  }
  return fleet_weights(means, WeightBy::kSample, {});
}

std::string path_of(const MergeGroup& group) {
  return "profiles/" + (group.program.empty() ? "unknown-build" : group.program) +
         (group.has_addresses ? ".addr" : ".pb.gz");
}

// Empty: a member does not say what became of its samples.
std::optional<Accounting> sum_of_accountings(const std::vector<BundleMember>& members) {
  Accounting sum;
  for (const BundleMember& member : members) {
    if (!member.accounting) return std::nullopt;
    sum.add(*member.accounting);
  }
  return sum;
}

// What all members say together; the file is not there yet.
BundleMember merged_member(const MergeGroup& group, const std::vector<BundleMember>& members) {
  BundleMember merged;
  merged.path = path_of(group);
  merged.object = "merged of " + format_count(members.size(), "profile");
  merged.labels = members[0].labels;
  merged.window_evidence = TimeEvidence::kStore;
  std::map<std::string, double> builds;
  std::set<std::string> sources;
  for (const BundleMember& member : members) {
    std::erase_if(merged.labels, [&](const auto& label) {
      auto found = member.labels.find(label.first);
      return found == member.labels.end() || found->second != label.second;
    });
    if (member.window) {
      if (!merged.window) merged.window = member.window;
      merged.window->begin = std::min(merged.window->begin, member.window->begin);
      merged.window->end = std::max(merged.window->end, member.window->end);
      merged.window_evidence = std::max(merged.window_evidence, member.window_evidence);
    }
    merged.samples += member.samples;
    sources.insert(member.source);
    for (const std::string& build : member.builds)
      builds[build] += static_cast<double>(member.samples);
  }
  if (!merged.window) merged.window_evidence = TimeEvidence::kNone;
  merged.source = *sources.begin();
  if (sources.size() > 1) merged.object += " of " + format_count(sources.size(), "source");
  std::vector<std::pair<double, std::string>> ordered;
  for (const auto& [build, samples] : builds) ordered.emplace_back(-samples, build);
  std::sort(ordered.begin(), ordered.end());
  for (const auto& [samples, build] : ordered) merged.builds.push_back(build);
  merged.accounting = sum_of_accountings(members);
  return merged;
}

// Merges the profiles of a group, which become a bundle for that time.
Result<BundleMember> merge_group(const FetchRequest& request, const MergeGroup& group,
                                 const std::vector<const FetchedProfile*>& profiles,
                                 BundleWriter& writer) {
  PGO_TRY(BundleWriter parts, BundleWriter::begin(writer.directory() + "/parts"));
  Bundle bundle;
  bundle.tool_version = request.tool_version;
  std::set<std::vector<std::string>> types;
  for (const FetchedProfile* profile : profiles) {
    bundle.members.push_back(member_of(*profile));
    types.insert(profile->inspected.types);
    PGO_CHECK(add_profile(request, *profile, bundle.members.back(), parts));
  }
  sort_members(bundle);
  BundleMember merged = merged_member(group, bundle.members);
  PGO_CHECK(parts.add_contents(kBundleName, bundle_text(bundle)));

  MergeRequest merging;
  merging.inputs = {parts.directory()};
  merging.outputs = {{group.has_addresses ? Format::kAddressProfile : Format::kPprof, "-"}};
  // Profiles that count different things besides keep what they have in common.
  if (types.size() > 1) merging.sample_types = {profiles[0]->inspected.type};
  merging.jobs = request.jobs;
  merging.progress = request.progress;
  PGO_TRY(MergeResult result, merge(merging));
  const std::string& contents = result.outputs[0].contents;
  merged.size = contents.size();
  merged.digest = digest_of_contents(contents);
  PGO_CHECK(writer.add_contents(merged.path, contents));
  return merged;
}

}  // namespace

Result<Bundle> write_members(const FetchRequest& request, const FetchResult& result,
                             BundleWriter& writer) {
  Bundle bundle = empty_bundle(request, result);
  if (request.form == BundleForm::kProfiles) {
    for (const FetchedProfile& profile : result.profiles) {
      bundle.members.push_back(member_of(profile));
      PGO_CHECK(add_profile(request, profile, bundle.members.back(), writer));
    }
    sort_members(bundle);
    return bundle;
  }
  MergeGroups groups;
  for (const FetchedProfile& profile : result.profiles) {
    const Format format = profile.inspected.format;
    if (format == Format::kPerfData)
      return fail(ErrorKind::kUnsupported,
                  profile.candidate.source_name + ": " + profile.candidate.object.name +
                      ": is a recording, which \xFF{merge} cannot merge",
                  "fetch without it, and convert the bundle");
    groups[{profile.inspected.program, format == Format::kAddressProfile}].push_back(&profile);
  }
  PGO_TRY(std::vector<Weight> weights, weights_of_groups(groups));
  for (const auto& [group, profiles] : groups) {
    PGO_TRY(BundleMember member, merge_group(request, group, profiles, writer));
    member.weight = in_lowest_terms(weights[bundle.members.size()]);
    bundle.members.push_back(std::move(member));
  }
  sort_members(bundle);
  return bundle;
}

}  // namespace pgo
