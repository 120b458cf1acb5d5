// Origins: of how many profiles something was made, with which labels, and of which time. A summary
// that stays small whatever is merged.
//
// The one hard idea: nothing may depend on the order of add(). Of more keys or values than it
// keeps, those stay that sort first: a value that is left out has so many before it in any larger
// sum, too. So all that is kept is exact.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "pgo/base/labels.h"

namespace pgo {

struct Origins {
  static constexpr size_t kMaxKeys = 32, kMaxValues = 64, kMaxText = 200;

  // Nanoseconds since 1970, from `begin` on, before `end`.
  struct Window {
    int64_t begin = 0, end = 0;
    bool operator==(const Window&) const = default;
  };
  struct Values {
    uint64_t profiles = 0;  // that have the label; those of values that were left out, too
    std::map<std::string, uint64_t, std::less<>> of;  // profiles by value

    bool operator==(const Values&) const = default;
  };

  uint64_t profiles = 0;  // with a label or a window
  std::optional<Window> window;
  std::map<std::string, Values, std::less<>> labels;  // by key

  // `count` profiles with these labels. Texts longer than kMaxText bytes are cut.
  static Origins of(const Labels& its_labels, std::optional<Window> its_window, uint64_t count = 1);

  bool empty() const { return profiles == 0; }
  // Sums stop at the largest number. O(texts).
  void add(const Origins& other);
  // What is said of all these profiles by whoever keeps them: what they do not say themselves.
  void complete(const Origins& of_all);
  // The labels that all these profiles have, with one value each.
  Labels shared_labels() const;
  bool operator==(const Origins&) const = default;
};

}  // namespace pgo
