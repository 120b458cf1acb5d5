#include "pgo/stores/s3/aws_time.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace pgo::s3 {

namespace {

constexpr int64_t kSecondsOfDay = 86'400;

// Takes numbers and characters off the front of a text.
class TimeFields {
 public:
  explicit TimeFields(std::string_view text) : text_(text) {}

  // A number of exactly so many digits.
  int64_t number(size_t digits) {
    int64_t value = 0;
    if (text_.size() < digits) ok_ = false;
    for (size_t i = 0; ok_ && i < digits; ++i) {
      if (text_[i] < '0' || text_[i] > '9') ok_ = false;
      value = value * 10 + (text_[i] - '0');
    }
    if (ok_) text_.remove_prefix(digits);
    return ok_ ? value : 0;
  }
  void expect(std::string_view text) {
    ok_ = ok_ && text_.starts_with(text);
    if (ok_) text_.remove_prefix(text.size());
  }
  std::string_view take(size_t count) {
    ok_ = ok_ && text_.size() >= count;
    if (!ok_) return {};
    std::string_view taken = text_.substr(0, count);
    text_.remove_prefix(count);
    return taken;
  }
  bool done() const { return ok_ && text_.empty(); }

 private:
  std::string_view text_;
  bool ok_ = true;
};

struct CalendarTime {
  int64_t year, month, day, hour, minute, second;
};

// A leap second is the first second of the next minute.
std::optional<int64_t> seconds_of(const CalendarTime& time) {
  using namespace std::chrono;
  const year_month_day date(year(static_cast<int>(time.year)),
                            month(static_cast<unsigned>(time.month)),
                            day(static_cast<unsigned>(time.day)));
  if (!date.ok() || time.year < 1970 || time.hour > 23 || time.minute > 59 || time.second > 60)
    return std::nullopt;
  return sys_days(date).time_since_epoch().count() * kSecondsOfDay + time.hour * 3600 +
         time.minute * 60 + time.second;
}

}  // namespace

std::string basic_time(int64_t seconds) {
  using namespace std::chrono;
  constexpr int64_t kLast = 253'402'300'799;  // of the year 9999
  seconds = std::clamp<int64_t>(seconds, 0, kLast);
  const year_month_day date(sys_days(days(seconds / kSecondsOfDay)));
  const int64_t of_day = seconds % kSecondsOfDay;
  char text[64];
  std::snprintf(text, sizeof text, "%04d%02u%02uT%02d%02d%02dZ", int(date.year()),
                unsigned(date.month()), unsigned(date.day()), int(of_day / 3600),
                int(of_day / 60 % 60), int(of_day % 60));
  return text;
}

std::optional<int64_t> parse_http_date(std::string_view text) {
  static constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  TimeFields fields(text);
  fields.take(3);
  fields.expect(", ");
  CalendarTime time{};
  time.day = fields.number(2);
  fields.expect(" ");
  const std::string_view month = fields.take(3);
  fields.expect(" ");
  time.year = fields.number(4);
  fields.expect(" ");
  time.hour = fields.number(2);
  fields.expect(":");
  time.minute = fields.number(2);
  fields.expect(":");
  time.second = fields.number(2);
  fields.expect(" GMT");
  const size_t at = month.empty() ? kMonths.npos : kMonths.find(month);
  if (!fields.done() || at == kMonths.npos || at % 3 != 0) return std::nullopt;
  time.month = static_cast<int64_t>(at / 3 + 1);
  return seconds_of(time);
}

}  // namespace pgo::s3
