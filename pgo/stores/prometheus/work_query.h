// How much work hosts did in a window, such as requests served, by a range query to Prometheus: the
// units of work of `pgo verify`.
//
//   prometheus::WorkQuery query = {"http://prometheus:9090", "sum by (instance) (requests_total)"};
//   PGO_TRY(auto work, prometheus::ask_for_work(query, options_from_environment(), diagnostics));
//
// The query gives counters, or rates per second. Of a counter, the growth counts; when it falls, it
// was reset, and what it then shows has grown since. Prometheus can only see that in counters that
// are not summed, so the query is to leave them apart by instance. A rate is added up over time.
// Series that do not reach through the whole window are an error: what they miss would look like a
// release that does less work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/stores/prometheus/range_answer.h"

namespace pgo::prometheus {

enum class WorkKind : uint8_t { kCounter, kRate };

struct WorkQuery {
  std::string url;    // of the server; /api/v1/query_range is added
  std::string query;  // in PromQL
  WorkKind kind = WorkKind::kCounter;
  // Milliseconds since 1970.
  int64_t begin = 0, end = 0;
};

struct PrometheusOptions {
  net::HttpOptions http = {};
  std::string authorization = {};  // "Bearer TOKEN", "Basic BASE64"; empty: none, or that of netrc
};

// The authorization of PRODPGO_PROMETHEUS_TOKEN, or of PRODPGO_PROMETHEUS_USER and
// PRODPGO_PROMETHEUS_PASSWORD. Error: kUsage when only one of these two is set, or both kinds are.
Result<PrometheusOptions> options_from_environment();

struct SeriesWork {
  Labels labels;
  double work = 0;  // above 0

  bool operator==(const SeriesWork&) const = default;
};

// At which times the query is evaluated: at `points` times, every `step` ms, from `begin` on. The
// last one is the end of the window, or less than `points` ms before.
struct TimeGrid {
  int64_t begin = 0, step = 0;
  int64_t points = 0;

  int64_t end() const { return begin + step * (points - 1); }
};
// Every 15 s, or about 2 000 times where that would be more often. The window is 2 ms or longer.
TimeGrid time_grid(int64_t begin, int64_t end);

// The work of one series. Errors: kInput for gaps, negative values, and counters that fall again
// and again; kEmpty for no work.
Result<double> work_of(const Series& series, WorkKind kind, const TimeGrid& grid,
                       const std::string& name);

// Sorted by labels; at least one. Errors: as above; kUsage for a window or a query that cannot be;
// kEmpty when the query gives nothing; kIo.
Result<std::vector<SeriesWork>> ask_for_work(const WorkQuery& query,
                                             const PrometheusOptions& options,
                                             Diagnostics& diagnostics);

}  // namespace pgo::prometheus
