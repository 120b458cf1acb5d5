// The files of a new version: the profiles, a report of each conversion, the recorded builds, and
// the bundle that all were made from.
//
//   NAME.json is of the conversion that made the compile profile, NAME.bolt.json of the one that
//   made the program's BOLT profile when that is another one, NAME.LIBRARY.bolt.json of a
//   library's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pgo/refresh/conversions.h"
#include "pgo/versions/pull.h"

namespace pgo {

// Is this the report of a compile profile, among files of kind kReport?
bool is_compile_report(const std::string& name);

struct VersionParts {
  std::string service, directory;  // of the files
  const ConvertedFiles* made = nullptr;
  const Bundle* bundle = nullptr;
  std::string compile_profile;   // path of the new one; empty: the version has none, or keeps one
  std::vector<PulledFile> kept;  // the pinned compile profile and its report
  std::vector<std::string> generations;  // paths
  std::function<std::string(const ConvertResult&)> conversion_report;
};

// Their paths. Errors: kIo.
Result<std::vector<std::string>> write_version_files(const VersionParts& parts);

}  // namespace pgo
