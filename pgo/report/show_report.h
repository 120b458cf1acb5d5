// What `pgo show` prints of a result (pgo/show/show.h): for people (names demangled, the largest
// first, not all of it) and as JSON (raw names, exact figures).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "pgo/show/show.h"

namespace pgo {

struct ShowReport {
  nlohmann::json json;
  std::string text;
};

// Puts the caller's words for options into a text, "(\xFF{top})". The text of a report is
// printable, so that it cannot be done afterwards.
using OptionWordsFn = std::function<std::string(const std::string&)>;

ShowReport make_show_report(const ShowResult& result, const OptionWordsFn& words);

}  // namespace pgo
