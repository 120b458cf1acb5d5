// The builds that a profile of stacks is of: how much of it each has, by where its samples were.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/profile/stack_profile.h"

namespace pgo {

struct StackBuild {
  std::string id;                 // empty: none is known
  std::string path;               // of one of its files; empty: outside of all mappings
  uint64_t value = 0, total = 0;  // of the last sample type, which is pprof's default
  uint64_t samples = 0;
};

// By value, the largest first; equal ones by id and path.
std::vector<StackBuild> list_builds(const StackProfile& profile);
// "61.5 % in build c0ffee… (/bin/server)".
std::string describe_build(const StackBuild& build);
nlohmann::json builds_json(const StackProfile& profile);
// The sum of each sample type, by its name.
nlohmann::json totals_json(const StackProfile& profile);

}  // namespace pgo
