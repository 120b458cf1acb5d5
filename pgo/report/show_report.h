// What `pgo show` prints of a result (pgo/show/show.h): for people (names demangled, the largest
// first, not all of it) and as JSON (raw names, exact figures).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pgo/report/option_words_fn.h"
#include "pgo/show/show.h"

namespace pgo {

struct ShowReport {
  nlohmann::json json;
  std::string text;
};

ShowReport make_show_report(const ShowResult& result, const OptionWordsFn& words);

}  // namespace pgo
