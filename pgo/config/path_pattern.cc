#include "pgo/config/path_pattern.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "pgo/config/wildcards.h"

namespace pgo {
namespace {

constexpr std::string_view kAnyDirectories = "**";
constexpr size_t kMostComponents = 63;
constexpr size_t kLongestPattern = 1024;

// Calls add(part) for each part between slashes that is not empty.
template <typename Add>
void for_each_part(std::string_view path, const Add& add) {
  while (!path.empty()) {
    std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    if (!part.empty()) add(part);
  }
}

}  // namespace

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> components;
  for_each_part(path, [&](std::string_view part) {
    if (part == ".") return;
    if (part != "..") return components.push_back(part);
    if (!components.empty()) components.pop_back();
  });
  if (components.size() > kMostComponents)
    components.erase(components.begin(), components.end() - kMostComponents);
  return components;
}

Result<PathPattern> PathPattern::parse(std::string_view text) {
  if (text.size() > kLongestPattern)
    return fail(ErrorKind::kInput,
                "is longer than " + std::to_string(kLongestPattern) + " characters");
  if (text.starts_with('!'))
    return fail(ErrorKind::kInput, "begins with '!', but patterns cannot be negated");
  if (text.find_first_of("[]") != text.npos)
    return fail(ErrorKind::kInput, "has '[' or ']', but patterns have no ranges of characters");
  PathPattern pattern;
  for_each_part(text, [&](std::string_view part) {
    const bool repeats = part == kAnyDirectories && !pattern.parts_.empty() &&
                         pattern.parts_.back() == kAnyDirectories;
    if (!repeats) pattern.parts_.emplace_back(part);
  });
  if (pattern.parts_.empty()) return fail(ErrorKind::kInput, "names nothing");
  if (pattern.parts_.back() == kAnyDirectories) {
    pattern.parts_.pop_back();
    pattern.rest_ = Rest::kSome;
  } else if (text.ends_with('/')) {
    pattern.rest_ = Rest::kSome;
  } else if (pattern.parts_.back() == "*") {
    pattern.rest_ = Rest::kNone;
  }
  return pattern;
}

// Bit i of `ends` is set if the parts so far match up to component i, from any before it on.
bool PathPattern::matches(std::span<const std::string_view> components) const {
  components = components.last(std::min(components.size(), kMostComponents));
  const size_t count = components.size();
  const uint64_t all = (uint64_t{1} << count) - 1;
  uint64_t ends = all;
  for (const std::string& part : parts_) {
    if (part == kAnyDirectories) {
      ends = ends == 0 ? 0 : ~((ends & -ends) - 1) & all;
      continue;
    }
    uint64_t next = 0;
    for (uint64_t left = ends & all; left != 0; left &= left - 1) {
      const int at = std::countr_zero(left);
      if (matches_wildcards(part, components[static_cast<size_t>(at)]))
        next |= uint64_t{1} << (at + 1);
    }
    ends = next;
  }
  const uint64_t whole = uint64_t{1} << count;
  switch (rest_) {
    case Rest::kNone: return (ends & whole) != 0;
    case Rest::kAny: return ends != 0;
    case Rest::kSome: return (ends & all) != 0;
  }
  return false;
}

}  // namespace pgo
