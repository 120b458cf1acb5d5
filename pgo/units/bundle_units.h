// Units of work of the members of bundles: what each host did in the windows of its profiles, as
// bundle.json has them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/diff/member_units.h"
#include "pgo/source/source.h"
#include "pgo/units/measured_units.h"

namespace pgo {

struct WindowedMember {
  std::string path;  // of its file
  std::string host;
  TimeWindow window;
};

// Of bundles. `option` is what gives the windows otherwise. Errors: kUsage for other inputs, for
// members whose window neither the store nor the profile tells, and for conditions ("#k=v"), which
// leave out members; those of read_bundle().
Result<std::vector<WindowedMember>> windowed_members(const std::vector<std::string>& inputs,
                                                     const char* option);

// Asks once for each window. The work of a host in a window is shared equally among its members of
// that window; work without a host, among all of them. Errors: kUsage for a host without work, for
// work without a host where different windows overlap, and for more than 1 000 windows; those of
// `ask`.
Result<std::vector<MemberUnits>> units_of_members(
    const std::vector<WindowedMember>& members,
    const std::function<Result<SideUnits>(const TimeWindow&)>& ask);

}  // namespace pgo
