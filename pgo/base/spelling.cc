#include "pgo/base/spelling.h"

#include <algorithm>
#include <numeric>

namespace pgo {
namespace {

// Letters to insert, remove or replace. `row` holds the distances of the beginnings of `b`.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); j++) {
      size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  constexpr size_t kLongest = 64;  // a longer one is no slip of the fingers
  if (word.size() > kLongest) return "";
  const std::string* nearest = nullptr;
  size_t least = std::max<size_t>(1, word.size() / 4) + 1;
  for (const std::string& one : known) {
    size_t distance = edit_distance(word, one);
    if (distance >= least) continue;
    least = distance;
    nearest = &one;
  }
  return nearest == nullptr ? "" : "; did you mean " + *nearest + "?";
}

}  // namespace pgo
