// How much work the members of a side did, for costs per unit of work.
#pragma once

#include <cstdint>
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
  // Where members are divided by a label: one of its values. Then `member` may be empty, for units
  // of the whole side.
  std::string stratum = {};
};

// Sets the units of members that have samples. `names` are the paths of their files. Each entry of
// `given` is shared out equally among the members that it names; without entries, `total` is, among
// all. Warns of entries that name no member.
// Errors: kUsage for a member without an entry, for two entries of one name, and for units that are
// not between 1e-9 and 1e18. O(members log entries).
Result<void> assign_units(const std::vector<MemberUnits>& given, double total,
                          const std::vector<std::string>& names, const std::string& side,
                          std::vector<verify::Member>& members, Diagnostics& diagnostics);

// Of each member of a side: the stratum of its samples, and the member that it is a part of.
struct SideStrata {
  std::vector<std::string> strata;
  std::vector<uint32_t> wholes;
};

// The same where members are divided by the values of `label`: they are parts of wholes, each with
// one stratum. `names` are those of wholes. Parts without the label (kNoLabel) have no units. If
// none of the wholes that an entry names has samples of its stratum, each gets a part of weight 0.
// Error: kUsage also for a part without an entry, and for entries of both members and the side.
// O(strata * wholes + members).
Result<void> assign_stratum_units(const std::vector<MemberUnits>& given, const std::string& label,
                                  const std::vector<std::string>& names, const std::string& side,
                                  std::vector<verify::Member>& members, SideStrata& strata,
                                  Diagnostics& diagnostics);

}  // namespace pgo
