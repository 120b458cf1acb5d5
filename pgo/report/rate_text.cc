#include "pgo/report/rate_text.h"

#include <cmath>
#include <cstdio>

namespace pgo {
namespace {

// "2.81 µs": up to four significant digits, in the largest unit that gives at least 1.
std::string time_text(double nanoseconds) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
  const Unit* unit = kUnits;
  while (unit->size > 1 && std::abs(nanoseconds) < unit->size) unit++;
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.4g %s", nanoseconds / unit->size, unit->name);
  return digits;
}

}  // namespace

std::string verdict_word(const verify::RowComparison& row) {
  switch (row.verdict) {
    case verify::Verdict::kChanged: return row.difference() > 0 ? "more" : "less";
    case verify::Verdict::kNoise: return "noise";
    case verify::Verdict::kTooThin: return "thin";
    case verify::Verdict::kOnlySamplingKnown: return "sampling only";
  }
  return "";
}

std::string RateText::interval(const verify::RowComparison& row) const {
  verify::DifferenceInterval ends = row.difference_interval(kShownLevel);
  if (!std::isfinite(ends.low) || !std::isfinite(ends.high)) return "";
  return difference(ends.low) + " to " + difference(ends.high);
}

std::string RateText::text(double value, const char* sign) const {
  char digits[64];
  if (result_.measure == verify::Measure::kShare) {
    const double percent = std::round(10000 * value) / 100;
    std::snprintf(digits, sizeof digits, "%s%.2f %%", percent == 0 ? "" : sign,
                  percent == 0 ? 0 : percent);
    return digits;
  }
  if (result_.unit == "nanoseconds") return sign + time_text(value);
  std::snprintf(digits, sizeof digits, "%s%.6g", sign, value);
  return digits;
}

}  // namespace pgo
