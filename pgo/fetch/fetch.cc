#include "pgo/fetch/fetch.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/number_text.h"
#include "pgo/base/parallel.h"
#include "pgo/base/time_text.h"
#include "pgo/fetch/bundle_members.h"
#include "pgo/fetch/bundle_writer.h"
#include "pgo/fetch/cached_fetch.h"
#include "pgo/fetch/fleet_figures.h"
#include "pgo/profile/fetch_thresholds.h"
#include "pgo/profile/label_limits.h"
#include "pgo/profile/quality.h"
#include "pgo/profile/sample_value.h"
#include "pgo/source/blob_cache.h"

namespace pgo {
namespace {

// One fetch, step by step.
class Fetching {
 public:
  explicit Fetching(const FetchRequest& request) : request_(request) {}

  Result<FetchResult> run();

 private:
  Result<std::vector<Candidate>> list();
  Result<Selection> select(std::vector<Candidate> listed);
  Result<void> download(const Selection& selection);
  void inspect();
  Result<void> check_types();
  void leave_out_copies();
  void leave_out_other_profiles();
  void warn_of_lost_parts();
  Result<void> judge();
  Result<void> write();

  void exclude(const Candidate& candidate, Exclusion why, const Error& error);
  // Excludes the profiles for which `reason` has one.
  template <typename Reason>
  void exclude_if(Exclusion why, const Reason& reason);
  std::string when(const Candidate& candidate) const;
  Failure nothing_left() const;

  const FetchRequest& request_;
  std::optional<BlobCache> cache_;  // keeps the blobs of the profiles until the bundle is written
  FetchResult result_;
};

// " (asked for: from 2026-11-26T10:00:00Z to ...)", to stand behind a message.
std::string Fetching::when(const Candidate& candidate) const {
  if (request_.query.window) return " (asked for: " + describe_window(*request_.query.window) + ")";
  if (candidate.recorded.evidence != TimeEvidence::kNone)
    return " (recorded " + format_time(candidate.recorded.time) + ")";
  return "";
}

void Fetching::exclude(const Candidate& candidate, Exclusion why, const Error& error) {
  std::string text = error.message;
  // Errors of files begin with their path.
  const size_t colon = text.find(": ");
  if (colon != text.npos && text.substr(0, colon).ends_with("/" + candidate.object.name) &&
      !text.starts_with(candidate.source_name))
    text = text.substr(colon + 2);
  if (!text.starts_with(candidate.source_name)) text = candidate.shown() + ": " + text;
  result_.excluded.push_back(
      {why, candidate.source_name, candidate.object.name, text + when(candidate), error.advice});
}

template <typename Reason>
void Fetching::exclude_if(Exclusion why, const Reason& reason) {
  std::erase_if(result_.profiles, [&](const FetchedProfile& profile) {
    const std::optional<Error> error = reason(profile);
    if (error) exclude(profile.candidate, why, *error);
    return error.has_value();
  });
}

Result<std::vector<Candidate>> Fetching::list() {
  std::vector<Candidate> listed;
  std::vector<Error> errors;
  SourceQuery query = request_.query;
  // Where runs begin is known from what comes before the window.
  if (query.window) query.window->begin -= request_.skip_after_start;
  for (size_t i = 0; i < request_.sources.size(); i++) {
    Source& source = *request_.sources[i];
    report_progress(request_.progress, {"listing", i, request_.sources.size(), "sources"});
    ListedSource& its = result_.sources.emplace_back();
    its.name = source.name();
    Result<std::vector<SourceObject>> objects = source.list(query, result_.diagnostics);
    if (!objects) {
      its.error = objects.error();
      errors.push_back(objects.error());
      continue;
    }
    its.listed = objects->size();
    for (SourceObject& object : *objects)
      listed.push_back(Candidate::of(i, source.name(), std::move(object)));
  }
  const bool has_failed = request_.missing == MissingAction::kFail ||  // one is enough
                          errors.size() == request_.sources.size();
  if (has_failed && !errors.empty()) return fail(errors[0]);
  for (const Error& error : errors) result_.diagnostics.warn("source-not-listed", error.message);
  return listed;
}

Result<Selection> Fetching::select(std::vector<Candidate> listed) {
  const size_t count = listed.size();
  const std::string others = describe_values_instead(listed, request_.query.labels);
  PGO_TRY(FilteredCandidates filtered,
          filter_candidates(std::move(listed), {.window = request_.query.window,
                                                .labels = request_.query.labels,
                                                .skip_after_start = request_.skip_after_start,
                                                .busiest = request_.busiest,
                                                .traffic = request_.traffic}));
  result_.not_asked = filtered.left_out;
  result_.eligible = filtered.kept.size();
  if (filtered.kept.empty()) {
    std::string names;
    for (const ListedSource& source : result_.sources)
      names += (names.empty() ? "" : ", ") + source.name;
    const std::string window =
        request_.query.window ? " (" + describe_window(*request_.query.window) + ")" : "";
    if (count == 0) {
      const bool lists_all =
          std::all_of(request_.sources.begin(), request_.sources.end(),
                      [](const Source* source) { return source->lists_all_times(); });
      if (!lists_all)
        return fail(ErrorKind::kEmpty, names + ": found no profiles" + window,
                    "check the window, the service and the labels");
      return fail(ErrorKind::kEmpty, names + ": found no profiles of any time",
                  "are the path and the prefix right?");
    }
    const std::string none =
        count == 1 ? "the only profile" : "none of " + format_count(count, "profile");
    return fail(ErrorKind::kEmpty,
                names + ": " + none + (count == 1 ? " does not match" : " matches") +
                    " the request: " + describe_not_asked(result_.not_asked) + window,
                others);
  }
  Selection selection = choose_profiles(std::move(filtered.kept), request_.selection);
  result_.detail = selection.detail;
  result_.left_out = selection.left_out;
  result_.left_out_bytes = selection.left_out_bytes;
  result_.chosen = selection.chosen.size();
  for (const Stratum& stratum : selection.strata)
    result_.strata.push_back({.stratum = stratum, .answered = stratum.chosen});
  for (const Candidate& candidate : selection.too_large)
    exclude(candidate, Exclusion::kTooLarge,
            {ErrorKind::kInput, "has " + format_size(candidate.object.size.value_or(0)) +
                                    ", more than \xFF{max-bytes} of all profiles"});
  for (const ChosenCandidate& one : selection.chosen)
    result_.hours[one.candidate.recorded.evidence]++;
  return selection;
}

Result<void> Fetching::download(const Selection& selection) {
  PGO_TRY(BlobCache cache, BlobCache::open(request_.cache, {.max_bytes = request_.cache_bytes}));
  PGO_TRY(CachedObjects fetched, fetch_through_cache(request_.sources, selection.chosen, cache,
                                                     {.max_bytes = request_.selection.max_bytes,
                                                      .progress = request_.progress}));
  result_.downloaded = fetched.downloaded;
  result_.downloaded_bytes = fetched.downloaded_bytes;
  result_.found = fetched.found;
  result_.found_bytes = fetched.found_bytes;
  result_.diagnostics.add(fetched.diagnostics);
  for (size_t i = 0; i < selection.chosen.size(); i++) {
    const ChosenCandidate& chosen = selection.chosen[i];
    const Result<Blob>& blob = fetched.blobs[i];
    if (!blob) {
      const bool is_large = fetched.too_large.contains(i);
      exclude(chosen.candidate, is_large ? Exclusion::kTooLarge : Exclusion::kNotFetched,
              blob.error());
      result_.strata[chosen.stratum].answered--;
      continue;
    }
    FetchedProfile& profile = result_.profiles.emplace_back();
    profile.candidate = chosen.candidate;
    profile.path = blob->path;
    profile.digest = blob->digest;
    profile.size = blob->size;
    profile.stratum = chosen.stratum;
  }
  Result<void> trimmed = cache.trim();
  cache_.emplace(std::move(cache));
  return trimmed;
}

// Where the source and the samples name different values, the source decides. The host name of a
// recording is the machine's, which may well run several hosts, so it contradicts nothing.
void warn_of_other_labels(const FetchedProfile& profile, Diagnostics& diagnostics) {
  if (profile.inspected.format == Format::kPerfData) return;
  for (const auto& [key, text] : profile.inspected.labels) {
    const auto listed = profile.candidate.object.labels.find(key);
    if (listed == profile.candidate.object.labels.end() || listed->second == text) continue;
    diagnostics.warn(kContradictedLabels, profile.candidate.shown() + ": is listed with the " +
                                              key + " " + listed->second +
                                              ", but its samples have the " + key + " " + text +
                                              "; it counts as " + listed->second);
  }
}

Exclusion exclusion_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kEmpty: return Exclusion::kEmpty;
    case ErrorKind::kMismatch: return Exclusion::kOtherType;
    case ErrorKind::kUnsupported:
    case ErrorKind::kUsage: return Exclusion::kUnsupported;
    case ErrorKind::kIo: return Exclusion::kNotFetched;
    default: return Exclusion::kDamaged;
  }
}

void Fetching::inspect() {
  std::vector<FetchedProfile> fetched = std::move(result_.profiles);
  std::mutex mutex;
  uint64_t done = 0;
  const std::vector<Result<InspectedProfile>> inspected =
      parallel_map(fetched.size(), request_.jobs, [&](size_t i) {
        Result<InspectedProfile> one = inspect_profile(
            fetched[i].path, fetched[i].candidate.shown(),
            {.sample_type = request_.query.sample_type, .allowed_labels = request_.allowed_labels});
        const std::lock_guard lock(mutex);
        report_progress(request_.progress, {"reading", ++done, fetched.size(), "profiles"});
        return one;
      });
  result_.profiles.clear();
  for (size_t i = 0; i < fetched.size(); i++) {
    if (!inspected[i]) {
      const Exclusion why = exclusion_of(inspected[i].error().kind);
      exclude(fetched[i].candidate, why, inspected[i].error());
      if (is_missing(why)) result_.strata[fetched[i].stratum].answered--;
      continue;
    }
    FetchedProfile& profile = result_.profiles.emplace_back(std::move(fetched[i]));
    profile.inspected = *inspected[i];
    profile.labels = profile.candidate.object.labels;
    for (const auto& [key, text] : profile.inspected.labels) profile.labels.try_emplace(key, text);
    for (const std::string& key : drop_user_labels(profile.labels, request_.allowed_labels))
      result_.diagnostics.warn(
          kUserLabels, user_labels_text("the listing of " + profile.candidate.source_name, {key}));
    warn_of_other_labels(profile, result_.diagnostics);
    result_.diagnostics.add(profile.inspected.diagnostics);
  }
}

// Equal bytes are no two recordings of a host, and none at all where they tell their time: copies
// of a profile are listed, below several paths or in several stores. Those of hosts that differ, as
// folded stacks of a few samples may be equal by chance. The stratum of a copy has answered:
// it counts as often as its profiles are listed.
void Fetching::leave_out_copies() {
  using Reason = std::optional<Error>;
  std::map<std::pair<std::string, std::string>, std::string> known;  // names by digest and host
  exclude_if(Exclusion::kSameContents, [&](const FetchedProfile& profile) {
    const std::string host = profile.inspected.window ? "" : host_label_of(profile.labels);
    const auto [first, is_new] =
        known.emplace(std::pair(profile.digest, host), profile.candidate.shown());
    if (is_new) return Reason();
    result_.diagnostics.warn(kSameContents, profile.candidate.shown() +
                                                ": has the same contents as " + first->second +
                                                ", so both count once");
    return Reason({ErrorKind::kMismatch, "has the same contents as " + first->second});
  });
}

// What a store has taken from its profiles, or was never given.
void Fetching::warn_of_lost_parts() {
  const auto warn = [&](size_t index, const char* kind, LostPart part,
                        double InspectedProfile::* share, const std::string& consequence) {
    const Source& source = *request_.sources[index];
    const std::string remedy = source.how_to_keep(part);
    double total = 0, lost = 0;
    for (const FetchedProfile& profile : result_.profiles) {
      if (profile.candidate.source != index) continue;
      total += profile.inspected.total;
      lost += profile.inspected.total * profile.inspected.*share;
    }
    if (remedy.empty() || !(lost >= thresholds::kLostShare * total) || total <= 0) return;
    result_.diagnostics.warn(kind, source.name() + ": " + format_share(lost / total) +
                                       " of the samples " + consequence + "; " + remedy);
  };
  for (size_t i = 0; i < request_.sources.size(); i++) {
    warn(i, kLostAddresses, LostPart::kAddresses, &InspectedProfile::without_address,
         "have no addresses, so they count by function and line (evidence function-and-line), and "
         "BOLT cannot use them");
    warn(i, kLostBuildIds, LostPart::kBuildIds, &InspectedProfile::without_build_id,
         "are of files without a build ID, so which build ran is not known, and only a file's name "
         "can match them with a binary");
  }
}

// What only the profiles themselves tell.
void Fetching::leave_out_other_profiles() {
  using Reason = std::optional<Error>;
  exclude_if(Exclusion::kOtherLabel, [&](const FetchedProfile& profile) {
    for (const auto& [key, text] : request_.query.labels) {
      auto found = profile.labels.find(key);
      if (found == profile.labels.end())
        return Reason({ErrorKind::kMismatch, "has no label '" + key + "'",
                       "\xFF{path-template} takes labels from paths"});
      if (found->second != text)
        return Reason({ErrorKind::kMismatch, "has the " + key + " " + found->second});
    }
    return Reason();
  });
  // Its own time says more than a name, and than when it was stored.
  exclude_if(Exclusion::kOtherWindow, [&](const FetchedProfile& profile) {
    const RecordedTime& recorded = profile.candidate.recorded;
    const std::optional<TimeWindow>& own = profile.inspected.window;
    if (!request_.query.window || recorded.evidence == TimeEvidence::kNone) return Reason();
    const bool is_own = own && recorded.evidence != TimeEvidence::kStore;
    if (request_.query.window->contains(is_own ? own->begin : recorded.time)) return Reason();
    if (is_own) return Reason({ErrorKind::kMismatch, "was recorded " + describe_window(*own)});
    if (recorded.evidence == TimeEvidence::kName)
      return Reason({ErrorKind::kMismatch,
                     "has no time of its own, and its name tells only the hour " + recorded.hour,
                     "\xFF{from} " + recorded.hour + " includes this hour"});
    return Reason({ErrorKind::kMismatch, "has no time of its own; the time in the store is " +
                                             format_time(recorded.time)});
  });
  exclude_if(Exclusion::kOtherBuild, [&](const FetchedProfile& profile) {
    if (!request_.build) return Reason();
    for (const InspectedBuild& build : profile.inspected.builds)
      if (std::optional<BuildId> id = BuildId::from_hex(build.id);
          id && id->matches(*request_.build))
        return Reason();
    return Reason({ErrorKind::kMismatch, "has no samples of the build " + request_.build->hex()});
  });
}

// Recordings of the clock, and by single steps, which pgo convert uses together.
bool is_timed_recording(const InspectedProfile& profile) {
  if (profile.format != Format::kPerfData && profile.format != Format::kAddressProfile)
    return false;
  const std::string_view event = std::string_view(profile.type).substr(0, profile.type.rfind('/'));
  return is_clock(event) || event == kSteppedEvent;
}

// Where some profiles count time on the CPU, the others are of no use; else all must count one
// thing.
Result<void> Fetching::check_types() {
  const bool has_cpu_time =
      std::any_of(result_.profiles.begin(), result_.profiles.end(),
                  [](const FetchedProfile& profile) { return profile.inspected.counts_cpu_time; });
  if (request_.query.sample_type.empty() && has_cpu_time)
    exclude_if(Exclusion::kOtherType, [&](const FetchedProfile& profile) {
      if (profile.inspected.counts_cpu_time) return std::optional<Error>();
      return std::optional<Error>({ErrorKind::kMismatch,
                                   "counts " + profile.inspected.type + ", and not time on the CPU",
                                   "name what you want with \xFF{sample-type}"});
    });
  std::map<std::string, uint64_t> types;
  for (const FetchedProfile& profile : result_.profiles) types[profile.inspected.type]++;
  const bool are_one_thing =
      types.size() < 2 ||
      std::all_of(
          result_.profiles.begin(), result_.profiles.end(),
          [](const FetchedProfile& one) { return is_timed_recording(one.inspected); });
  std::string names, list;
  for (const auto& [type, count] : types) {
    names += (names.empty() ? "" : " and ") + type;
    list += (list.empty() ? "" : ", ") + type + " (" + format_count(count, "profile") + ")";
  }
  if (are_one_thing) {
    result_.sample_type = names;
    return ok();
  }
  return fail(ErrorKind::kMismatch, "the profiles count different things: " + list,
              "choose one with \xFF{sample-type}");
}

// Weights, builds, outliers; then the figures of what is left.
Result<void> Fetching::judge() {
  using Reason = std::optional<Error>;
  PGO_CHECK(set_weights(request_.weights, request_.traffic, result_));
  result_.builds = find_program_builds(result_.profiles, request_.old_builds);
  exclude_if(Exclusion::kSmallOldBuild, [&](const FetchedProfile& profile) {
    for (const ProgramBuild& build : result_.builds)
      if (build.is_left_out && build.id == profile.inspected.program)
        return Reason({ErrorKind::kMismatch,
                       "is of the build " + build.id + ", which has " + format_share(build.share) +
                           " of the samples and ended hours before a larger one"});
    return Reason();
  });
  compare_profiles(result_);
  if (request_.outliers == OutlierAction::kDrop)
    exclude_if(Exclusion::kOutlier, [&](const FetchedProfile& profile) {
      if (!profile.peers || !profile.peers->is_outlier) return Reason();
      return Reason(
          {ErrorKind::kMismatch, describe_outlier(*profile.peers, profile.inspected.leaves)});
    });
  PGO_CHECK(set_weights(request_.weights, request_.traffic, result_));
  find_figures(result_);
  result_.failed_limits = find_failed_limits(request_.limits, result_);
  warn_of_gaps(result_);
  return ok();
}

Result<void> Fetching::write() {
  // Merging takes long, and makes no file: a signal may end it.
  std::vector<MergedMember> merged;
  const bool is_merged = request_.form == BundleForm::kMerged;
  if (is_merged) {
    Diagnostics of_merge;
    PGO_TRY(merged, merge_members(request_, result_, of_merge));
    result_.diagnostics.add(of_merge);
  }
  DeferredTermination termination;
  PGO_TRY(BundleWriter writer, BundleWriter::begin(request_.output));
  PGO_TRY(result_.bundle, is_merged ? write_merged_members(request_, result_, merged, writer)
                                    : write_members(request_, result_, termination, writer));
  PGO_CHECK(writer.commit(result_.bundle));
  result_.is_written = true;
  return ok();
}

Failure Fetching::nothing_left() const {
  const std::vector<ExcludedProfile>& excluded = result_.excluded;
  if (excluded.empty()) return fail(ErrorKind::kEmpty, "no profile was chosen");
  const bool are_all_empty =
      std::all_of(excluded.begin(), excluded.end(),
                  [](const ExcludedProfile& one) { return one.why == Exclusion::kEmpty; });
  const std::string first = excluded[0].text;
  if (excluded.size() == 1) return fail(ErrorKind::kEmpty, first, excluded[0].advice);
  return fail(ErrorKind::kEmpty,
              (are_all_empty ? "none of " + format_count(excluded.size(), "profile") +
                                   " has samples in this window; the first: "
                             : "none of " + format_count(excluded.size(), "profile") +
                                   " can be used; the first: ") +
                  first,
              excluded[0].advice);
}

Result<FetchResult> Fetching::run() {
  if (!request_.output.empty()) PGO_CHECK(check_bundle_target(request_.output));
  PGO_TRY(std::vector<Candidate> listed, list());
  PGO_TRY(Selection selection, select(std::move(listed)));
  PGO_CHECK(download(selection));
  inspect();
  leave_out_other_profiles();
  leave_out_copies();
  PGO_CHECK(check_types());
  if (result_.profiles.empty()) return nothing_left();
  if (const uint64_t missing = result_.missing();
      missing > 0 && request_.missing == MissingAction::kFail)
    return fail(ErrorKind::kIo, describe_missing(result_));
  PGO_CHECK(judge());
  if (result_.profiles.empty()) return nothing_left();
  warn_of_lost_parts();
  if (result_.failed_limits.empty() && !request_.output.empty()) PGO_CHECK(write());
  return std::move(result_);
}

}  // namespace

bool is_missing(Exclusion why) { return why <= Exclusion::kUnsupported; }

uint64_t FetchResult::missing() const {
  return static_cast<uint64_t>(
      std::count_if(excluded.begin(), excluded.end(),
                    [](const ExcludedProfile& one) { return is_missing(one.why); }));
}

std::string describe_window(const TimeWindow& window) {
  return "from " + format_time(window.begin) + " to " + format_time(window.end);
}

Result<FetchResult> fetch(const FetchRequest& request) {
  if (request.sources.empty()) return fail(ErrorKind::kUsage, "there is no source");
  std::map<std::string, std::string> names;  // by identity
  for (const Source* source : request.sources) {
    const auto [first, is_new] = names.emplace(source->identity(), source->name());
    if (is_new) continue;
    const bool is_same_name = first->second == source->name();
    return fail(ErrorKind::kUsage,
                source->name() +
                    (is_same_name ? ": is given twice" : ": is the same place as " + first->second),
                "name each source once");
  }
  return Fetching(request).run();
}

}  // namespace pgo
