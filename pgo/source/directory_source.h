// DirectorySource: profiles of a tree of files, or of a bundle.
//
//   PGO_TRY(std::unique_ptr<Source> source, DirectorySource::open("/srv/profiles", {}));
//
// An object is a file below the directory, but hidden ones; or a member, when bundle.json is at the
// root. Labels are those of a path template, or of the bundle. {hour} in the template says when a
// profile was recorded: "2026-11-26T13", or "13" with {date}, in UTC; digits count, and what
// separates them does not. Else the time of the file's last change does.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/source/source.h"

namespace pgo {

// Kinds of warnings.
inline constexpr const char *kNoTemplateMatch = "path-without-labels",
                            *kNoHourInPath = "path-without-hour";

struct DirectoryOptions {
  std::string path_template = {};  // empty: none
  size_t max_files = size_t{1} << 20;
};

class DirectorySource {
 public:
  // `path` may be a file, too: a source of one object. Errors: kUsage for a template that is none;
  // kIo when nothing is there.
  static Result<std::unique_ptr<Source>> open(const std::string& path,
                                              const DirectoryOptions& options = {});
};

// The beginning of the hour that {hour}, or {date} and {hour}, of a path name, in nanoseconds since
// 1970. Nothing when they name none.
std::optional<int64_t> hour_of(const Labels& labels);

}  // namespace pgo
