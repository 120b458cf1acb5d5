// Any bytes as an answer to a range query of Prometheus: an error, or series in order; and the work
// that they show: an error, or a number above 0.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "pgo/base/bytes.h"
#include "pgo/stores/prometheus/range_answer.h"
#include "pgo/stores/prometheus/work_query.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<prometheus::RangeAnswer> answer =
      prometheus::parse_range_answer(as_text({data, size}), "fuzz");
  if (!answer) {
    if (!answer.error().message.starts_with("fuzz:")) std::abort();
    return 0;
  }
  for (const prometheus::Series& series : answer->series) {
    for (const prometheus::Point& point : series.points)
      if (!std::isfinite(point.value)) std::abort();
    if (series.points.empty()) continue;
    const int64_t begin = series.points.front().time, end = series.points.back().time;
    const prometheus::TimeGrid grid = {begin, std::max<int64_t>(1, end - begin),
                                       begin == end ? 1 : 2};
    for (prometheus::WorkKind kind :
         {prometheus::WorkKind::kCounter, prometheus::WorkKind::kRate}) {
      Result<double> work = prometheus::work_of(series, kind, grid, "fuzz");
      if (work ? !(*work > 0) : !work.error().message.starts_with("fuzz:")) std::abort();
    }
  }
  return 0;
}
