// Any bytes as what a store of profiles answers: an error, or values that fit into requests and
// messages. The first byte chooses the answer.
#include <cstdlib>

#include "pgo/base/bytes.h"
#include "pgo/stores/parca/parca_messages.h"
#include "pgo/stores/profefe/profefe_answers.h"
#include "pgo/stores/pyroscope/connect_error.h"
#include "pgo/stores/pyroscope/pyroscope_messages.h"

using namespace pgo;

namespace {

template <typename T>
void check(const Result<T>& result) {
  if (!result && !result.error().message.starts_with("fuzz:")) std::abort();
}

void check_points(const Result<std::vector<parca::ProfileSeries>>& all) {
  check(all);
  if (!all) return;
  for (const parca::ProfileSeries& series : *all)
    for (const parca::SeriesPoint& point : series.points)
      if (point.time < 0) std::abort();
}

void check_profiles(const Result<std::vector<profefe::StoredProfile>>& profiles) {
  check(profiles);
  if (!profiles) return;
  for (const profefe::StoredProfile& profile : *profiles)
    if (profile.id.empty() || profile.id.find_first_of("/?#% \n") != std::string::npos)
      std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text = as_text({data + 1, size - 1});
  switch (data[0] % 10) {
    case 0: check(pyroscope::parse_profile_types(text, "fuzz")); break;
    case 1: check(pyroscope::parse_label_names(text, "fuzz")); break;
    case 2: check(pyroscope::parse_series(text, "fuzz")); break;
    case 3: check(pyroscope::parse_merged_stacktraces(text, "fuzz")); break;
    case 4:
      for (char c : pyroscope::parse_connect_error(text).message)
        if (c < ' ' || c > '~') std::abort();
      break;
    case 5: check(parca::parse_profile_types(text, "fuzz")); break;
    case 6: check_points(parca::parse_query_range(text, "fuzz")); break;
    case 7: check(parca::parse_query(text, "fuzz")); break;
    case 8: check_profiles(profefe::parse_profiles(text, "fuzz")); break;
    case 9: check(profefe::parse_pushed(text, "fuzz")); break;
  }
  return 0;
}
