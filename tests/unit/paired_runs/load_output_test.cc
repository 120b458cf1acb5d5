#include "pgo/paired_runs/load_output.h"

#include <gtest/gtest.h>

#include <string>

namespace pgo::load_output_test {
namespace {

// Names and units are compared as texts.
std::vector<std::string> read(std::string_view output) {
  std::vector<std::string> figures;
  for (const LoadFigure& figure : read_load_figures(output))
    figures.push_back(std::string(figure.name) + " " + std::to_string(figure.value) + " " +
                      figure.unit);
  return figures;
}

constexpr std::string_view kH2load =
    "starting benchmark...\n"
    "progress: 100% done\n"
    "\n"
    "finished in 1.23s, 8130.08 req/s, 1.20MB/s\n"
    "requests: 10000 total, 10000 started, 10000 done, 10000 succeeded, 0 failed, 0 errored, 0 "
    "timeout\n"
    "status codes: 10000 2xx, 0 3xx, 0 4xx, 0 5xx\n"
    "                     min         max         mean         sd        +/- sd\n"
    "time for request:      112us      9.80ms       1.50ms       403us    76.41%\n"
    "time for connect:      110us       330us       220us       155us   100.00%\n"
    "req/s           :    4065.10     4070.00     4067.55        3.46    50.00%\n";

TEST(LoadOutput, ReadsH2load) {
  EXPECT_EQ(read(kH2load), (std::vector<std::string>{"throughput 8130.080000 requests/s",
                                                     "mean latency 1.500000 ms"}));
  EXPECT_EQ(failed_requests(kH2load), 0u);
}

TEST(LoadOutput, ReadsWrk) {
  EXPECT_EQ(read("  Latency Distribution\n"
                 "     50%  250.00us\n"
                 "     99%    3.40ms\n"
                 "Requests/sec:   4567.89\n"
                 "Transfer/sec:      1.20MB\n"),
            (std::vector<std::string>{"50 % latency 0.250000 ms", "99 % latency 3.400000 ms",
                                      "throughput 4567.890000 requests/s"}));
}

TEST(LoadOutput, ReadsAb) {
  EXPECT_EQ(read("Requests per second:    4567.89 [#/sec] (mean)\n"
                 "  50%      2\n"
                 "  99%     12\n"
                 " 100%     19 (longest request)\n"),
            (std::vector<std::string>{"throughput 4567.890000 requests/s",
                                      "50 % latency 2.000000 ms", "99 % latency 12.000000 ms"}));
}

TEST(LoadOutput, ReadsHey) {
  EXPECT_EQ(read("  Requests/sec:\t4567.8910\n"
                 "  50% in 0.0020 secs\n"
                 "  99% in 0.0123 secs\n"),
            (std::vector<std::string>{"throughput 4567.891000 requests/s",
                                      "50 % latency 2.000000 ms", "99 % latency 12.300000 ms"}));
}

TEST(LoadOutput, TakesTheFirstOfEachNameAndNothingElse) {
  EXPECT_EQ(read("Requests/sec: 10\nRequests/sec: 20\n"),
            (std::vector<std::string>{"throughput 10.000000 requests/s"}));
  for (const char* output : {"", "done", "Requests/sec:", "Requests/sec: many", "Requests/sec: -1",
                             "Requests/sec: nan", "finished in 1.23s, 100", "time for request: 1 2",
                             "99%", "99% 12parsecs", "99% in", "time for request: a b c"})
    EXPECT_EQ(read(output), std::vector<std::string>{}) << output;
}

TEST(LoadOutput, CountsRequestsThatWereDone) {
  EXPECT_EQ(done_requests(kH2load), 10'000u);
  EXPECT_EQ(done_requests("  45678 requests in 10.00s, 12.30MB read\nRequests/sec:   4567.8\n"),
            45'678u);
  EXPECT_EQ(done_requests("Complete requests:      1000\nFailed requests:        0\n"), 1000u);
  EXPECT_EQ(done_requests("Status code distribution:\n  [200]\t1990 responses\n"
                          "  [503]\t10 responses\n"),
            2000u);
  for (const char* output :
       {"", "done", "requests: 10 total", "requests: done,",
        "Complete requests:", "many requests in 10.00s, all", "8 requests in flight, warm cache",
        "8 requests in flight, 3MB read", "8 requests in 10.00s, all data read", "[200] responses",
        "Requests/sec: 4567.8"})
    EXPECT_EQ(done_requests(output), 0u) << output;
}

TEST(LoadOutput, AddsUpWhatALoadRunsInTurn) {
  const std::string wrk = "  45678 requests in 1.00m, 12.30MB read\n";
  const std::string ab = "Complete requests:      1000\nFailed requests:        3\n";
  const std::string hey = "  [200]\t1990 responses\n  [503]\t10 responses\n";
  EXPECT_EQ(done_requests(wrk + "8 requests in flight, warm cache\n" + wrk), 91'356u);
  EXPECT_EQ(done_requests(ab + ab), 2000u);
  EXPECT_EQ(done_requests(hey + hey), 4000u);
  EXPECT_EQ(done_requests(std::string(kH2load) + kH2load.data()), 20'000u);
  EXPECT_EQ(done_requests(hey + wrk + ab), 48'678u);
  EXPECT_EQ(failed_requests(wrk + ab + hey + ab), 16u);
}

TEST(LoadOutput, CountsRequestsThatFailed) {
  // Those that errored, also by timeout, are among the failed.
  EXPECT_EQ(failed_requests("requests: 10 total, 10 started, 10 done, 4 succeeded, 6 failed, 2 "
                            "errored, 1 timeout\n"),
            6u);
  EXPECT_EQ(failed_requests("  Non-2xx or 3xx responses: 7\n"), 7u);
  EXPECT_EQ(failed_requests("  45678 requests in 10.00s, 12.30MB read\n"
                            "  Socket errors: connect 1, read 700, write 0, timeout 40\n"
                            "  Non-2xx or 3xx responses: 7\n"),
            748u);
  EXPECT_EQ(failed_requests("Non-2xx responses:      8\n"), 8u);
  EXPECT_EQ(failed_requests("Complete requests:      1000\n"
                            "Failed requests:        5\n"
                            "   (Connect: 0, Receive: 0, Length: 5, Exceptions: 0)\n"),
            5u);
  EXPECT_EQ(failed_requests("requests: many\n"), 0u);
  EXPECT_EQ(failed_requests(""), 0u);
}

TEST(LoadOutput, CountsRequestsOfHeyThatFailed) {
  EXPECT_EQ(failed_requests("Response time histogram:\n"
                            "  0.001 [500]\t|##\n"
                            "\n"
                            "Status code distribution:\n"
                            "  [200]\t100 responses\n"
                            "  [302]\t10 responses\n"
                            "  [404]\t3 responses\n"
                            "  [500]\t1000 responses\n"),
            1003u);
  EXPECT_EQ(failed_requests("Status code distribution:\n"
                            "  [200]\t100 responses\n"
                            "\n"
                            "Error distribution:\n"
                            "  [7]\tGet \"http://localhost:1/\": connection refused\n"
                            "  [2]\tunexpected EOF\n"
                            "\n"
                            "[3] cores used\n"),
            9u);
}

}  // namespace
}  // namespace pgo::load_output_test
