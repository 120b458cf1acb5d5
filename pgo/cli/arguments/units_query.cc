#include "pgo/cli/arguments/units_query.h"

#include "pgo/units/bundle_units.h"

#ifdef PRODPGO_NETWORK
#include "pgo/stores/prometheus/work_query.h"
#endif

namespace pgo {
namespace {

Result<void> check_units_query(const UnitsQueryArguments& arguments, size_t releases) {
  if (arguments.url.empty() || arguments.counter.empty() == arguments.rate.empty())
    return fail(ErrorKind::kUsage,
                "give --units-prometheus with either --units-query or --units-rate-query");
  const bool has_before = !arguments.windows_before.empty();
  if ((has_before && arguments.windows_before.size() != releases) ||
      arguments.windows_after.size() > 1)
    return fail(ErrorKind::kUsage,
                "give --units-window-before once for each --before, in the same order, and "
                "--units-window-after once");
  return ok();
}

#ifdef PRODPGO_NETWORK
Result<SideUnits> ask_for_side(const UnitsQueryArguments& arguments, const TimeWindow& window,
                               const std::string& label,
                               const prometheus::PrometheusOptions& options,
                               Diagnostics& diagnostics) {
  constexpr int64_t kNanoseconds = 1'000'000;  // of a millisecond
  prometheus::WorkQuery query;
  query.url = arguments.url;
  query.query = arguments.counter.empty() ? arguments.rate : arguments.counter;
  query.kind =
      arguments.counter.empty() ? prometheus::WorkKind::kRate : prometheus::WorkKind::kCounter;
  query.begin = window.begin / kNanoseconds;
  query.end = window.end / kNanoseconds;
  PGO_TRY(std::vector<prometheus::SeriesWork> found,
          prometheus::ask_for_work(query, options, diagnostics));
  std::vector<MeasuredWork> works;
  for (prometheus::SeriesWork& one : found) works.push_back({std::move(one.labels), one.work});
  return side_units(works, label, query.query);
}
#endif

}  // namespace

void add_units_query_options(CommandLine& line, UnitsQueryArguments& arguments, const char* group) {
  line.option("--units-prometheus", arguments.url,
              "Ask this Prometheus server for the units of work. Credentials come from\n"
              "PRODPGO_PROMETHEUS_TOKEN, from PRODPGO_PROMETHEUS_USER and\n"
              "PRODPGO_PROMETHEUS_PASSWORD, or from ~/.netrc")
      .type_name("URL")
      .group(group);
  line.option("--units-query", arguments.counter,
              "A query that gives a counter, for each host if it keeps the label host or\n"
              "instance: 'sum by (instance) (http_requests_total)'")
      .type_name("PROMQL")
      .group(group);
  line.option("--units-rate-query", arguments.rate,
              "A query that gives a rate per second: 'sum(rate(http_requests_total[5m]))'")
      .type_name("PROMQL")
      .group(group);
  line.option(
          "--units-window-before", arguments.windows_before,
          "When the profiles of the before side were recorded (default: what bundle.json says of\n"
          "each): '2026-11-20T10:00/2026-11-20T12:00'")
      .type_name("FROM/TO")
      .group(group);
  line.option("--units-window-after", arguments.windows_after,
              "When the profiles of the after side were recorded")
      .type_name("FROM/TO")
      .group(group);
}

Result<ReleaseUnits> ask_for_units(const UnitsQueryArguments& arguments,
                                   [[maybe_unused]] const NetworkArguments& network,
                                   const UnitsSides& sides, const std::string& label,
                                   Diagnostics& diagnostics) {
  PGO_CHECK(check_units_query(arguments, sides.before.size()));
#ifdef PRODPGO_NETWORK
  PGO_TRY(prometheus::PrometheusOptions options, prometheus::options_from_environment());
  options.http = http_options(network);
  auto ask = [&](const TimeWindow& window) {
    return ask_for_side(arguments, window, label, options, diagnostics);
  };
  auto ask_for = [&](const std::vector<std::string>& inputs, const std::string* text,
                     const char* option) -> Result<SideUnits> {
    if (text) {
      PGO_TRY(TimeWindow window, parse_window(option, *text));
      return ask(window);
    }
    PGO_TRY(std::vector<WindowedMember> members, windowed_members(inputs, option));
    SideUnits side;
    PGO_TRY(side.members, units_of_members(members, ask));
    return side;
  };
  auto text_of = [](const std::vector<std::string>& texts, size_t i) {
    return i < texts.size() ? &texts[i] : nullptr;
  };
  ReleaseUnits units;
  for (size_t i = 0; i < sides.before.size(); i++) {
    PGO_TRY(SideUnits side, ask_for(sides.before[i], text_of(arguments.windows_before, i),
                                    "--units-window-before"));
    units.before.push_back(std::move(side));
  }
  PGO_TRY(units.after,
          ask_for(sides.after, text_of(arguments.windows_after, 0), "--units-window-after"));
  return units;
#else
  (void)label;
  (void)diagnostics;
  return fail(ErrorKind::kUnsupported,
              "--units-prometheus: this pgo was built without network (PRODPGO_NETWORK=OFF)",
              "give the units as --units-before and --units-after");
#endif
}

}  // namespace pgo
