// LabelRules: which labels of samples stay, and under which key. Samples that differ in labels that
// go become one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace pgo {

struct LabelRules {
  // Only these stay when given; "*" in `dropped`: none stays.
  std::optional<std::set<std::string, std::less<>>> kept;
  std::set<std::string, std::less<>> dropped;
  std::map<std::string, std::string, std::less<>> renamed;  // old key -> new one; done last

  // The key that a label gets, or nothing when it goes.
  std::optional<std::string_view> key_for(std::string_view key) const {
    if (dropped.contains(key) || dropped.contains("*")) return std::nullopt;
    if (kept && !kept->contains(key)) return std::nullopt;
    auto found = renamed.find(key);
    return found == renamed.end() ? key : std::string_view(found->second);
  }
  bool operator==(const LabelRules&) const = default;
};

}  // namespace pgo
