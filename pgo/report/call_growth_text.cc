#include "pgo/report/call_growth_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"

namespace pgo {
namespace {

// From here on, "1.8 times" is easier to read than "80 % more".
constexpr double kTimes = 1.5;

// Whole per cent: the counts of calls are not more certain.
std::string percent(double ratio) { return format_decimal(100 * std::abs(ratio - 1), 0) + " %"; }

std::string calls_text(double ratio) {
  if (ratio >= kTimes) return format_decimal(ratio, 1) + " times as many calls";
  if (percent(ratio) == "0 %") return "as many calls";
  return percent(ratio) + (ratio > 1 ? " more calls" : " fewer calls");
}

std::string cost_per_call_text(double ratio) {
  if (ratio >= kTimes) return "each " + format_decimal(ratio, 1) + " times as expensive";
  if (percent(ratio) == "0 %") return "each as expensive as before";
  return "each " + percent(ratio) + (ratio > 1 ? " more expensive" : " cheaper");
}

}  // namespace

std::string call_growth_text(const CallGrowth& growth) {
  return calls_text(growth.calls) + ", " + cost_per_call_text(growth.cost_per_call);
}

std::vector<Phrase> call_growth_lines(const VerifyResult& result) {
  std::vector<Phrase> lines;
  for (const GrownFunction& function : result.functions.grown)
    if (function.calls)
      lines.push_back(Phrase::code(shown_name(result.comparison.rows[function.row].key.name)) +
                      ": " + call_growth_text(*function.calls));
  return lines;
}

nlohmann::json call_growth_json(const GrownFunction& function) {
  if (!function.calls) return nlohmann::json::object();
  return {{"calls_growth", function.calls->calls},
          {"cost_per_call_growth", function.calls->cost_per_call}};
}

}  // namespace pgo
