#include "pgo/base/number_text.h"

#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>

namespace pgo {
namespace {

// "1234567" as "1 234 567".
std::string grouped(std::string digits) {
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ' ');
  return digits;
}

}  // namespace

std::string format_share(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

std::string format_percent(uint64_t part, uint64_t whole) {
  return format_share(whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
}

std::string format_count(uint64_t count) { return grouped(std::to_string(count)); }

std::string format_count(uint64_t count, std::string_view one, std::string_view several) {
  return format_count(count) + ' ' + std::string(count == 1 ? one : several);
}

std::string format_count(uint64_t count, std::string_view one) {
  return format_count(count, one, std::string(one) + 's');
}

int64_t whole_number(double value) {
  if (!(value > 0)) return 0;
  if (value >= 9223372036854775807.0) return std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(value + .5);
}

std::string format_decimal(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string format_amount(double amount) {
  constexpr double kLarge = 99.995;  // from here on, two decimals give "100.00"
  if (!(amount >= kLarge)) return format_decimal(amount, 2);
  size_t zeros = 0;
  for (; amount >= 999.5 && std::isfinite(amount); zeros++) amount /= 10;
  return grouped(std::to_string(whole_number(amount)) + std::string(zeros, '0'));
}

std::string format_hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

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

}  // namespace pgo
