// Bundle: a directory of profiles that were chosen from a source, with `bundle.json`, which says of
// each where it comes from and how much it counts (docs/reference/bundle.md).
//
//   PGO_TRY(std::optional<Bundle> bundle, read_bundle("queryd.bundle"));   nothing: has none
//
// Members are files below the directory. Weights have a common denominator, so that whole weights
// follow from them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/origins.h"
#include "pgo/profile/weight.h"
#include "pgo/source/source.h"

namespace pgo {

inline constexpr const char* kBundleName = "bundle.json";

// What a member was merged of.
struct MergedProfiles {
  uint64_t profiles = 0;
  // Of labels that not all of them have with one text: how many have each.
  std::map<std::string, std::map<std::string, uint64_t>> labels;

  bool operator==(const MergedProfiles&) const = default;
};

struct BundleMember {
  std::string path;            // below the directory, with '/'; never absolute, without ".."
  uint64_t size = 0;           // of the file, in bytes
  std::string digest;          // "sha256:<64 hexadecimal digits>" of the file
  std::string source, object;  // which source it comes from, and its name there
  Labels labels;
  std::optional<TimeWindow> window;
  TimeEvidence window_evidence = TimeEvidence::kNone;  // only of a window
  Weight weight;                                       // in lowest terms
  std::vector<std::string> builds;  // build IDs with samples, in hexadecimal; most samples first
  std::vector<uint64_t> build_samples;  // of each of `builds`; none: not known
  uint64_t samples = 0;
  std::optional<Accounting> accounting;  // of its samples: what counts of them, as far as known
  std::optional<MergedProfiles> merged;

  // Labels and window, of as many profiles as it was merged of.
  Origins origins() const;
  bool operator==(const BundleMember&) const = default;
};

struct Bundle {
  static constexpr uint64_t kVersion = 1;

  std::string tool_version;
  std::vector<std::string> sources;
  Labels query;  // what was asked for, in words of the command line: "service", "from", "to"
  std::vector<BundleMember> members;  // sorted by path

  bool operator==(const Bundle&) const = default;
};

// Nothing when `directory` has no bundle.json. Errors: kInput for what is no bundle, for paths that
// leave the directory, and for more than 64 MB; kUnsupported for a newer version; kIo. No member is
// opened.
Result<std::optional<Bundle>> read_bundle(const std::string& directory);

// `name` is for messages. O(size).
Result<Bundle> parse_bundle(std::string_view text, const std::string& name);

// The text of bundle.json: the same for equal bundles, whatever the order of members. Weights
// without a common denominator up to 10^9 are rounded to parts of which the largest has a million.
// Bytes that are no UTF-8 become U+FFFD, so paths of members must be UTF-8.
std::string bundle_text(const Bundle& bundle);

// The weights of all members as the smallest whole numbers with these ratios: 1/2, 3/4 -> 2, 3; the
// same rounding as in bundle_text().
std::vector<uint64_t> whole_weights(const Bundle& bundle);

// The weight of each member divided by the mean of all: they count 1 on average, so that profiles
// that all weigh the same count as they are. The same rounding as in bundle_text().
std::vector<RelativeWeight> relative_weights(const Bundle& bundle);

// May `path` be the path of a member: relative, without "..", ".", empty parts and control
// characters, and not bundle.json itself?
bool is_member_path(std::string_view path);

// Errors: kInput for a member that is not there, is no regular file below `directory` (links
// followed), or has another size. The digest is left to whoever reads it.
Result<void> check_member_file(const std::string& directory, const std::string& path,
                               uint64_t size);

// The error of a member, `file`, that has another digest.
Failure changed_member(const std::string& file);

// "store", "name", "modified", "none".
std::string_view time_evidence_name(TimeEvidence evidence);

}  // namespace pgo
