// Units of work that a server measured (pgo/stores/prometheus), as those of the members of a side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/diff/member_units.h"
#include "pgo/source/source.h"

namespace pgo {

// Of one series of the answer.
struct MeasuredWork {
  Labels labels;
  double work = 0;
};

struct SideUnits {
  double total = 0;                  // of the side; 0: `members` says it
  std::vector<MemberUnits> members;  // by host
};

// The host of a series is its label "host", or "instance" without the port; series of one host are
// added up. With a `label`, a series has its value too. One series without a
// host is that of the whole side. `query` is for messages. Errors: kUsage for several series of
// which some have no host, and for series without `label`.
Result<SideUnits> side_units(const std::vector<MeasuredWork>& works, const std::string& label,
                             const std::string& query);

// "2026-11-20T10:00/2026-11-20T12:00". `option` is for messages. Error: kUsage.
Result<TimeWindow> parse_window(const char* option, std::string_view text);

}  // namespace pgo
