#include "pgo/cli/arguments/fetch_words.h"

#include <charconv>

#include "pgo/base/time_text.h"

namespace pgo {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// A whole number, and what follows it.
std::optional<uint64_t> parse_leading_number(std::string_view& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

}  // namespace

std::optional<uint64_t> parse_byte_size(std::string_view text) {
  const std::optional<uint64_t> number = parse_leading_number(text);
  if (!number || *number == 0) return std::nullopt;
  if (text.ends_with("iB"))
    text.remove_suffix(2);
  else if (text.ends_with('B'))
    text.remove_suffix(1);
  constexpr std::string_view kUnits = "KMGT";
  unsigned shift = 0;
  if (!text.empty()) {
    const size_t unit = kUnits.find(text[0]);
    if (text.size() != 1 || unit == kUnits.npos) return std::nullopt;
    shift = 10 * static_cast<unsigned>(unit + 1);
  }
  if (*number > (~uint64_t{0} >> shift)) return std::nullopt;
  return *number << shift;
}

std::optional<int64_t> parse_moment(std::string_view text, int64_t now) {
  if (const std::optional<int64_t> ago = parse_duration(text))
    return *ago <= now ? std::optional(now - *ago) : std::nullopt;
  // "2026-11-26T13": an hour, as labels and names have it.
  constexpr size_t kHourLength = std::string_view("2026-11-26T13").size();
  return parse_time(text.size() == kHourLength ? std::string(text) + ":00" : std::string(text));
}

Result<std::optional<TimeWindow>> parse_fetch_window(const std::string& from, const std::string& to,
                                                     const std::string& last, int64_t now) {
  constexpr const char* kExpected =
      ": expected a time such as 2026-11-26T13:00:00Z, or how long "
      "ago, such as 7d";
  if (from.empty() && to.empty() && last.empty()) return std::optional<TimeWindow>();
  if (!last.empty()) {
    if (!from.empty() || !to.empty())
      return fail(ErrorKind::kUsage, "--last goes without --from and --to");
    const std::optional<int64_t> length = parse_duration(last);
    if (!length || *length == 0 || *length > now)
      return fail(ErrorKind::kUsage,
                  "--last " + last + ": expected a duration such as 90s, 10m, 6h, 7d or 2w");
    return std::optional(TimeWindow{now - *length, now});
  }
  TimeWindow window{0, now};
  if (!from.empty()) {
    const std::optional<int64_t> time = parse_moment(from, now);
    if (!time) return fail(ErrorKind::kUsage, "--from " + from + kExpected);
    window.begin = *time;
    if (window.begin >= now)
      return fail(ErrorKind::kUsage, "--from " + from + ": is in the future; it is " +
                                         format_time(now / kSecond * kSecond) + " now");
  }
  if (!to.empty()) {
    const std::optional<int64_t> time = parse_moment(to, now);
    if (!time) return fail(ErrorKind::kUsage, "--to " + to + kExpected);
    window.end = *time;
  }
  if (window.begin >= window.end)
    return fail(ErrorKind::kUsage, "the window " + format_time(window.begin) + " to " +
                                       format_time(window.end) + " ends before it begins");
  return std::optional(window);
}

}  // namespace pgo
