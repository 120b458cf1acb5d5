// The units of work of a side, such as requests served: a number, or a file with a number for each
// member.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/diff/member_units.h"

namespace pgo {

// A number above 0: "120000", "1.2e6".
bool parse_units(std::string_view text, double& units);

// What a line of the file is about.
enum class UnitsOf : uint8_t {
  kMembers,      // "HOST NUMBER": a host or file
  kLabelValues,  // "VALUE NUMBER", or "HOST VALUE NUMBER": a value of the label of --standardize
};

// Parses "NUMBER" into `total`, or the lines of FILE, of "@FILE", into `members`. Spaces or tabs
// separate the last word of a line; other names may contain spaces. Lines that are empty or begin
// with '#' do not count. `option` is for messages. Errors: kUsage; kInput for a line that is none
// of these; kEmpty; kIo.
Result<void> parse_units_argument(const char* option, const std::string& text, UnitsOf of,
                                  double& total, std::vector<MemberUnits>& members);

}  // namespace pgo
