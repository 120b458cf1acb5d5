#include "pgo/profile/origins.h"

#include <algorithm>
#include <iterator>

#include "pgo/base/utf8.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

// At a character's end.
std::string cut(const std::string& text) {
  std::string valid = valid_utf8(text);
  if (valid.size() <= Origins::kMaxText) return valid;
  size_t end = Origins::kMaxText;
  while (end > 0 && (static_cast<unsigned char>(valid[end]) & 0xc0) == 0x80) end--;
  return valid.substr(0, end);
}

template <typename Map>
void keep_first(Map& map, size_t count) {
  if (map.size() > count)
    map.erase(std::next(map.begin(), static_cast<std::ptrdiff_t>(count)), map.end());
}

void widen(std::optional<Origins::Window>& window, const std::optional<Origins::Window>& more) {
  if (!window)
    window = more;
  else if (more)
    window = {std::min(window->begin, more->begin), std::max(window->end, more->end)};
}

}  // namespace

Origins Origins::of(const Labels& its_labels, std::optional<Window> its_window, uint64_t count) {
  Origins origins;
  if (its_labels.empty() && !its_window) return origins;
  origins.profiles = count;
  origins.window = its_window;
  for (const auto& [key, value] : its_labels) {
    Values& values = origins.labels[cut(key)];
    if (values.profiles != 0) continue;  // another key that begins the same
    values.profiles = count;
    values.of[cut(value)] = count;
  }
  keep_first(origins.labels, kMaxKeys);
  return origins;
}

void Origins::add(const Origins& other) {
  profiles = saturating_add(profiles, other.profiles);
  widen(window, other.window);
  for (const auto& [key, more] : other.labels) {
    Values& values = labels[key];
    values.profiles = saturating_add(values.profiles, more.profiles);
    for (const auto& [value, count] : more.of) {
      uint64_t& sum = values.of[value];
      sum = saturating_add(sum, count);
    }
    keep_first(values.of, kMaxValues);
  }
  keep_first(labels, kMaxKeys);
}

void Origins::complete(const Origins& of_all) {
  if (empty()) {
    *this = of_all;
    return;
  }
  if (!window) window = of_all.window;
  for (const auto& [key, one] : of_all.labels) {
    auto [known, is_new] = labels.try_emplace(key, one);
    if (!is_new) continue;
    known->second.profiles = profiles;
    for (auto& [value, count] : known->second.of) count = profiles;
  }
  keep_first(labels, kMaxKeys);
}

Labels Origins::shared_labels() const {
  Labels shared;
  for (const auto& [key, values] : labels)
    if (values.of.size() == 1 && values.of.begin()->second == profiles)
      shared.emplace(key, values.of.begin()->first);
  return shared;
}

}  // namespace pgo
