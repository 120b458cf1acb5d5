#include "pgo/stores/pyroscope/pyroscope_destination.h"

#include <utility>

#include "pgo/base/gzip.h"
#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/store_access/profile_parts.h"
#include "pgo/store_access/profile_type.h"
#include "pgo/stores/pyroscope/connect_error.h"
#include "pgo/stores/pyroscope/pyroscope_access.h"
#include "pgo/stores/pyroscope/pyroscope_messages.h"

namespace pgo::pyroscope {
namespace {

constexpr const char* kPush = "/push.v1.PusherService/Push";
constexpr const char *kName = "__name__", *kServiceName = "service_name";

// Sends the profiles of one server.
class PyroscopeDestination final : public ProfileDestination {
 public:
  explicit PyroscopeDestination(PyroscopeAccess access)
      : access_(std::move(access)), client_(access_.http) {}

  const std::string& name() const override { return access_.location.shown; }
  KeptForm form() const override { return KeptForm::kUnnamedStacks; }
  Result<std::vector<std::string>> put(const OutgoingProfile& profile,
                                       Diagnostics& diagnostics) override;

 private:
  Result<Labels> labels_of(const OutgoingProfile& profile) const;
  Result<void> push(const OutgoingProfile& profile, const Labels& labels, const std::string& pprof);

  PyroscopeAccess access_;
  net::HttpClient client_;
};

Result<Labels> PyroscopeDestination::labels_of(const OutgoingProfile& profile) const {
  Labels labels = profile.labels;
  if (const auto service = labels.find("service"); service != labels.end()) {
    labels.emplace(kServiceName, service->second);
    labels.erase(service);
  }
  if (!labels.contains(kServiceName))
    return fail(ErrorKind::kUsage, profile.shown + ": Pyroscope wants a service for each profile",
                "name it: \xFF{label} service=NAME");
  labels.emplace(kName, store_access::profile_name_of(profile.stacks));
  return labels;
}

Result<void> PyroscopeDestination::push(const OutgoingProfile& profile, const Labels& labels,
                                        const std::string& pprof) {
  PGO_TRY(const std::string packed, gzip(pprof));
  PGO_TRY(const net::HttpResponse response,
          client_.send(access_.request(kPush, push_request(labels, packed))));
  const std::string shown = profile.shown + ": " + name();
  if (response.is_success() && response.is_html()) return fail(net::page_error(shown));
  if (response.is_success()) return ok();
  Error error = pyroscope_error(shown, response);
  if (error.message.find("ingestion window") != std::string::npos)
    error.advice = "it was recorded at " + format_time(profile.time) +
                   ", and Pyroscope takes profiles of the last hour, unless "
                   "validation.reject-older-than of its configuration allows others";
  return fail(std::move(error));
}

Result<std::vector<std::string>> PyroscopeDestination::put(const OutgoingProfile& profile,
                                                           Diagnostics& diagnostics) {
  PGO_TRY(const Labels labels, labels_of(profile));
  PGO_TRY(const std::vector<std::string> parts,
          store_access::pprof_parts(profile.stacks, {}, profile.shown));
  if (parts.size() > 1)
    diagnostics.warn(kProfileInParts,
                     profile.shown + ": is pushed in " + format_count(parts.size(), "part") +
                         ", because Pyroscope takes 16 000 samples and 4 MiB at once");
  const bool has_numbers = [&] {
    for (size_t set = 0; set < profile.stacks.labels.size(); set++)
      for (const StackLabel& label : profile.stacks.labels[set])
        if (label.is_number()) return true;
    return false;
  }();
  if (has_numbers)
    diagnostics.warn(
        kLostSampleLabels,
        profile.shown + ": Pyroscope does not keep labels of samples that are numbers");
  std::vector<std::string> places;
  for (const std::string& part : parts) {
    PGO_CHECK(push(profile, labels, part));
    places.push_back(name() + ": " + labels.at(kName) + " of " + labels.at(kServiceName));
  }
  return places;
}

}  // namespace

Result<std::unique_ptr<ProfileDestination>> open_pyroscope_destination(
    std::string_view location, const store_access::Environment& environment,
    const net::HttpOptions& http) {
  PGO_TRY(store_access::StoreLocation parsed,
          store_access::parse_store_location(location, kPyroscope, {}));
  PGO_TRY(PyroscopeAccess access, pyroscope_access(std::move(parsed), environment, http));
  return std::unique_ptr<ProfileDestination>(
      std::make_unique<PyroscopeDestination>(std::move(access)));
}

}  // namespace pgo::pyroscope
