// Where two source profiles differ: every count that one has and the other has not, or has other.
//
//   ProfileDifference difference = find_differences(ours.profile, theirs.profile);
//   if (difference.identical()) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pgo {

class SourceProfile;

struct CountDifference {
  std::string function;  // the function that the profile is of, whatever is inlined there
  // "total", "head" (calls of it), "checksum" (of a function with probes), "2.1" (line offset or
  // probe, and discriminator), "2.1 calls g", and with
  // the functions that were inlined: "2.1 > g > 4".
  std::string place;
  std::optional<uint64_t> first, second;  // nothing: not in that profile

  // By how much they differ; what is not there counts as 0.
  uint64_t size() const;
};

struct ProfileDifference {
  uint64_t functions = 0;                    // in either profile
  uint64_t different_functions = 0;          // of these, with a difference
  uint64_t counts = 0;                       // compared
  std::vector<CountDifference> differences;  // largest first; equal ones by function and place
  bool flow_sensitivity_differs = false;
  bool probes_differ = false;  // one counts by line, one by probe

  bool identical() const {
    return differences.empty() && !flow_sensitivity_differs && !probes_differ;
  }
};

// A function that only one profile has is one difference, of its total. O(n log n) for n counts.
ProfileDifference find_differences(const SourceProfile& first, const SourceProfile& second);

}  // namespace pgo
