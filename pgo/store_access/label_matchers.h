// Label matchers: how Prometheus, Pyroscope and Parca select by labels:
// {service="a",host=~"web-.*"}.
#pragma once

#include <string>

#include "pgo/base/labels.h"

namespace pgo::store_access {

// `equal` as matchers of equal texts, behind `more`, which are matchers as a user gives them, with
// or without braces: "{host=~\"web-.*\",service=\"a\"}". A label with an empty text is one that is
// not there. Names that are no words are quoted. "{}" without any.
std::string matchers_text(const Labels& equal, const std::string& more);

}  // namespace pgo::store_access
