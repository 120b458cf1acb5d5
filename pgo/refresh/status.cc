#include "pgo/refresh/status.h"

#include <algorithm>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/refresh/pinned_version.h"

namespace pgo {
namespace {

constexpr int64_t kMinute = int64_t{60} * 1'000'000'000, kHour = 60 * kMinute, kDay = 24 * kHour;
// A profile that tells its hour or day ends with it, and time zones and clocks differ.
constexpr int64_t kMaxAhead = 2 * kDay;

Result<void> compare_with_build(const StatusRequest& request, const PinnedVersion& pinned,
                                ServiceStatus& status) {
  if (request.current_builds.empty()) return ok();
  status.not_compared = describe_absent_build(request.current_builds);
  if (!status.not_compared.empty()) return ok();
  if (pinned.find(FileKind::kLlvm) == nullptr) {
    status.not_compared = "only LLVM profiles can be compared with a build";
    return ok();
  }
  PGO_TRY(const std::vector<PulledFile> files, pinned.files({FileKind::kLlvm}));
  if (files.empty()) return ok();
  CurrentBuildRequest matching;
  matching.builds = request.current_builds;
  matching.profile = files[0].path;
  matching.shown_as = request.lock + "#" + request.name;
  matching.has_libraries = !files[0].file.of_libraries.empty();
  matching.min_match = request.min_match;
  matching.jobs = request.jobs;
  PGO_TRY(status.match, match_current_builds(matching));
  status.diagnostics.add(status.match->diagnostics);
  return ok();
}

// Why it is due by its age; empty: it is not.
std::string age_reason(const StatusRequest& request, const ServiceStatus& status) {
  if (request.max_age == 0) return "";
  const std::optional<TimeWindow> window = status.entry ? status.entry->window : std::nullopt;
  if (!status.age || !window)
    return "its age is not known: neither the profiles nor their names contain the recording time; "
           "path-template can say where names have {hour} or {date}";
  const std::string end = "it was recorded until " + format_time(window->end);
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
  if (status.match && !status.match->is_enough())
    status.due.push_back(status.match->describe("it") + " (at least " +
                         format_share(status.match->min_match / 100) + " should)");
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
