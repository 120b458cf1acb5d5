#include "pgo/base/spelling.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pgo {
namespace {

// Letters to insert, remove or replace, and neighbours to exchange. `row` holds the distances of
// the beginnings of `b` from that of `a` with i letters; `last` and `before` those of one and two
// fewer.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); i++) {
    before = std::move(last);
    last = std::move(row);
    row.assign(b.size() + 1, i);
    for (size_t j = 1; j <= b.size(); j++) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, row[j - 1] + 1, last[j] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
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

std::string spelling_advice(std::string_view word, const std::vector<std::string>& known,
                            const std::string& advice) {
  const std::string meant = did_you_mean(word, known);
  return meant.empty() ? advice : meant.substr(2) + " " + advice;
}

}  // namespace pgo
