#include "pgo/stores/prometheus/range_answer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "pgo/base/json_nesting.h"
#include "pgo/base/time_text.h"

namespace pgo::prometheus {
namespace {

using nlohmann::json;

constexpr size_t kMaxDepth = 16;
constexpr size_t kShownText = 300;   // of what the server says
constexpr double kMaxSeconds = 9e9;  // a time whose nanoseconds are an int64_t

// The member of an object; nothing when it is missing, or when `object` is none.
const json* member(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string text_of(const json* value) {
  if (!value || !value->is_string()) return {};
  std::string text = value->get_ref<const std::string&>().substr(0, kShownText);
  for (char& letter : text)
    if (letter >= 0 && letter < ' ') letter = ' ';
  return text;
}

Failure no_answer(const std::string& name) {
  return fail(ErrorKind::kInput, name + ": the server did not answer as Prometheus does",
              "check the URL: /api/v1/query_range is added to it");
}

std::optional<double> number_of(const json& value) {
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

Result<void> read_labels(const json* metric, Series& series, const std::string& name) {
  if (!metric || !metric->is_object()) return no_answer(name);
  for (const auto& [key, value] : metric->items()) {
    if (!value.is_string()) return no_answer(name);
    series.labels.emplace(key, value.get_ref<const std::string&>());
  }
  return ok();
}

Result<void> read_points(const json* values, Series& series, const std::string& name) {
  if (!values || !values->is_array()) return no_answer(name);
  for (const json& pair : *values) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number()) return no_answer(name);
    const double seconds = pair[0].get<double>();
    if (!(seconds >= 0 && seconds < kMaxSeconds)) return no_answer(name);
    const int64_t time = std::llround(seconds * 1000);
    if (!series.points.empty() && series.points.back().time >= time) return no_answer(name);
    const std::optional<double> value = number_of(pair[1]);
    if (!value)
      return fail(ErrorKind::kInput, name + ": " + series.shown() + " at " +
                                         format_time(time * 1'000'000) + " is not a finite number");
    series.points.push_back({time, *value});
  }
  return ok();
}

}  // namespace

std::string Series::shown() const {
  std::string text = "{";
  for (const auto& [key, value] : labels)
    text += (text.size() == 1 ? "" : ", ") + key + "=\"" + value + '"';
  return text + "}";
}

Result<RangeAnswer> parse_range_answer(std::string_view text, const std::string& name) {
  if (is_json_nested_deeper(text, kMaxDepth)) return no_answer(name);
  const json answer = json::parse(text, nullptr, false);
  const std::string status = text_of(member(answer, "status"));
  if (status == "error")
    return fail(ErrorKind::kUsage, name + ": the server refuses the query (" +
                                       text_of(member(answer, "errorType")) +
                                       "): " + text_of(member(answer, "error")));
  const json* data = member(answer, "data");
  if (status != "success" || !data) return no_answer(name);
  const json* result = member(*data, "result");
  if (text_of(member(*data, "resultType")) != "matrix" || !result || !result->is_array())
    return no_answer(name);
  if (result->size() > kMaxSeries)
    return fail(ErrorKind::kInput,
                name + ": the query gives more than " + std::to_string(kMaxSeries) + " series",
                "sum them by host");

  RangeAnswer range;
  for (const json& one : *result) {
    Series series;
    PGO_CHECK(read_labels(member(one, "metric"), series, name));
    if (member(one, "histograms"))
      return fail(ErrorKind::kUnsupported,
                  name + ": " + series.shown() + " is a native histogram, not a number",
                  "ask for histogram_count() of it");
    PGO_CHECK(read_points(member(one, "values"), series, name));
    range.series.push_back(std::move(series));
  }
  std::sort(range.series.begin(), range.series.end(),
            [](const Series& a, const Series& b) { return a.labels < b.labels; });
  const auto twice =
      std::adjacent_find(range.series.begin(), range.series.end(),
                         [](const Series& a, const Series& b) { return a.labels == b.labels; });
  if (twice != range.series.end()) return no_answer(name);
  if (const json* warnings = member(answer, "warnings"); warnings && warnings->is_array())
    for (const json& warning : *warnings) range.warnings.push_back(text_of(&warning));
  return range;
}

}  // namespace pgo::prometheus
