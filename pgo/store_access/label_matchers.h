// Label matchers: how Prometheus, Pyroscope and Parca select by labels:
// {service="a",host=~"web-.*"}.
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/labels.h"

namespace pgo::store_access {

// `equal` as matchers of equal texts, behind `more`, which are matchers as a user gives them, with
// or without braces: "{host=~\"web-.*\",service=\"a\"}". A label with an empty text is one that is
// not there. Names that are no words are quoted. "{}" without any.
std::string matchers_text(const Labels& equal, const std::string& more);

// Letters, digits, '_' and ':', as names of metrics have them: what may stand before the braces.
bool is_metric_name(std::string_view name);

// A profile type with matchers_text(), as Parca takes it: "process_cpu:...{host=\"web-1\"}". A type
// that is no name of a metric is a matcher itself: "{__name__=\"...\",host=\"web-1\"}".
std::string selection_text(const std::string& type, Labels equal, const std::string& more);

}  // namespace pgo::store_access
