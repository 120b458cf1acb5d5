// Bundle: a directory of profiles that were chosen from a source, with `bundle.json`, which says of
// each where it comes from and how much it counts.
//
//   PGO_TRY(std::optional<Bundle> bundle, read_bundle("queryd.bundle"));   nothing: has none
//
// Members are files below the directory. Weights have a common denominator, so that whole weights
// follow from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/profile/weight.h"
#include "pgo/source/source.h"

namespace pgo {

inline constexpr const char* kBundleName = "bundle.json";

struct BundleMember {
  std::string path;            // below the directory, with '/'; never absolute, without ".."
  std::string digest;          // "sha256:<64 hexadecimal digits>" of the file
  std::string source, object;  // which source it comes from, and its name there
  Labels labels;
  std::optional<TimeWindow> window;
  Weight weight;
  std::vector<std::string> builds;  // build IDs with samples, in hexadecimal; most samples first
  uint64_t samples = 0;

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

// Nothing when `directory` has no bundle.json. Errors: kInput for what is no bundle of this
// version, for paths that leave the directory, and for more than 64 MB; kIo.
Result<std::optional<Bundle>> read_bundle(const std::string& directory);

// `name` is for messages. O(size).
Result<Bundle> parse_bundle(std::string_view text, const std::string& name);

// The text of bundle.json: the same for equal bundles.
std::string bundle_text(const Bundle& bundle);

}  // namespace pgo
