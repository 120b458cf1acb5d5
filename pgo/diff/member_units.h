// How much work the members of a side did, for costs per unit of work.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/verify/side.h"

namespace pgo {

// The units of work of a host or of a file.
struct MemberUnits {
  std::string member;  // the host, or the path or the name of the file
  double units = 0;
};

// By name. Errors: kUsage for two entries of one name, and for units that are not between 1e-9 and
// 1e18.
Result<std::map<std::string, double, std::less<>>> units_by_name(
    const std::vector<MemberUnits>& given);

// Sets the units of members that have samples. `names` are the paths of their files. Each entry of
// `given` is shared out equally among the members that it names; without entries, `total` is, among
// all. Warns of entries that name no member.
// Errors: kUsage for a member without an entry; those of units_by_name(). O(members log entries).
Result<void> assign_units(const std::vector<MemberUnits>& given, double total,
                          const std::vector<std::string>& names, const std::string& side,
                          std::vector<verify::Member>& members, Diagnostics& diagnostics);

}  // namespace pgo
