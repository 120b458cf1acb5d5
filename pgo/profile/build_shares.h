// BuildShare: how much of a profile one build has. Profiles of several programs and hosts are told
// apart by it.
//
//   for (const BuildShare& build : list_builds(profile))
//     ... build.count of build.total is of the build build.id
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

struct BuildShare {
  std::string id = {};    // build ID in hexadecimal; empty: not known
  std::string path = {};  // of one of its files; empty: not known
  // In address profiles branch records, or the weight of PC samples where there are none; in stack
  // profiles how far from 0 the values of the sample type that is shown are. The total is of all
  // builds; negative values add to it without their sign.
  uint64_t count = 0, total = 0;
  bool is_negative = false;                     // in differences of stack profiles
  size_t traces = 0, addresses = 0, calls = 0;  // different ones, of address profiles
  uint64_t samples = 0;                         // different ones, of stack profiles

  bool operator==(const BuildShare&) const = default;
};

// By count, the largest first; equal ones as in the profile.
std::vector<BuildShare> list_builds(const AddressProfile& profile);
// By count, the largest first; equal ones by ID and path. A sample is of the build that its leaf is
// in; files without a build ID are told apart by path.
std::vector<BuildShare> list_builds(const StackProfile& profile);

}  // namespace pgo
