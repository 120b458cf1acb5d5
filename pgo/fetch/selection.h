// Selection: which of many profiles are fetched so that they represent all of them.
//
//   Selection selection = choose_profiles(std::move(candidates), {.max_profiles = 500});
//   selection.chosen[0].stratum      an index into selection.strata
//
// The newest profiles are those of a few minutes; those with the first names are of a few hosts. So
// profiles are divided into strata: host, hour, zone, version and endpoint, as far as labels and
// times tell. The digest of its name ranks a profile within its stratum, which is as good as
// chance, and the same each time. Then profiles are taken in rounds: the first of each stratum, the
// second of each, until a limit is reached. Where a limit does not even suffice for one of each,
// the strata are made larger: without hosts, then without hours.
//
// Each profile of a stratum has the same chance to be chosen, whatever its host: chosen / listed.
// So its inverse is the weight with which the chosen ones represent all (fleet_weights.h).
//
// The same candidates give the same choice, whatever order they come in. O(n log n).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "pgo/fetch/candidate.h"

namespace pgo {

// What the profiles of a stratum have in common. Empty: not known, or of any.
struct StratumKey {
  std::string host, hour, zone, version, endpoint;

  auto operator<=>(const StratumKey&) const = default;
};

// By what strata differ, besides zone, version and endpoint.
enum class StratumDetail : uint8_t { kHostAndHour, kHour, kNeither };

struct SelectionLimits {
  uint64_t max_profiles = 5000;
  uint64_t max_bytes = uint64_t{8} << 30;  // of all; sizes that are not known count as 0
};

struct Stratum {
  StratumKey key;
  uint64_t listed = 0, listed_bytes = 0;
  uint64_t chosen = 0, chosen_bytes = 0;

  bool operator==(const Stratum&) const = default;
};

struct ChosenCandidate {
  Candidate candidate;
  size_t stratum = 0;  // index into Selection::strata
};

struct Selection {
  StratumDetail detail = StratumDetail::kHostAndHour;
  std::vector<Stratum> strata;          // sorted by key
  std::vector<ChosenCandidate> chosen;  // sorted by name
  std::vector<Candidate> too_large;     // larger than max_bytes alone; sorted
  // What a limit left out, besides these.
  uint64_t left_out = 0, left_out_bytes = 0;
};

// `candidates` are different objects.
Selection choose_profiles(std::vector<Candidate> candidates, const SelectionLimits& limits);

// The key of the stratum of a profile.
StratumKey stratum_key(const Candidate& candidate, StratumDetail detail);

// "host web-1, hour 2026-11-26T13, zone eu"; "all profiles" for a key without anything.
std::string describe_stratum(const StratumKey& key);

}  // namespace pgo
