#include "pgo/fetch/bundle_members.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/base/number_text.h"
#include "pgo/base/parallel.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/base/time_text.h"
#include "pgo/fetch/fleet_weights.h"
#include "pgo/ingest/stack_input.h"
#include "pgo/merge/merge.h"
#include "pgo/profile/label_limits.h"
#include "pgo/source/input_bytes.h"

namespace pgo {
namespace {

std::string digest_of_contents(std::string_view contents) {
  return "sha256:" + Sha256::hex_of(as_bytes(contents));
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
  for (const InspectedBuild& build : profile.inspected.builds) {
    member.builds.push_back(build.id);
    member.build_samples.push_back(static_cast<uint64_t>(std::llround(build.samples)));
  }
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

// Labels that all members have stay; of the others, how many members have which text.
void merge_labels(const std::vector<BundleMember>& members, BundleMember& merged) {
  MergedProfiles& of = merged.merged.emplace();
  of.profiles = members.size();
  for (const BundleMember& member : members)
    for (const auto& [key, text] : member.labels) of.labels[key][text]++;
  std::erase_if(of.labels, [&](const auto& label) {
    const auto& [key, texts] = label;
    const bool is_shared = texts.begin()->second == members.size();
    if (is_shared) merged.labels[key] = texts.begin()->first;
    return is_shared;
  });
}

void merge_builds(const std::vector<BundleMember>& members, BundleMember& merged) {
  std::map<std::string, uint64_t> builds;
  for (const BundleMember& member : members)
    for (size_t i = 0; i < member.builds.size(); i++)
      builds[member.builds[i]] += member.build_samples[i];
  std::vector<std::pair<std::string, uint64_t>> ordered(builds.begin(), builds.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [build, samples] : ordered) {
    merged.builds.push_back(build);
    merged.build_samples.push_back(samples);
  }
}

// What all members say together; the file is not there yet.
BundleMember merged_member(const MergeGroup& group, const std::vector<BundleMember>& members) {
  BundleMember merged;
  merged.path = path_of(group);
  merged.object = "merged of " + format_count(members.size(), "profile");
  merge_labels(members, merged);
  merge_builds(members, merged);
  merged.window_evidence = TimeEvidence::kStore;
  std::set<std::string> sources;
  for (const BundleMember& member : members) {
    if (member.window) {
      if (!merged.window) merged.window = member.window;
      merged.window->begin = std::min(merged.window->begin, member.window->begin);
      merged.window->end = std::max(merged.window->end, member.window->end);
      merged.window_evidence = std::max(merged.window_evidence, member.window_evidence);
    }
    merged.samples += member.samples;
    sources.insert(member.source);
  }
  if (!merged.window) merged.window_evidence = TimeEvidence::kNone;
  merged.source = *sources.begin();
  if (sources.size() > 1) merged.object += " of " + format_count(sources.size(), "source");
  merged.accounting = sum_of_accountings(members);
  return merged;
}

// Adds what the merge says and the profiles did not say when they were looked into.
void add_news(const Diagnostics& told, const Diagnostics& of_merge, Diagnostics& diagnostics) {
  for (const auto& [kind, entry] : of_merge.entries())
    if (kind == kManyLabelValues || !told.entries().contains(kind)) diagnostics.add(kind, entry);
}

// Merges the profiles of a group where they are, in the cache.
Result<MergedMember> merge_group(const FetchRequest& request, const MergeGroup& group,
                                 const std::vector<const FetchedProfile*>& profiles,
                                 const Diagnostics& told, Diagnostics& diagnostics) {
  auto parts = std::make_shared<InputBundle>();
  std::set<std::vector<std::string>> types;
  MergeRequest merging;
  for (const FetchedProfile* profile : profiles) {
    const BundleMember& member = parts->bundle.members.emplace_back(member_of(*profile));
    types.insert(profile->inspected.types);
    merging.files.push_back({.path = profile->path,
                             .bundle = parts,
                             .member = merging.files.size(),
                             .name = member.source + ": " + member.object});
  }
  parts->weights = relative_weights(parts->bundle);
  for (InputFile& file : merging.files) file.weight = parts->weights[file.member];
  merging.outputs = {{group.has_addresses ? Format::kAddressProfile : Format::kPprof, "-"}};
  // Profiles that count different things besides keep what they have in common.
  if (types.size() > 1 && !group.has_addresses)
    merging.sample_types = {profiles[0]->inspected.type};
  if (!group.has_addresses) {
    merging.allowed_labels = request.allowed_labels;
    merging.trimmed_paths = request.trimmed_paths;
  }
  merging.jobs = request.jobs;
  merging.progress = request.progress;
  PGO_TRY(MergeResult result, merge(merging));
  add_news(told, result.diagnostics, diagnostics);
  MergedMember merged{merged_member(group, parts->bundle.members),
                      std::move(result.outputs[0].contents)};
  merged.member.size = merged.contents.size();
  merged.member.digest = digest_of_contents(merged.contents);
  return merged;
}

}  // namespace

Result<std::vector<MergedMember>> merge_members(const FetchRequest& request,
                                                const FetchResult& result,
                                                Diagnostics& diagnostics) {
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
  std::vector<MergedMember> members;
  for (const auto& [group, profiles] : groups) {
    PGO_TRY(MergedMember member,
            merge_group(request, group, profiles, result.diagnostics, diagnostics));
    member.member.weight = in_lowest_terms(weights[members.size()]);
    members.push_back(std::move(member));
  }
  return members;
}

Result<Bundle> write_merged_members(const FetchRequest& request, const FetchResult& result,
                                    const std::vector<MergedMember>& members,
                                    BundleWriter& writer) {
  Bundle bundle = empty_bundle(request, result);
  for (const MergedMember& member : members) {
    PGO_CHECK(writer.add_contents(member.member.path, member.contents));
    bundle.members.push_back(member.member);
  }
  sort_members(bundle);
  return bundle;
}

// After the first failure, of a full disk for instance, no further file is begun.
Result<Bundle> write_members(const FetchRequest& request, const FetchResult& result,
                             const DeferredTermination& termination, BundleWriter& writer) {
  using Written = Result<std::optional<BundleMember>>;  // nothing: not begun
  std::atomic<bool> is_stopped = false;
  const std::vector<Written> members =
      parallel_map(result.profiles.size(), request.jobs, [&](size_t i) -> Written {
        if (is_stopped || termination.any()) return std::optional<BundleMember>();
        BundleMember member = member_of(result.profiles[i]);
        if (Result<void> added = add_profile(request, result.profiles[i], member, writer); !added) {
          is_stopped = true;
          return fail(added.error());
        }
        return std::optional(std::move(member));
      });
  Bundle bundle = empty_bundle(request, result);
  for (const Written& member : members) {
    if (!member) return fail(member.error());
    if (*member) bundle.members.push_back(**member);
  }
  if (bundle.members.size() < members.size())
    return fail(ErrorKind::kIo, request.output + ": was not completed");
  sort_members(bundle);
  return bundle;
}

}  // namespace pgo
