#include "pgo/stores/pyroscope/pyroscope_destination.h"

#include <map>
#include <utility>

#include "pgo/base/gzip.h"
#include "pgo/base/number_text.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/base/time_text.h"
#include "pgo/store_access/profile_parts.h"
#include "pgo/store_access/profile_type.h"
#include "pgo/store_access/storable_types.h"
#include "pgo/stores/pyroscope/pyroscope_api.h"
#include "pgo/stores/pyroscope/pyroscope_messages.h"

namespace pgo::pyroscope {
namespace {

constexpr const char* kPush = "/push.v1.PusherService/Push";
constexpr const char *kName = "__name__", *kService = "service", *kServiceName = "service_name";

// Sends the profiles of one server.
class PyroscopeDestination final : public ProfileDestination {
 public:
  explicit PyroscopeDestination(std::unique_ptr<PyroscopeApi> api)
      : api_(std::move(api)), client_(api_->server().http) {}

  const std::string& name() const override { return api_->name(); }
  KeptForm form() const override { return KeptForm::kUnnamedStacks; }
  Result<void> check(const Labels& labels) const override {
    if (labels.contains(kService) || labels.contains(kServiceName)) return ok();
    return fail(ErrorKind::kUsage, name() + ": Pyroscope wants a service for each profile",
                "name it: \xFF{label} service=NAME");
  }
  Result<std::vector<std::string>> put(const OutgoingProfile& profile,
                                       Diagnostics& diagnostics) override;

 private:
  Result<void> push(const OutgoingProfile& profile, const Labels& labels, const std::string& pprof);
  Result<void> push_parts(const OutgoingProfile& profile, const Labels& labels,
                          const std::vector<std::string>& parts);

  std::unique_ptr<PyroscopeApi> api_;
  net::HttpClient client_;
  // By profile: how many of its parts are stored, where a later part failed.
  std::map<Sha256::Digest, size_t> stored_parts_;
};

Sha256::Digest digest_of(const Labels& labels, const std::vector<std::string>& parts) {
  Sha256 hash;
  for (const auto& [key, text] : labels) hash.add(as_bytes(key + "=" + text + "\n"));
  for (const std::string& part : parts) hash.add(as_bytes(part));
  return hash.digest();
}

// Pyroscope has its own word for the service.
Labels with_service_name(Labels labels) {
  if (const auto service = labels.find(kService); service != labels.end()) {
    labels.emplace(kServiceName, service->second);
    labels.erase(service);
  }
  return labels;
}

Result<void> PyroscopeDestination::push(const OutgoingProfile& profile, const Labels& labels,
                                        const std::string& pprof) {
  PGO_TRY(const std::string packed, gzip(pprof));
  Result<void> sent = store_access::send_message(
      *api_, client_, kPush, push_request(labels, packed), profile.shown + ": " + name());
  if (sent) return ok();
  Error error = sent.error();
  if (error.message.find("ingestion window") != std::string::npos)
    error.advice = "it was recorded at " + format_time(profile.time) +
                   ", and Pyroscope takes profiles of the last hour, unless "
                   "validation.reject-older-than of its configuration allows others";
  return fail(std::move(error));
}

// A profile that comes again continues with the part that failed, or Pyroscope would count the
// others twice.
Result<void> PyroscopeDestination::push_parts(const OutgoingProfile& profile, const Labels& labels,
                                              const std::vector<std::string>& parts) {
  const Sha256::Digest digest = digest_of(labels, parts);
  const auto before = stored_parts_.find(digest);
  for (size_t i = before == stored_parts_.end() ? 0 : before->second; i < parts.size(); i++) {
    const Result<void> pushed = push(profile, labels, parts[i]);
    if (pushed) continue;
    if (i == 0) return pushed;
    stored_parts_[digest] = i;
    Error error = pushed.error();
    error.message += "; " + format_count(i) + " of " + format_count(parts.size()) +
                     (i == 1 ? " parts is stored" : " parts are stored");
    return fail(std::move(error));
  }
  stored_parts_.erase(digest);
  return ok();
}

Result<std::vector<std::string>> PyroscopeDestination::put(const OutgoingProfile& profile,
                                                           Diagnostics& diagnostics) {
  PGO_CHECK(check(profile.labels));
  Labels labels = with_service_name(profile.labels);
  StackProfile stacks = profile.stacks;
  store_access::make_types_storable(stacks);
  labels.emplace(kName, store_access::profile_name_of(stacks));
  PGO_TRY(const std::vector<std::string> parts,
          store_access::pprof_parts(stacks, {}, profile.shown));
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
  PGO_CHECK(push_parts(profile, labels, parts));
  const std::string place = name() + ": " + labels.at(kName) + " of " + labels.at(kServiceName);
  return std::vector<std::string>(parts.size(), place);
}

}  // namespace

Result<std::unique_ptr<ProfileDestination>> open_pyroscope_destination(
    std::string_view location, const store_access::Environment& environment,
    const net::HttpOptions& http) {
  PGO_TRY(std::unique_ptr<PyroscopeApi> api, open_pyroscope_api(location, {}, environment, http));
  return std::unique_ptr<ProfileDestination>(
      std::make_unique<PyroscopeDestination>(std::move(api)));
}

}  // namespace pgo::pyroscope
