// ServiceConfig: one [service.NAME] of pgo.toml: what `pgo refresh` makes for a service, from what,
// and what it must reach. docs/reference/config.md describes the keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/profile/quality.h"

namespace pgo {

// A text of pgo.toml that names something else, and its place: "pgo.toml:2:14".
struct PlacedText {
  std::string text, place;

  bool empty() const { return text.empty(); }
  bool operator==(const PlacedText&) const = default;
};

enum class ServiceOutput : uint8_t { kLlvm, kLlvmText, kBolt, kGcc, kGcc13, kGo };

// Whether a pinned profile for the compiler stays while the build that it made is recorded for
// BOLT.
enum class CompileProfilePolicy : uint8_t { kKeep, kRenew };

// Whether the build that a BOLT profile is of becomes a file of the version.
enum class RecordedBuildPolicy : uint8_t { kPush, kOmit };

// Whether a BOLT profile is pinned whose counts were inferred, for builds with a compile profile.
enum class InferredBoltPolicy : uint8_t { kOmit, kPush };

// What a new profile must reach to be pinned; percentages are from 0 to 100.
struct ServiceGates {
  std::optional<double> density, hosts, samples;
  std::optional<double> halves;       // overlap of two halves of the samples
  std::optional<double> match;        // of the current build with the new profile
  std::optional<double> overlap;      // at least, with the pinned profile
  std::optional<double> max_overlap;  // above it, nothing changed that is worth a pin
  // At most: of the samples in programs and libraries, those in files that no archive has.
  std::optional<double> missing_builds;
  std::optional<Quality> quality;
  std::vector<Evidence> evidence;  // any of these; empty: any at all

  bool operator==(const ServiceGates&) const = default;
};

struct ServiceConfig {
  std::string name, place;
  std::vector<PlacedText> sources, binaries, current_builds;
  PlacedText registry, lock, path_template;
  Labels labels;
  std::string sample_type, configuration;
  int64_t last = 0;  // nanoseconds; 0: all that the source has
  std::optional<uint64_t> max_profiles;
  std::vector<ServiceOutput> outputs;
  CompileProfilePolicy compile_profile = CompileProfilePolicy::kKeep;
  RecordedBuildPolicy recorded_build = RecordedBuildPolicy::kPush;
  InferredBoltPolicy inferred_bolt = InferredBoltPolicy::kOmit;
  uint64_t blend_previous = 0;  // how many earlier profiles are added to the new one
  ServiceGates gates;

  std::vector<std::string> current_build_paths() const {
    std::vector<std::string> paths;
    for (const PlacedText& build : current_builds) paths.push_back(build.text);
    return paths;
  }
};

}  // namespace pgo
