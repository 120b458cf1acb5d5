#include "pgo/diff/side_argument.h"

#include <fnmatch.h>

#include <filesystem>
#include <string_view>
#include <system_error>

namespace pgo {
namespace {

std::string unescape(std::string_view text) {
  constexpr std::string_view kEscape = "%23";
  std::string plain;
  while (!text.empty()) {
    size_t at = text.find(kEscape);
    plain += text.substr(0, at);
    if (at == text.npos) break;
    plain += '#';
    text.remove_prefix(at + kEscape.size());
  }
  return plain;
}

}  // namespace

bool LabelCondition::holds(std::string_view value) const {
  return ::fnmatch(pattern.c_str(), std::string(value).c_str(), 0) == 0;
}

Result<SideArgument> parse_side_argument(const std::string& argument) {
  std::error_code none;
  size_t hash = argument.find('#');
  if (std::filesystem::exists(argument, none)) return SideArgument{argument, {}};
  if (hash == argument.npos) return SideArgument{unescape(argument), {}};
  SideArgument side{unescape(std::string_view(argument).substr(0, hash)), {}};
  std::string_view rest = std::string_view(argument).substr(hash + 1);
  for (;;) {
    std::string_view condition = rest.substr(0, rest.find(','));
    size_t equals = condition.find('=');
    if (equals == condition.npos || equals == 0)
      return fail(ErrorKind::kUsage,
                  argument + ": '" + std::string(condition) +
                      "' is not a condition; KEY=PATTERN is expected after '#', as in "
                      "merged.pb.gz#version=1.42,host=web-*; write %23 for a '#' in a file name");
    side.conditions.push_back(
        {unescape(condition.substr(0, equals)), unescape(condition.substr(equals + 1))});
    if (condition.size() == rest.size()) return side;
    rest.remove_prefix(condition.size() + 1);
  }
}

}  // namespace pgo
