#include "pgo/stores/prometheus/work_query.h"

#include <algorithm>

#include "pgo/base/time_text.h"
#include "pgo/net/http_url.h"
#include "pgo/net/percent_encoding.h"
#include "pgo/store_access/store_credentials.h"

namespace pgo::prometheus {
namespace {

constexpr int64_t kStep = 15'000;       // ms; how often Prometheus asks most services
constexpr int64_t kMaxSteps = 2'000;    // Prometheus itself refuses more than 11 000
constexpr uint64_t kMaxResets = 2;      // that any counter may have
constexpr uint64_t kStepsOfReset = 10;  // counters fall less often

std::string time_text(int64_t milliseconds) { return format_time(milliseconds * 1'000'000); }

// "1700000000.123"
std::string seconds_text(int64_t milliseconds) {
  std::string fraction = std::to_string(milliseconds % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return std::to_string(milliseconds / 1000) + "." + fraction;
}

// The first time of the grid that has no point; the points are all where that is the end.
Result<void> check_gaps(const Series& series, const TimeGrid& grid, const std::string& name) {
  size_t next = 0;
  for (int64_t i = 0; i < grid.points; i++) {
    const int64_t time = grid.begin + i * grid.step;
    if (next < series.points.size() && series.points[next].time == time) {
      next++;
      continue;
    }
    const bool ends = next == series.points.size();
    const int64_t until = ends ? grid.end() : series.points[next].time;
    if (until < time) break;
    return fail(ErrorKind::kInput,
                name + ": " + series.shown() + " has no values from " + time_text(time) + " to " +
                    time_text(until),
                "choose a window in which it has values throughout");
  }
  if (next == series.points.size()) return ok();
  return fail(ErrorKind::kInput,
              name + ": " + series.shown() + " has values at times that were not asked for");
}

// The way of a counter from its first to its last value.
Result<double> growth(const Series& series, const std::string& name) {
  const std::vector<Point>& points = series.points;
  double grown = 0;
  uint64_t resets = 0;
  for (size_t i = 1; i < points.size(); i++) {
    const double before = points[i - 1].value, after = points[i].value;
    resets += after < before;
    grown += after < before ? after : after - before;
  }
  if (resets > kMaxResets && resets > points.size() / kStepsOfReset)
    return fail(ErrorKind::kInput,
                name + ": " + series.shown() + " falls " + std::to_string(resets) +
                    " times in the window, so it is not a counter",
                "ask for a counter, or give the query as a rate per second");
  return grown;
}

double area(const Series& series) {
  const std::vector<Point>& points = series.points;
  double sum = 0;
  for (size_t i = 1; i < points.size(); i++)
    sum += (points[i - 1].value + points[i].value) / 2 *
           static_cast<double>(points[i].time - points[i - 1].time) / 1000;
  return sum;
}

Result<void> check_query(const WorkQuery& query) {
  if (query.query.empty()) return fail(ErrorKind::kUsage, "the query for units of work is empty");
  if (query.end - query.begin < 1000)
    return fail(ErrorKind::kUsage, "the window of units of work, " + time_text(query.begin) +
                                       " to " + time_text(query.end) +
                                       ", is shorter than a second");
  return ok();
}

}  // namespace

Result<PrometheusOptions> options_from_environment() {
  PrometheusOptions options;
  PGO_TRY(options.authorization,
          store_access::authorization_of("PRODPGO_PROMETHEUS", store_access::environment_variable));
  return options;
}

TimeGrid time_grid(int64_t begin, int64_t end) {
  const int64_t window = end - begin;
  const int64_t steps = std::clamp<int64_t>((window + kStep - 1) / kStep, 1, kMaxSteps);
  return {begin, window / steps, steps + 1};
}

Result<double> work_of(const Series& series, WorkKind kind, const TimeGrid& grid,
                       const std::string& name) {
  PGO_CHECK(check_gaps(series, grid, name));
  for (const Point& point : series.points)
    if (point.value < 0)
      return fail(ErrorKind::kInput, name + ": " + series.shown() + " is negative at " +
                                         time_text(point.time) + ", so it counts no work");
  double work = area(series);
  if (kind == WorkKind::kCounter) {
    PGO_TRY(work, growth(series, name));
  }
  if (!(work > 0))
    return fail(ErrorKind::kEmpty,
                name + ": " + series.shown() + " shows no work from " + time_text(grid.begin) +
                    " to " + time_text(grid.end()),
                "check the query and the window");
  return work;
}

Result<std::vector<SeriesWork>> ask_for_work(const WorkQuery& query,
                                             const PrometheusOptions& options,
                                             Diagnostics& diagnostics) {
  PGO_CHECK(check_query(query));
  PGO_TRY(net::HttpUrl url, net::parse_http_url(query.url));
  const std::string name = url.shown();
  if (url.path.ends_with('/')) url.path.pop_back();
  url.path += "/api/v1/query_range";
  const TimeGrid grid = time_grid(query.begin, query.end);
  net::HttpRequest request = {.method = "POST",
                              .url = url.text(),
                              .headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                                          {"Accept", "application/json"}},
                              .body = net::encode_query({{"query", query.query},
                                                         {"start", seconds_text(grid.begin)},
                                                         {"end", seconds_text(grid.end())},
                                                         {"step", seconds_text(grid.step)}}),
                              .shown = name};
  if (!options.authorization.empty())
    request.headers.emplace_back("Authorization", options.authorization);
  net::HttpClient client(options.http);
  PGO_TRY(net::HttpResponse response, client.send(std::move(request)));
  // 400 and 422 come with what is wrong with the query.
  const bool is_refused = response.status == 400 || response.status == 422;
  if (!response.is_success() && !is_refused) return fail(net::status_error(name, response));
  if (response.is_html()) return fail(net::page_error(name));
  PGO_TRY(RangeAnswer answer, parse_range_answer(response.body, name));
  for (const std::string& warning : answer.warnings)
    diagnostics.warn("prometheus-warning", name + ": " + warning);
  if (answer.series.empty())
    return fail(ErrorKind::kEmpty,
                name + ": the query gives no values from " + time_text(grid.begin) + " to " +
                    time_text(grid.end()),
                "check its names and labels, and how long the server keeps values");
  std::vector<SeriesWork> works;
  for (const Series& series : answer.series) {
    PGO_TRY(double work, work_of(series, query.kind, grid, name));
    works.push_back({series.labels, work});
  }
  return works;
}

}  // namespace pgo::prometheus
