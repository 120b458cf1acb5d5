#include "pgo/report/ratio_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/report/json_text.h"

namespace pgo {

const char* outcome_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass: return "pass";
    case Outcome::kFail: return "fail";
    case Outcome::kInconclusive: return "inconclusive";
  }
  return "";
}

std::string size_text(double change) {
  if (!std::isfinite(change)) return "any amount";
  return format_decimal(100 * std::abs(change), 1) + " %";
}

std::string range_text(const verify::RatioInterval& interval) {
  const double low = interval.low - 1, high = interval.high - 1;
  if (size_text(low) == "0.0 %" && size_text(high) == "0.0 %") return "the same";
  if (high <= 0) return size_text(high) + " to " + size_text(low) + " less";
  if (low >= 0) return size_text(low) + " to " + size_text(high) + " more";
  return size_text(low) + " less to " + size_text(high) + " more";
}

std::string change_text(double ratio) {
  const double change = ratio - 1;
  if (!std::isfinite(change)) return "new";
  const std::string size = size_text(change);
  if (size == "0.0 %") return size;
  return (change > 0 ? "+" : "-") + size;
}

std::string times_text(double times, const std::string& what) {
  constexpr double kMost = 1000;  // above, the exact number says no more
  if (times > kMost) return "more than 1 000 times as many " + what + " are needed to decide";
  return "about " + format_count(static_cast<uint64_t>(whole_number(std::ceil(times)))) +
         " times as many " + what + " are needed to decide";
}

nlohmann::json interval_json(const verify::RatioInterval& interval) {
  return {finite_json(interval.low), finite_json(interval.high)};
}

}  // namespace pgo
