#include "pgo/refresh/status.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/match/match.h"
#include "pgo/refresh/pinned_version.h"

namespace pgo {
namespace {

constexpr int64_t kMinute = int64_t{60} * 1'000'000'000, kHour = 60 * kMinute, kDay = 24 * kHour;
// A profile that tells its hour or day ends with it, and time zones and clocks differ.
constexpr int64_t kMaxAhead = 2 * kDay;

Result<void> compare_with_build(const StatusRequest& request, const PinnedVersion& pinned,
                                ServiceStatus& status) {
  if (request.current_build.empty()) return ok();
  if (std::error_code error; !std::filesystem::exists(request.current_build, error)) {
    status.not_compared =
        request.current_build + " is not there, which current-build names; build it first";
    return ok();
  }
  if (pinned.find(FileKind::kLlvm) == nullptr) {
    status.not_compared = "only LLVM profiles can be compared with a build";
    return ok();
  }
  PGO_TRY(const std::vector<PulledFile> files, pinned.files({FileKind::kLlvm}));
  if (files.empty()) return ok();
  MatchRequest matching;
  matching.binary = request.current_build;
  matching.profile = files[0].path;
  matching.shown_as = request.lock + "#" + request.name;
  matching.of_several = !files[0].file.of_libraries.empty();
  matching.min_match = request.min_match;
  matching.jobs = request.jobs;
  PGO_TRY(const MatchResult matched, match(matching));
  status.diagnostics.add(matched.diagnostics);
  status.match_rate = matched.match_rate();
  status.min_match = matched.min_match;
  return ok();
}

// Why it is due by its age; empty: it is not.
std::string age_reason(const StatusRequest& request, const ServiceStatus& status) {
  if (request.max_age == 0) return "";
  if (!status.age)
    return "its age is not known, because neither profiles nor their names tell when they were "
           "recorded; path-template can say where names have {hour} or {date}";
  const std::string end = "it was recorded until " + format_time(status.entry->window->end);
  if (*status.age < -kMaxAhead)
    return end + ", which is in the future; is the clock of a host wrong, or a name in the store?";
  return *status.age > request.max_age ? end + ", " + age_text(*status.age) + " ago" : "";
}

void find_reasons(const StatusRequest& request, ServiceStatus& status) {
  if (!status.entry) {
    status.due.push_back("nothing is pinned");
    return;
  }
  if (std::string reason = age_reason(request, status); !reason.empty())
    status.due.push_back(std::move(reason));
  if (status.match_rate && 100 * *status.match_rate < status.min_match)
    status.due.push_back("only " + format_share(*status.match_rate) +
                         " of it match the current build, less than " +
                         format_share(status.min_match / 100));
}

}  // namespace

std::string age_text(int64_t nanoseconds) {
  const int64_t age = std::max<int64_t>(nanoseconds, 0);
  const int64_t days = age / kDay, hours = age % kDay / kHour;
  if (days >= 10 || (days > 0 && hours == 0)) return std::to_string(days) + "d";
  if (days > 0) return std::to_string(days) + "d " + std::to_string(hours) + "h";
  if (hours > 0) return std::to_string(hours) + "h";
  return std::to_string(age / kMinute) + "m";
}

Result<ServiceStatus> service_status(const StatusRequest& request) {
  ServiceStatus status;
  status.name = request.name;
  PGO_TRY(const PinnedVersion pinned, PinnedVersion::read(request.lock, request.name, request.open,
                                                          request.cache, status.diagnostics));
  status.entry = pinned.entry();
  if (status.entry) {
    if (status.entry->window) status.age = request.now - status.entry->window->end;
    PGO_CHECK(compare_with_build(request, pinned, status));
  }
  find_reasons(request, status);
  return status;
}

}  // namespace pgo
