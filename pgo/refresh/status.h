// service_status(): is the profile that builds use still good, or is a new one due?
//
//   PGO_TRY(ServiceStatus status, service_status(request));
//   status.is_due()            because of status.due
//
// A profile is due when none is pinned, when it was recorded too long ago, in the future, or at a
// time that is not known, and when too little of
// it matches the current build: as little as refresh() takes for a reason not to keep it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/refresh/current_build.h"
#include "pgo/registry/lock_file.h"
#include "pgo/versions/registry_opener.h"

namespace pgo {

struct StatusRequest {
  std::string name, lock;                   // of the profile, and path of its lock file
  std::vector<std::string> current_builds;  // paths of what is built now; empty: not compared
  int64_t now = 0;                          // nanoseconds since 1970
  int64_t max_age = 0;                      // nanoseconds; 0: any age
  std::optional<double> min_match;          // percent; none: what the kind of profile lets expect
  OpenRegistry open;                        // for a profile that is not in the cache
  std::string cache;
  unsigned jobs = 0;
};

struct ServiceStatus {
  std::string name;
  std::optional<LockEntry> entry;          // nothing is pinned
  std::optional<int64_t> age;              // of the end of the window, in nanoseconds; not known
  std::optional<CurrentBuildMatch> match;  // not compared
  std::string not_compared;                // why there is no match rate although there is a build
  std::vector<std::string> due;            // reasons; sentences
  Diagnostics diagnostics;

  bool is_due() const { return !due.empty(); }
};

// "3d 4h", "5h", "12m": of an age.
std::string age_text(int64_t nanoseconds);

// Errors: those of the lock file, of pull() and of match().
Result<ServiceStatus> service_status(const StatusRequest& request);

}  // namespace pgo
