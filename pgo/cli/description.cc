#include "pgo/cli/description.h"

#include <cstdio>

namespace pgo {

std::string format_size(uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  // Rounding to one digit must not give "1000.0 kB".
  for (; value >= (unit == 0 ? 1000 : 999.95) && unit + 1 < std::size(kUnits); unit++)
    value /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

std::string format_build_id(const std::string& hex) { return hex.empty() ? "none" : hex; }

}  // namespace pgo
