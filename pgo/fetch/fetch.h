// fetch(): representative profiles out of stores, as a bundle.
//
//   FetchRequest request;
//   request.sources = {&source};
//   request.query.window = {begin, end};
//   request.output = "queryd.bundle";
//   PGO_TRY(FetchResult result, fetch(request));
//
// 1. Each source lists what it has; nothing is downloaded yet.
// 2. Of what is asked for, profiles are chosen so that they represent all of it (selection.h).
// 3. They come through the cache, and each is read (inspection.h). What cannot be used is left
//    out, with the reason.
// 4. Weights make the rest stand for all that was listed (fleet_weights.h); profiles that differ
//    from the others are reported (outliers.h).
// 5. The bundle is written, whole or not at all; not when a limit is not kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/fetch/candidate_filter.h"
#include "pgo/fetch/fleet_weights.h"
#include "pgo/fetch/inspection.h"
#include "pgo/fetch/outliers.h"
#include "pgo/fetch/selection.h"
#include "pgo/profile/quality.h"
#include "pgo/source/bundle.h"
#include "pgo/source/source.h"

namespace pgo {

enum class OutlierAction : uint8_t { kReport, kDrop };
// What becomes of small builds that ended long before a larger one (thresholds::kSmallBuildShare).
enum class OldBuildAction : uint8_t { kLeaveOut, kKeep };
// What a bundle has: the chosen profiles, or one merged profile for each build.
enum class BundleForm : uint8_t { kProfiles, kMerged };
// What profiles that are missing are: a warning, or an error.
enum class MissingAction : uint8_t { kWarn, kFail };

// What the result must reach; else no bundle is written.
struct FetchLimits {
  std::optional<double> profiles, hosts, samples;
  std::optional<double> overlap;  // of two halves, 0 to 1
  std::optional<double> missing;  // at most, 0 to 1 of the chosen profiles

  bool operator==(const FetchLimits&) const = default;
};

struct FetchRequest {
  std::vector<Source*> sources;  // one at least, each name once; outlive the call
  SourceQuery query;             // labels: "service", "version" and others
  std::optional<BuildId> build;  // only profiles with samples of it
  SelectionLimits selection;
  std::optional<uint64_t> busiest;
  int64_t skip_after_start = 0;  // nanoseconds
  WeightBy weights = WeightBy::kSample;
  std::vector<HostTraffic> traffic;
  OutlierAction outliers = OutlierAction::kReport;
  OldBuildAction old_builds = OldBuildAction::kLeaveOut;
  MissingAction missing = MissingAction::kWarn;
  BundleForm form = BundleForm::kProfiles;
  FetchLimits limits;
  LabelKeys allowed_labels;                // that are stored although they may name users
  std::vector<std::string> trimmed_paths;  // beginnings of source paths that are not stored
  std::string output;                      // the bundle
  std::string cache;                       // the directory of the cache
  uint64_t cache_bytes = uint64_t{20} << 30;
  std::string tool_version, path_template;  // for bundle.json
  unsigned jobs = 0;                        // threads that look into profiles; 0: all cores
  ProgressFn progress;
};

struct FetchedProfile {
  Candidate candidate;
  std::string path;  // of its blob in the cache
  std::string digest;
  uint64_t size = 0;
  bool is_downloaded = false;
  size_t stratum = 0;  // index into FetchResult::strata
  InspectedProfile inspected;
  Labels labels;  // of the source, and those of the profile that the source does not tell
  std::optional<PeerComparison> peers;
  Weight weight;
};

enum class Exclusion : uint8_t {
  // Missing: listed as a profile, and it cannot be used as one.
  kNotFetched,  // the source failed
  kTooLarge,
  kDamaged,      // empty, cut, or a web page
  kUnsupported,  // no profile: an error in JSON or as text, notes, another format
  // Not missing: a profile that was left out for what it is.
  kEmpty,          // no samples: its host was idle
  kOtherType,      // counts something else
  kOtherLabel,     // the profile has other labels than asked for, or none
  kOtherWindow,    // the profile was recorded at another time
  kOtherBuild,     // not the build that was asked for
  kSameContents,   // a copy of another, which is in the bundle
  kSmallOldBuild,  // thresholds::kSmallBuildShare
  kOutlier,
};

// Kinds of warnings.
inline constexpr const char *kSameContents = "same-contents",
                            *kContradictedLabels = "contradicted-labels",
                            *kLostAddresses = "lost-addresses", *kLostBuildIds = "lost-build-ids";

// Was a profile left out that should be there?
bool is_missing(Exclusion why);

struct ExcludedProfile {
  Exclusion why = Exclusion::kNotFetched;
  std::string source, object;
  std::string text;    // names the source, the object and the window
  std::string advice;  // may be empty
};

struct ListedSource {
  std::string name;
  uint64_t listed = 0;
  std::optional<Error> error;  // it could not be listed
};

struct ProgramBuild {
  std::string id;    // in hexadecimal; empty: not known
  std::string path;  // of its file, where it ran; empty: not known
  uint64_t profiles = 0;
  double share = 0;  // of the weighted samples, 0 to 1
  std::optional<TimeWindow> window;
  bool is_left_out = false;
};

struct FetchedStratum {
  Stratum stratum;
  // Of those that were chosen: without the missing ones; and in the bundle, with their samples.
  // A profile of another type, or without samples, has answered: others of its stratum may be like
  // it.
  uint64_t answered = 0;
  uint64_t used = 0, samples = 0;
};

// What two halves of the profiles have in common, 0 to 1.
struct HalvesOverlap {
  bool by_host = false;  // all profiles of a host are in one half
  double overlap = 0;
};

struct FetchResult {
  std::vector<ListedSource> sources;
  std::map<NotAsked, uint64_t> not_asked;
  StratumDetail detail = StratumDetail::kHostAndHour;
  std::vector<FetchedStratum> strata;
  std::map<TimeEvidence, uint64_t> hours;     // how many chosen profiles have their hour from it
  uint64_t eligible = 0;                      // listed and asked for
  uint64_t left_out = 0, left_out_bytes = 0;  // by a limit
  uint64_t chosen = 0;
  uint64_t downloaded = 0, downloaded_bytes = 0, found = 0, found_bytes = 0;

  std::vector<FetchedProfile> profiles;  // in the bundle, sorted by name
  std::vector<ExcludedProfile> excluded;
  std::vector<ProgramBuild> builds;  // the largest share first
  std::string sample_type;
  uint64_t samples = 0;
  std::set<std::string> hosts, cpu_models;
  std::optional<TimeWindow> window;        // of all profiles
  std::map<Evidence, uint64_t> evidence;   // profiles
  Quality quality = Quality::kUnknown;     // of all PC samples together
  std::optional<HalvesOverlap> halves;     // of the profiles; two at least
  std::vector<std::string> failed_limits;  // sentences; with any, no bundle was written
  bool is_written = false;
  Bundle bundle;
  Diagnostics diagnostics;

  uint64_t missing() const;  // of `excluded`
};

// Errors: kUsage for a request that contradicts itself, for a source that is given twice (its
// profiles would have equal paths in the bundle), and for an output that is no bundle; that
// of the first source when none can be listed; kEmpty when nothing is left; kMismatch when profiles
// count different kinds of time and none was chosen; kIo, and for MissingAction::kFail when
// something is missing; those of merge().
Result<FetchResult> fetch(const FetchRequest& request);

// "from 2026-11-26T10:00:00Z to 2026-11-26T11:00:00Z".
std::string describe_window(const TimeWindow& window);

}  // namespace pgo
