#include "pgo/stores/parca/parca_destination.h"

#include <set>
#include <utility>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/store_access/profile_type.h"
#include "pgo/store_access/shown_list.h"
#include "pgo/store_access/storable_types.h"
#include "pgo/stores/parca/parca_api.h"
#include "pgo/stores/parca/parca_messages.h"

namespace pgo::parca {
namespace {

constexpr const char *kWriteRaw = "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw",
                     *kName = "__name__";

class ParcaDestination final : public ProfileDestination {
 public:
  explicit ParcaDestination(std::unique_ptr<ParcaApi> api)
      : api_(std::move(api)), client_(api_->server().http) {}

  const std::string& name() const override { return api_->name(); }
  KeptForm form() const override { return KeptForm::kUnnamedStacks; }
  Result<std::vector<std::string>> put(const OutgoingProfile& profile,
                                       Diagnostics& diagnostics) override;

 private:
  std::unique_ptr<ParcaApi> api_;
  net::HttpClient client_;
};

std::set<std::string, std::less<>> names_of_labels(const StackProfile& profile) {
  std::set<std::string, std::less<>> names;
  for (size_t set = 0; set < profile.labels.size(); set++)
    for (const StackLabel& label : profile.labels[set])
      names.insert(std::string(profile.text(label.key)));
  return names;
}

Result<std::vector<std::string>> ParcaDestination::put(const OutgoingProfile& profile,
                                                       Diagnostics& diagnostics) {
  if (profile.labels.empty())
    return fail(ErrorKind::kUsage,
                profile.shown + ": without labels, it could not be told apart from others in Parca",
                "name the service: \xFF{label} service=NAME");
  StackProfile stacks = profile.stacks;
  store_access::make_types_storable(stacks);
  Labels labels = profile.labels;
  labels.emplace(kName, store_access::profile_name_of(stacks));
  const auto lost = names_of_labels(profile.stacks);
  if (!lost.empty())
    diagnostics.warn(kLostSampleLabels, profile.shown +
                                            ": Parca does not keep labels of samples: " +
                                            store_access::shown_list(lost));
  PGO_TRY(const std::string pprof, gzip(write_pprof(stacks)));
  PGO_CHECK(store_access::send_message(*api_, client_, kWriteRaw, write_raw_request(labels, pprof),
                                       profile.shown + ": " + name()));
  return std::vector<std::string>{name() + ": " + labels.at(kName)};
}

}  // namespace

Result<std::unique_ptr<ProfileDestination>> open_parca_destination(
    std::string_view location, const store_access::Environment& environment,
    const net::HttpOptions& http) {
  PGO_TRY(std::unique_ptr<ParcaApi> api, open_parca_api(location, {}, environment, http));
  return std::unique_ptr<ProfileDestination>(std::make_unique<ParcaDestination>(std::move(api)));
}

}  // namespace pgo::parca
