// The answer to a range query of Prometheus's HTTP API, which Thanos, Mimir and VictoriaMetrics
// have too (https://prometheus.io/docs/prometheus/latest/querying/api/#range-queries):
//
//   {"status": "success", "warnings": ["..."],
//    "data": {"resultType": "matrix",
//             "result": [{"metric": {"instance": "web-1:9100"}, "values": [[1700000000,
//             "12.5"]]}]}}
//   {"status": "error", "errorType": "bad_data", "error": "..."}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"

namespace pgo::prometheus {

struct Point {
  int64_t time = 0;  // milliseconds since 1970
  double value = 0;  // finite

  bool operator==(const Point&) const = default;
};

struct Series {
  Labels labels;
  std::vector<Point> points;  // times increase

  // "{instance="web-1:9100", job="web"}"; "{}" without labels.
  std::string shown() const;

  bool operator==(const Series&) const = default;
};

struct RangeAnswer {
  std::vector<Series> series;         // sorted by their labels, which differ
  std::vector<std::string> warnings;  // of the server: of parts that it could not ask, say
};

inline constexpr size_t kMaxSeries = 100'000;

// `name` is for messages. Errors: kUsage for a query that the server refuses; kInput for what is no
// such answer, and for values that are not finite numbers.
Result<RangeAnswer> parse_range_answer(std::string_view json, const std::string& name);

}  // namespace pgo::prometheus
