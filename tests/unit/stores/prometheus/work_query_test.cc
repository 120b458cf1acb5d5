#include "pgo/stores/prometheus/work_query.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/data/scripted_server.h"

namespace pgo::work_query_test {
namespace {

using prometheus::Series;
using prometheus::SeriesWork;
using prometheus::TimeGrid;
using prometheus::WorkKind;
using test::answer;
using test::ScriptedServer;

// Values every 15 s from 1970 on.
Series series(const std::vector<double>& values) {
  Series made = {{{"job", "web"}}, {}};
  for (double value : values)
    made.points.push_back({static_cast<int64_t>(made.points.size()) * 15000, value});
  return made;
}

TimeGrid grid_of(const Series& of) { return {0, 15000, static_cast<int64_t>(of.points.size())}; }

// The work, or the error.
std::string work(const Series& of, WorkKind kind, const TimeGrid& grid) {
  Result<double> result = prometheus::work_of(of, kind, grid, "prom");
  return result ? std::to_string(*result) : result.error().message;
}
std::string counted(const std::vector<double>& values) {
  return work(series(values), WorkKind::kCounter, grid_of(series(values)));
}
std::string rated(const std::vector<double>& values) {
  return work(series(values), WorkKind::kRate, grid_of(series(values)));
}

TEST(TimeGrid, HasAStepOfFifteenSeconds) {
  const TimeGrid grid = prometheus::time_grid(1000, 61000);
  EXPECT_EQ(grid.step, 15000);
  EXPECT_EQ(grid.points, 5);
  EXPECT_EQ(grid.end(), 61000);
}

TEST(TimeGrid, HasAShorterStepThatFits) {
  EXPECT_EQ(prometheus::time_grid(0, 20000).step, 10000);
  EXPECT_EQ(prometheus::time_grid(0, 1000).points, 2);
}

TEST(TimeGrid, HasALongerStepInALongWindow) {
  const int64_t week = 7 * 86400 * int64_t{1000};
  const TimeGrid grid = prometheus::time_grid(0, week);
  EXPECT_EQ(grid.points, 2001);
  EXPECT_LE(week - grid.end(), 2000);
}

TEST(Work, IsTheGrowthOfACounter) { EXPECT_EQ(counted({100, 130, 130, 160}), "60.000000"); }

TEST(Work, CountsWhatACounterShowsAfterAReset) {
  EXPECT_EQ(counted({100, 130, 5, 25, 3}), "58.000000");  // 30 + 5 + 20 + 3
}

TEST(Work, IsTheAreaBelowARate) {
  EXPECT_EQ(rated({2, 4, 4}), "105.000000");  // 3 * 15 + 4 * 15
}

TEST(Work, RefusesACounterThatFallsAgainAndAgain) {
  EXPECT_EQ(counted({5, 1, 5, 1, 5, 1}),
            R"(prom: {job="web"} falls 3 times in the window, so it is not a counter)");
  EXPECT_EQ(counted({5, 1, 5, 1, 5}), "10.000000");
}

TEST(Work, RefusesGaps) {
  Series gaps = series({1, 2, 3, 4, 5, 6});
  const TimeGrid grid = grid_of(gaps);
  auto without = [&](size_t first, size_t count) {
    Series fewer = gaps;
    const auto begin = fewer.points.begin() + static_cast<std::ptrdiff_t>(first);
    fewer.points.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    return work(fewer, WorkKind::kCounter, grid);
  };
  EXPECT_EQ(without(2, 2),
            R"(prom: {job="web"} has no values from 1970-01-01T00:00:30Z to 1970-01-01T00:01:00Z)");
  EXPECT_EQ(without(0, 1),
            R"(prom: {job="web"} has no values from 1970-01-01T00:00:00Z to 1970-01-01T00:00:15Z)");
  EXPECT_EQ(without(4, 2),
            R"(prom: {job="web"} has no values from 1970-01-01T00:01:00Z to 1970-01-01T00:01:15Z)");
  EXPECT_EQ(without(5, 1),
            R"(prom: {job="web"} has no values from 1970-01-01T00:01:15Z to 1970-01-01T00:01:15Z)");
  EXPECT_EQ(without(0, 6),
            R"(prom: {job="web"} has no values from 1970-01-01T00:00:00Z to 1970-01-01T00:01:15Z)");
}

TEST(Work, RefusesTimesThatWereNotAskedFor) {
  Series more = series({1, 2, 3});
  EXPECT_EQ(work(more, WorkKind::kCounter, {0, 15000, 2}),
            R"(prom: {job="web"} has values at times that were not asked for)");
  more.points[0].time = 1;
  EXPECT_EQ(
      work(more, WorkKind::kCounter, {0, 15000, 3}),
      R"(prom: {job="web"} has no values from 1970-01-01T00:00:00Z to 1970-01-01T00:00:00.001000000Z)");
}

TEST(Work, RefusesNegativeValuesAndNoWork) {
  EXPECT_EQ(rated({1, -1, 1}),
            R"(prom: {job="web"} is negative at 1970-01-01T00:00:15Z, so it counts no work)");
  EXPECT_EQ(counted({7, 7, 7}),
            R"(prom: {job="web"} shows no work from 1970-01-01T00:00:00Z to 1970-01-01T00:00:30Z)");
}

class WorkQuery : public testing::Test {
 protected:
  static prometheus::PrometheusOptions quick() {
    return {.http = {.tries = 2, .first_pause = .001, .longest_pause = .01, .netrc = false}};
  }

  // "LABELS WORK, ..." of the window from 0 to 30 s, or the error.
  std::string asked(const ScriptedServer& server, prometheus::WorkQuery query,
                    const prometheus::PrometheusOptions& options = quick()) {
    if (query.url.empty()) query.url = server.url("/prefix/");
    if (query.end == 0) query.end = 30000;
    Result<std::vector<SeriesWork>> works = prometheus::ask_for_work(query, options, diagnostics);
    if (!works)
      return server.without_port(works.error().message +
                                 (works.error().advice.empty() ? "" : "; ") + works.error().advice);
    std::string text;
    for (const SeriesWork& one : *works)
      text += Series{one.labels, {}}.shown() + " " + std::to_string(one.work) + ", ";
    return text;
  }
  std::string asked(const ScriptedServer& server) {
    return asked(server, {.url = "", .query = "sum by (instance) (requests_total{job=\"web\"})"});
  }

  static std::string success(std::string_view series, std::string_view more = "") {
    return R"({"status":"success",)" + std::string(more) +
           R"("data":{"resultType":"matrix","result":[)" + std::string(series) + "]}}";
  }

  Diagnostics diagnostics;
};

const char* const kTwoHosts =
    R"({"metric":{"instance":"web-2:1"},"values":[[0,"1"],[15,"2"],[30,"4"]]},
       {"metric":{"instance":"web-1:1"},"values":[[0,"10"],[15,"20"],[30,"5"]]})";

TEST_F(WorkQuery, AsksForARangeAndAddsUpEachSeries) {
  ScriptedServer server({answer(200, success(kTwoHosts, R"("warnings":["store a is gone"],)"))});
  EXPECT_EQ(asked(server), "{instance=\"web-1:1\"} 15.000000, {instance=\"web-2:1\"} 3.000000, ");
  const test::ScriptedRequest request = server.requests().at(0);
  EXPECT_TRUE(request.head.starts_with("POST /prefix/api/v1/query_range HTTP/1.1\r\n"));
  EXPECT_EQ(request.header("Content-Type"), "application/x-www-form-urlencoded");
  EXPECT_EQ(request.body,
            "end=30.000&query=sum%20by%20%28instance%29%20%28requests_total%7Bjob%3D%22web%22%7D%29"
            "&start=0.000&step=15.000");
  EXPECT_EQ(diagnostics.entries().at("prometheus-warning").messages,
            (std::vector<std::string>{server.url("/prefix/") + ": store a is gone"}));
}

TEST_F(WorkQuery, TakesRates) {
  ScriptedServer server({answer(200, success(kTwoHosts))});
  EXPECT_EQ(asked(server, {.url = "", .query = "rate(x[5m])", .kind = WorkKind::kRate}),
            "{instance=\"web-1:1\"} 412.500000, {instance=\"web-2:1\"} 67.500000, ");
}

TEST_F(WorkQuery, SaysWhatTheServerRefuses) {
  ScriptedServer server(
      {answer(400, R"({"status":"error","errorType":"bad_data","error":"1:3: parse error"})"),
       answer(422, R"({"status":"error","errorType":"execution","error":"too many samples"})"),
       answer(400, "no"), answer(401), answer(200, "<html>", "Content-Type: text/html\r\n")});
  EXPECT_EQ(asked(server),
            "http://HOST/prefix/: the server refuses the query (bad_data): 1:3: parse error");
  EXPECT_EQ(asked(server),
            "http://HOST/prefix/: the server refuses the query (execution): too many samples");
  EXPECT_EQ(asked(server),
            "http://HOST/prefix/: the server did not answer as Prometheus does; check the URL: "
            "/api/v1/query_range is added to it");
  EXPECT_EQ(asked(server),
            "http://HOST/prefix/: the server answered 401 (Unauthorized); check the credentials: "
            "they are missing, wrong or expired");
  EXPECT_EQ(asked(server),
            "http://HOST/prefix/: the server answered with an HTML page, such as a login page; "
            "check the URL and the credentials");
}

TEST_F(WorkQuery, SaysThatTheQueryGivesNothing) {
  ScriptedServer server({answer(200, success(""))});
  EXPECT_EQ(asked(server),
            "http://HOST/prefix/: the query gives no values from 1970-01-01T00:00:00Z to "
            "1970-01-01T00:00:30Z; check its names and labels, and how long the server keeps "
            "values");
}

TEST_F(WorkQuery, RefusesWhatCannotBeAsked) {
  ScriptedServer server(std::vector<test::ScriptedAnswer>{});
  EXPECT_EQ(asked(server, {.url = "", .query = ""}), "the query for units of work is empty");
  EXPECT_EQ(asked(server, {.url = "", .query = "x", .begin = 5000, .end = 5999}),
            "the window of units of work, 1970-01-01T00:00:05Z to "
            "1970-01-01T00:00:05.999000000Z, is shorter than a second");
  EXPECT_EQ(asked(server, {.url = "http://me:hunter2@prom/", .query = "x"}),
            "http://prom/: the URL contains a user or a password; put them into ~/.netrc");
  EXPECT_TRUE(server.requests().empty());
}

class PrometheusEnvironment : public testing::Test {
 protected:
  void TearDown() override { set(nullptr, nullptr, nullptr); }

  static void set(const char* token, const char* user, const char* password) {
    auto one = [](const char* name, const char* value) {
      value ? ::setenv(name, value, 1) : ::unsetenv(name);
    };
    one("PRODPGO_PROMETHEUS_TOKEN", token);
    one("PRODPGO_PROMETHEUS_USER", user);
    one("PRODPGO_PROMETHEUS_PASSWORD", password);
  }
  static std::string authorization() {
    auto options = prometheus::options_from_environment();
    return options ? options->authorization : options.error().message;
  }
};

TEST_F(PrometheusEnvironment, HasATokenOrAPassword) {
  EXPECT_EQ(authorization(), "");
  set("abc", nullptr, nullptr);
  EXPECT_EQ(authorization(), "Bearer abc");
  set(nullptr, "Aladdin", "open sesame");
  EXPECT_EQ(authorization(), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  set(nullptr, "a", "b");
  EXPECT_EQ(authorization(), "Basic YTpi");
  set(nullptr, "a", "bc");
  EXPECT_EQ(authorization(), "Basic YTpiYw==");
}

TEST_F(PrometheusEnvironment, HasNotBoth) {
  const char* message =
      "set PRODPGO_PROMETHEUS_TOKEN, or both PRODPGO_PROMETHEUS_USER and "
      "PRODPGO_PROMETHEUS_PASSWORD, or none of them";
  set("abc", "a", "b");
  EXPECT_EQ(authorization(), message);
  set(nullptr, "a", nullptr);
  EXPECT_EQ(authorization(), message);
  set(nullptr, nullptr, "b");
  EXPECT_EQ(authorization(), message);
}

}  // namespace
}  // namespace pgo::work_query_test
