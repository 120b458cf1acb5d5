// The builds that an address profile is of, and how much of it each has.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/profile/address_profile.h"

namespace pgo {

struct AddressBuild {
  std::string id, path;           // id: empty when it has none
  uint64_t count = 0, total = 0;  // of branch records, or of plain samples where there are none
  size_t traces = 0, ips = 0, calls = 0;  // different ones
};

// By count, the largest first; equal ones as in the profile.
std::vector<AddressBuild> list_builds(const AddressProfile& profile);
// "61.5 % in build c0ffee… (/bin/server)".
std::string describe_build(const AddressBuild& build);
nlohmann::json builds_json(const AddressProfile& profile);

}  // namespace pgo
