// Labels of profiles that the names in a source hold, and the time that such labels tell.
//
//   source = with_name_labels(std::move(source), form, "profiles/queryd");
//
// {hour} in the template says when a profile was recorded, in UTC: "2026-11-26T13", or "13" beside
// {date} or {day}.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/source/path_template.h"
#include "pgo/source/source.h"

namespace pgo {

// Kinds of warnings.
inline constexpr const char *kNoTemplateMatch = "name-without-labels",
                            *kNoHourInName = "name-without-hour";

struct NameLabels {
  PathTemplate form;
  // What comes before the names, for templates that reach into it: "/srv/profiles/",
  // "bucket/prefix". Without '/' at the end it may also be the path of a single object.
  std::string root;

  // Labels of the name replace those of the object, and its hour the time, unless the store tells
  // the time. Names that do not fit are counted in one warning, and the first ones listed; `source`
  // is how messages name the source.
  void add_to(std::vector<SourceObject>& objects, const std::string& source,
              Diagnostics& diagnostics) const;
};

// `source`, whose objects have the labels of their names, too.
std::unique_ptr<Source> with_name_labels(std::unique_ptr<Source> source, NameLabels names);

// The time that the label `hour` names, alone or with `date` or `day`, in nanoseconds since 1970.
// It may have minutes and seconds. Either a time as parse_time() reads it, or digits, whatever
// separates them: "2026112613", "2026-11-26_13". Nothing when they name none.
std::optional<int64_t> hour_of(const Labels& labels);

}  // namespace pgo
