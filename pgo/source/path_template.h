// PathTemplate: labels that the paths of profiles hold.
//
//   PGO_TRY(PathTemplate form, PathTemplate::parse("{service}/{version}/{host}.pb.gz"));
//   form.labels_of("/srv/profiles/queryd/1.42/web-1.pb.gz")
//       // service=queryd, version=1.42, host=web-1
//
// A template says how a path ends: as many components as it has. {KEY} stands for characters
// without a '/', as many as possible.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"

namespace re2 {
class RE2;
}

namespace pgo {

class PathTemplate {
 public:
  // Error: kUsage for a template without keys, with one twice, or with an open bracket.
  static Result<PathTemplate> parse(const std::string& text);

  // Nothing when the path does not end like that. O(length).
  std::optional<Labels> labels_of(const std::string& path) const;
  const std::string& text() const { return text_; }

 private:
  PathTemplate() = default;

  std::string text_;
  std::vector<std::string> keys_;
  std::shared_ptr<const re2::RE2> expression_;
};

}  // namespace pgo
