#include "pgo/stores/parca/parca_destination.h"

#include <set>
#include <utility>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/store_access/profile_type.h"
#include "pgo/store_access/shown_list.h"
#include "pgo/stores/parca/parca_access.h"
#include "pgo/stores/parca/parca_messages.h"

namespace pgo::parca {
namespace {

constexpr const char *kWriteRaw = "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw",
                     *kName = "__name__";

class ParcaDestination final : public ProfileDestination {
 public:
  explicit ParcaDestination(ParcaAccess access)
      : access_(std::move(access)), client_(access_.http) {}

  const std::string& name() const override { return access_.location.shown; }
  KeptForm form() const override { return KeptForm::kUnnamedStacks; }
  Result<std::vector<std::string>> put(const OutgoingProfile& profile,
                                       Diagnostics& diagnostics) override;

 private:
  ParcaAccess access_;
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
  Labels labels = profile.labels;
  labels.emplace(kName, store_access::profile_name_of(profile.stacks));
  const auto lost = names_of_labels(profile.stacks);
  if (!lost.empty())
    diagnostics.warn(kLostSampleLabels, profile.shown +
                                            ": Parca does not keep labels of samples: " +
                                            store_access::shown_list(lost));
  PGO_TRY(const std::string pprof, gzip(write_pprof(profile.stacks)));
  PGO_TRY(const net::HttpResponse response,
          client_.send(access_.request(kWriteRaw, write_raw_request(labels, pprof))));
  const std::string shown = profile.shown + ": " + name();
  PGO_TRY(const net::GrpcAnswer answer, net::read_grpc_answer(response, shown));
  if (answer.status != net::kGrpcOk) return fail(net::grpc_error(shown, answer));
  return std::vector<std::string>{name() + ": " + labels.at(kName)};
}

}  // namespace

Result<std::unique_ptr<ProfileDestination>> open_parca_destination(
    std::string_view location, const store_access::Environment& environment,
    const net::HttpOptions& http) {
  PGO_TRY(store_access::StoreLocation parsed,
          store_access::parse_store_location(location, kParca, {"protocol"}));
  PGO_TRY(ParcaAccess access, parca_access(std::move(parsed), environment, http));
  return std::unique_ptr<ProfileDestination>(std::make_unique<ParcaDestination>(std::move(access)));
}

}  // namespace pgo::parca
