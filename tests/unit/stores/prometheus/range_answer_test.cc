#include "pgo/stores/prometheus/range_answer.h"

#include <gtest/gtest.h>

namespace pgo::range_answer_test {
namespace {

using prometheus::parse_range_answer;
using prometheus::Point;
using prometheus::RangeAnswer;
using prometheus::Series;

std::string matrix(std::string_view series) {
  return R"({"status":"success","data":{"resultType":"matrix","result":[)" + std::string(series) +
         "]}}";
}

Error error_of(std::string_view json) {
  Result<RangeAnswer> answer = parse_range_answer(json, "prom");
  return answer ? Error{ErrorKind::kInternal, "parsed"} : answer.error();
}

TEST(RangeAnswer, ReadsSeriesInTheOrderOfTheirLabels) {
  const RangeAnswer answer =
      parse_range_answer(matrix(R"({"metric":{"instance":"web-2"},"values":[[60,"1"]]},
          {"metric":{"instance":"web-1","job":"web"},"values":[[1700000000.5,"12.5"],[1700000015.501,"1e3"]]},
          {"metric":{},"values":[]})"),
                         "prom")
          .value();
  EXPECT_EQ(answer.series, (std::vector<Series>{{{}, {}},
                                                {{{"instance", "web-1"}, {"job", "web"}},
                                                 {{1700000000500, 12.5}, {1700000015501, 1000}}},
                                                {{{"instance", "web-2"}}, {{60000, 1}}}}));
  EXPECT_EQ(answer.series[1].shown(), R"({instance="web-1", job="web"})");
  EXPECT_EQ(answer.series[0].shown(), "{}");
  EXPECT_TRUE(answer.warnings.empty());
}

TEST(RangeAnswer, HasTheWarningsOfTheServer) {
  const RangeAnswer answer =
      parse_range_answer(R"({"status":"success","warnings":["store a is\ngone",5],
          "data":{"resultType":"matrix","result":[]}})",
                         "prom")
          .value();
  EXPECT_EQ(answer.warnings, (std::vector<std::string>{"store a is gone", ""}));
}

TEST(RangeAnswer, SaysWhyTheServerRefuses) {
  EXPECT_EQ(error_of(R"({"status":"error","errorType":"bad_data","error":"1:5: parse error"})"),
            (Error{ErrorKind::kUsage,
                   "prom: the server refuses the query (bad_data): 1:5: parse error"}));
}

TEST(RangeAnswer, RefusesOtherAnswers) {
  const Error wrong = {ErrorKind::kInput, "prom: the server did not answer as Prometheus does",
                       "check the URL: /api/v1/query_range is added to it"};
  for (const char* text : {"", "[]", "<html>", "{}", R"({"status":"success"})", R"({"status":5})",
                           R"({"status":"success","data":{"resultType":"vector","result":[]}})",
                           R"({"status":"success","data":{"resultType":"matrix","result":{}}})"})
    EXPECT_EQ(error_of(text), wrong) << text;
  for (const char* series :
       {"5", "{}", R"({"metric":{},"values":5})", R"({"metric":[],"values":[]})",
        R"({"metric":{"a":5},"values":[]})", R"({"metric":{},"values":[5]})",
        R"({"metric":{},"values":[[1]]})", R"({"metric":{},"values":[["1","1"]]})",
        R"({"metric":{},"values":[[-1,"1"]]})", R"({"metric":{},"values":[[1e300,"1"]]})",
        R"({"metric":{},"values":[[2,"1"],[2,"1"]]})",
        R"({"metric":{"a":"b"},"values":[]},{"metric":{"a":"b"},"values":[]})"})
    EXPECT_EQ(error_of(matrix(series)), wrong) << series;
  EXPECT_EQ(error_of(std::string(1'000'000, '[')), wrong);
}

TEST(RangeAnswer, RefusesValuesThatAreNoNumbers) {
  for (const char* value : {"\"NaN\"", "\"+Inf\"", "\"\"", "\"1 \"", "1", "null", "\"1e999\""})
    EXPECT_EQ(
        error_of(matrix(R"({"metric":{"job":"web"},"values":[[60,)" + std::string(value) + "]]}"))
            .message,
        R"(prom: {job="web"} at 1970-01-01T00:01:00Z is not a finite number)")
        << value;
}

TEST(RangeAnswer, RefusesNativeHistograms) {
  EXPECT_EQ(error_of(matrix(R"({"metric":{},"histograms":[]})")),
            (Error{ErrorKind::kUnsupported, "prom: {} is a native histogram, not a number",
                   "ask for histogram_count() of it"}));
}

TEST(RangeAnswer, IsBounded) {
  std::string series = R"({"metric":{},"values":[]})";
  for (size_t i = 0; i < prometheus::kMaxSeries; i++) series += ",{}";
  EXPECT_EQ(error_of(matrix(series)).message, "prom: the query gives more than 100000 series");
}

TEST(RangeAnswer, EndsEarlyAnywhereWithAnError) {
  const std::string whole = matrix(R"({"metric":{"a":"b"},"values":[[1,"2"]]})");
  for (size_t size = 0; size < whole.size(); size++)
    EXPECT_FALSE(parse_range_answer(whole.substr(0, size), "prom")) << size;
}

}  // namespace
}  // namespace pgo::range_answer_test
