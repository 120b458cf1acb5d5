#include "pgo/base/time_text.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <limits>

namespace pgo {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Takes parts off the front of a text.
class TimeParts {
 public:
  explicit TimeParts(std::string_view text) : rest_(text) {}

  bool empty() const { return rest_.empty(); }
  bool take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A number of exactly so many digits, which is at most `max`.
  std::optional<int> number(size_t digits, int max) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    for (size_t i = 0; i < digits; i++) {
      if (rest_[i] < '0' || rest_[i] > '9') return std::nullopt;
      value = value * 10 + (rest_[i] - '0');
    }
    if (value > max) return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }
  // Decimals of a second, in nanoseconds; further ones do not count.
  std::optional<int64_t> decimals() {
    int64_t value = 0, unit = kSecond / 10;
    size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; digits++) {
      value += (rest_[digits] - '0') * unit;
      unit /= 10;
    }
    if (digits == 0) return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }

 private:
  std::string_view rest_;
};

// In seconds; what stands for no zone is UTC.
std::optional<int64_t> zone_offset(TimeParts& parts) {
  if (parts.empty() || parts.take('Z') || parts.take('z')) return 0;
  const int sign = parts.take('+') ? 1 : parts.take('-') ? -1 : 0;
  std::optional<int> hours = parts.number(2, 23);
  if (sign == 0 || !hours || !parts.take(':')) return std::nullopt;
  std::optional<int> minutes = parts.number(2, 59);
  if (!minutes) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

// In nanoseconds since midnight, before the zone.
std::optional<int64_t> time_of_day(TimeParts& parts) {
  std::optional<int> hour = parts.number(2, 23);
  if (!hour || !parts.take(':')) return std::nullopt;
  std::optional<int> minute = parts.number(2, 59);
  if (!minute) return std::nullopt;
  int64_t time = (*hour * 3600 + *minute * 60) * kSecond;
  if (!parts.take(':')) return time;
  std::optional<int> second = parts.number(2, 60);
  if (!second) return std::nullopt;
  time += *second * kSecond;
  if (!parts.take('.')) return time;
  std::optional<int64_t> decimals = parts.decimals();
  if (!decimals) return std::nullopt;
  return time + *decimals;
}

}  // namespace

std::string format_time(int64_t nanoseconds) {
  namespace chrono = std::chrono;
  int64_t seconds = nanoseconds / kSecond, decimals = nanoseconds % kSecond;
  if (decimals < 0) {
    seconds--;
    decimals += kSecond;
  }
  const chrono::sys_seconds time{chrono::seconds(seconds)};
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss<chrono::seconds> clock(time - day);
  char text[80];
  int length = std::snprintf(
      text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()));
  std::string result(text, static_cast<size_t>(length));
  if (decimals != 0) {
    length = std::snprintf(text, sizeof text, ".%09d", static_cast<int>(decimals));
    result.append(text, static_cast<size_t>(length));
  }
  return result + "Z";
}

std::optional<int64_t> parse_time(std::string_view text) {
  namespace chrono = std::chrono;
  TimeParts parts(text);
  std::optional<int> year = parts.number(4, 2262);
  if (!year || *year < 1970 || !parts.take('-')) return std::nullopt;
  std::optional<int> month = parts.number(2, 12);
  if (!month || !parts.take('-')) return std::nullopt;
  std::optional<int> day = parts.number(2, 31);
  if (!day) return std::nullopt;
  const chrono::year_month_day date(chrono::year(*year),
                                    chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  int64_t time = 0, offset = 0;
  if (!parts.empty()) {
    if (!parts.take('T') && !parts.take('t') && !parts.take(' ')) return std::nullopt;
    std::optional<int64_t> of_day = time_of_day(parts);
    std::optional<int64_t> zone = of_day ? zone_offset(parts) : std::nullopt;
    if (!zone || !parts.empty()) return std::nullopt;
    time = *of_day;
    offset = *zone;
  }
  __extension__ using Wide = __int128;
  const Wide days = chrono::sys_days(date).time_since_epoch().count();
  const Wide result = days * 86400 * kSecond + time - Wide{offset} * kSecond;
  if (result < 0 || result > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return static_cast<int64_t>(result);
}

std::optional<int64_t> parse_duration(std::string_view text) {
  constexpr int64_t kLongest = int64_t{36'525} * 24 * 3600;  // in seconds
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end + 1 != text.data() + text.size()) return std::nullopt;
  int64_t unit = 0;
  switch (*end) {
    case 's': unit = 1; break;
    case 'm': unit = 60; break;
    case 'h': unit = 3600; break;
    case 'd': unit = int64_t{24} * 3600; break;
    case 'w': unit = int64_t{7} * 24 * 3600; break;
    default: return std::nullopt;
  }
  if (number > static_cast<uint64_t>(kLongest / unit)) return std::nullopt;
  return static_cast<int64_t>(number) * unit * kSecond;
}

}  // namespace pgo
