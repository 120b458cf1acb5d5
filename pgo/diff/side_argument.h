// SideArgument: an input of a side, with what its samples must have:
// "merged.pb.gz#version=1.42,host=web-*".
//
// After the first '#' come conditions KEY=PATTERN, separated by commas; all must hold. A pattern is
// the shell's: * and ? and [a-z]. A file of exactly that name wins over all of this, and "%23" is a
// '#' that is a part of a name.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

struct LabelCondition {
  std::string key, pattern;

  bool holds(std::string_view value) const;
  auto operator<=>(const LabelCondition&) const = default;
};

struct SideArgument {
  std::string input;  // a file, directory, glob, @LIST or "-"
  std::vector<LabelCondition> conditions;

  bool operator==(const SideArgument&) const = default;
};

// Looks only whether a file has the whole name. Error: kUsage for what is no condition.
Result<SideArgument> parse_side_argument(const std::string& argument);

}  // namespace pgo
