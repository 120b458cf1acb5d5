#include "pgo/cli/merge_inputs.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace pgo {
namespace {

// Digits; at most kMostInWeight, so that no product with one wraps round.
constexpr uint64_t kMostInWeight = 1'000'000;

std::optional<uint64_t> parse_whole(std::string_view text) {
  uint64_t value = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || value > kMostInWeight)
    return std::nullopt;
  return value;
}

}  // namespace

Result<Weight> parse_weight(const std::string& text) {
  std::string_view rest = text;
  size_t sign = std::min(rest.find_first_of("/."), rest.size());
  std::optional<uint64_t> first = parse_whole(rest.substr(0, sign)), second = 1;
  if (sign < rest.size()) second = parse_whole(rest.substr(sign + 1));
  std::optional<Weight> weight;
  if (first && second && sign < rest.size() && rest[sign] == '.') {
    uint64_t scale = 1;
    for (size_t i = sign + 1; i < rest.size() && scale < kMostInWeight; i++) scale *= 10;
    if (rest.size() - sign - 1 <= 6 && *first < kMostInWeight / scale)
      weight = Weight{*first * scale + *second, scale};
  } else if (first && second && *second > 0) {
    weight = Weight{*first, *second};
  }
  if (weight && weight->numerator == 0)
    return fail(ErrorKind::kUsage,
                "'" + text +
                    "' is no weight: it must be more than 0; to leave a file out, name the others "
                    "as inputs, or in an @LIST");
  if (weight) return *weight;
  return fail(ErrorKind::kUsage,
              "'" + text +
                  "' is no weight: a number such as 3, 0.25 or 3/2 is expected, of up to "
                  "1000000 parts");
}

std::optional<std::string> explain_by_weight(const std::map<std::string, Weight>& weights) {
  auto found = std::find_if(weights.begin(), weights.end(), [](const auto& weight) {
    return weight.second.numerator < weight.second.denominator;
  });
  if (found == weights.end()) return std::nullopt;
  const auto& [path, weight] = *found;
  return "nothing is left: the inputs count nothing, or what they count is rounded to 0, as "
         "--weight " +
         path + "=" + std::to_string(weight.numerator) + "/" + std::to_string(weight.denominator) +
         " is below 1; weights of 1 and more lose nothing";
}

Weight MergeInputs::weight_of(size_t file) const {
  auto found = weights_.find(files_[file].path);
  return found == weights_.end() ? Weight() : found->second;
}

size_t MergeInputs::worker_count() const {
  return std::min<size_t>(resolve_jobs(jobs_), files_.size());
}

}  // namespace pgo
