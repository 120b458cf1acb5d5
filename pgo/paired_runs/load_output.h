// What load generators print about a load: requests, throughput and latency, in the words of
// h2load, wrk, ab and hey.
//
//   h2load  finished in 1.23s, 4567.89 req/s, 1.20MB/s
//           time for request:    112us     1.20ms     300us     50us    70.00%   (min, max, mean,
//           …) requests: 100 total, 100 started, 100 done, 98 succeeded, 2 failed, 0 errored, 0
//           timeout
//   wrk     45678 requests in 10.00s, 12.3MB read
//           Requests/sec:   4567.89
//               99%    3.40ms
//           Socket errors: connect 0, read 700, write 0, timeout 40
//           Non-2xx or 3xx responses: 2
//   ab      Complete requests:      1000
//           Failed requests:        2
//           Requests per second:    4567.89 [#/sec] (mean)
//             99%     12                                      (milliseconds)
//           Non-2xx responses:      2
//   hey       Requests/sec:	4567.8910
//             99% in 0.0123 secs
//             [200]	1000 responses
//           Error distribution:
//             [2]	Get "http://localhost": connection refused
//
// A load may run these programs several times: their requests are added up.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pgo {

struct LoadFigure {
  const char* name = "";  // "throughput"
  const char* unit = "";  // "requests/s", "ms"
  double value = 0;

  bool operator==(const LoadFigure&) const = default;
};

// At most one of each name: throughput; mean latency; the latency of 50 % and of 99 % of requests.
// Those of the first run, if the load runs its program several times.
std::vector<LoadFigure> read_load_figures(std::string_view output);

// How many requests were done, failed ones included; 0 if the load generator does not say.
uint64_t done_requests(std::string_view output);

// How many requests failed, according to the load generator; 0 if it does not say. Responses with
// an error status count. One that ab or wrk lists as two kinds of failure counts twice.
uint64_t failed_requests(std::string_view output);

}  // namespace pgo
