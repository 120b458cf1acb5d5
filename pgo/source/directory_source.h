// DirectorySource: profiles of a tree of files, or of a bundle.
//
//   PGO_TRY(std::unique_ptr<Source> source, DirectorySource::open("/srv/profiles", {}));
//
// An object is a file below the directory, but hidden ones, and bundles, whose profiles may come
// from here; or a member, when bundle.json is at the root. Labels are those of a path template
// (name_labels.h) and of the bundle. When no {hour} of a path says when a profile was recorded, the
// time of the file's last change does.
#pragma once

#include <memory>
#include <string>

#include "pgo/base/result.h"
#include "pgo/source/source.h"

namespace pgo {

// A kind of warnings.
inline constexpr const char* kBundleInDirectory = "bundle-in-directory";

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

}  // namespace pgo
