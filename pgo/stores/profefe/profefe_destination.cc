#include "pgo/stores/profefe/profefe_destination.h"

#include <utility>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/net/percent_encoding.h"
#include "pgo/store_access/profile_type.h"
#include "pgo/store_access/store_location.h"
#include "pgo/stores/profefe/profefe_answers.h"

namespace pgo::profefe {
namespace {

constexpr const char *kProfiles = "/api/0/profiles", *kService = "service";

// profefe's word for profiles of this name.
std::string type_of_name(const std::string& name) {
  if (name == "process_cpu") return "cpu";
  if (name == "memory") return "heap";
  return name == "mutex" ? "mutex" : "other";
}

class ProfefeDestination final : public ProfileDestination {
 public:
  ProfefeDestination(store_access::StoreLocation location, const net::HttpOptions& http)
      : location_(std::move(location)), client_(http) {}

  const std::string& name() const override { return location_.shown; }
  KeptForm form() const override { return KeptForm::kStacks; }
  Result<void> check(const Labels& labels) const override {
    const Result<std::string> text = stored_labels(labels, name());
    return text ? ok() : fail(text.error());
  }
  Result<std::vector<std::string>> put(const OutgoingProfile& profile, Diagnostics&) override;

 private:
  // Besides the service, which has to be there. `shown` is for messages.
  Result<std::string> stored_labels(const Labels& labels, const std::string& shown) const;

  store_access::StoreLocation location_;
  net::HttpClient client_;
};

Result<std::string> ProfefeDestination::stored_labels(const Labels& labels,
                                                      const std::string& shown) const {
  if (!labels.contains(kService))
    return fail(ErrorKind::kUsage, name() + ": profefe wants a service for each profile",
                "name it: \xFF{label} service=NAME");
  Labels others = labels;
  others.erase(kService);
  return labels_text(others, shown);
}

Result<std::vector<std::string>> ProfefeDestination::put(const OutgoingProfile& profile,
                                                         Diagnostics&) {
  PGO_TRY(const std::string labels, stored_labels(profile.labels, profile.shown));
  const std::string service = profile.labels.at(kService);
  std::vector<std::pair<std::string, std::string>> parameters = {
      {kService, service}, {"type", type_of_name(store_access::profile_name_of(profile.stacks))}};
  if (!labels.empty()) parameters.emplace_back("labels", labels);
  PGO_TRY(std::string pprof, gzip(write_pprof(profile.stacks)));
  const std::string shown = profile.shown + ": " + name();
  PGO_TRY(const net::HttpResponse response,
          client_.send({.method = "POST",
                        .url = location_.url(std::string(kProfiles) + "?" +
                                             net::encode_query(std::move(parameters))),
                        .headers = {{"Content-Type", "application/octet-stream"}},
                        .body = std::move(pprof),
                        .shown = shown}));
  if (!response.is_success()) return fail(profefe_error(shown, response));
  if (response.is_html()) return fail(net::page_error(shown));
  PGO_TRY(const std::string id, parse_pushed(response.body, shown));
  return std::vector<std::string>{name() + ": " + service + "/" + id};
}

}  // namespace

Result<std::unique_ptr<ProfileDestination>> open_profefe_destination(std::string_view location,
                                                                     const net::HttpOptions& http) {
  PGO_TRY(store_access::StoreLocation parsed,
          store_access::parse_store_location(location, "profefe", {}));
  return std::unique_ptr<ProfileDestination>(
      std::make_unique<ProfefeDestination>(std::move(parsed), http));
}

}  // namespace pgo::profefe
