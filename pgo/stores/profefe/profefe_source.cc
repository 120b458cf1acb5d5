#include "pgo/stores/profefe/profefe_source.h"

#include <utility>
#include <vector>

#include "pgo/base/time_text.h"
#include "pgo/net/percent_encoding.h"
#include "pgo/store_access/merged_hours.h"
#include "pgo/store_access/object_transfer.h"
#include "pgo/store_access/store_location.h"
#include "pgo/stores/profefe/profefe_answers.h"

namespace pgo::profefe {
namespace {

constexpr const char *kProfefe = "profefe", *kApi = "/api/0/";
constexpr uint64_t kMaxAnswer = 64 << 20;  // of a list
constexpr int64_t kSecond = 1'000'000'000;

// "2026-11-26T13:00:00": whole seconds, without a zone.
std::string seconds_text(int64_t time) {
  return format_time(time / kSecond * kSecond)
      .substr(0, std::string_view("2026-11-26T13:00:00").size());
}

// profefe's type of profiles with these samples.
std::string type_of(const std::string& sample_type) {
  const auto begins_with = [&](const char* word) { return sample_type.starts_with(word); };
  if (begins_with("alloc_") || begins_with("inuse_")) return "heap";
  if (begins_with("contentions") || begins_with("delay")) return "mutex";
  if (begins_with("goroutine")) return "goroutine";
  return "cpu";
}

class ProfefeSource : public Source {
 public:
  ProfefeSource(store_access::StoreLocation location, net::HttpOptions http)
      : location_(std::move(location)), client_(std::move(http)) {}

  const std::string& name() const override { return location_.shown; }
  const std::string& identity() const override { return location_.shown; }
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override;
  bool lists_all_times() const override { return false; }
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override;

 private:
  // The body; nothing where nothing is found.
  Result<std::optional<std::string>> get(const std::string& path);
  Result<std::vector<std::string>> services_of(const SourceQuery& query);
  Result<void> add_profiles(const std::string& service, const SourceQuery& query,
                            std::vector<SourceObject>& objects);

  store_access::StoreLocation location_;
  net::HttpClient client_;
};

Result<std::optional<std::string>> ProfefeSource::get(const std::string& path) {
  PGO_TRY(net::HttpResponse response,
          client_.send({.url = location_.url(kApi + path), .shown = name()}));
  if (response.status == 204) return std::optional<std::string>();
  if (response.status == 404 && response.body.find("nothing found") != std::string::npos)
    return std::optional<std::string>();
  if (!response.is_success()) return fail(profefe_error(name(), response));
  if (response.is_html()) return fail(net::page_error(name()));
  return std::optional(std::move(response.body));
}

Result<std::vector<std::string>> ProfefeSource::services_of(const SourceQuery& query) {
  const auto service = query.labels.find("service");
  if (service != query.labels.end()) return std::vector<std::string>{service->second};
  PGO_TRY(const std::optional<std::string> answer, get("services"));
  if (!answer) return std::vector<std::string>();
  return parse_services(*answer, name());
}

Result<void> ProfefeSource::add_profiles(const std::string& service, const SourceQuery& query,
                                         std::vector<SourceObject>& objects) {
  const TimeWindow window = query.window.value_or(TimeWindow());  // list() has checked it
  Labels others = query.labels;
  others.erase("service");
  PGO_TRY(const std::string labels, labels_text(others, name()));
  std::vector<std::pair<std::string, std::string>> parameters = {
      {"service", service},
      {"type", location_.parameter("type").empty() ? type_of(query.sample_type)
                                                   : location_.parameter("type")},
      {"from", seconds_text(window.begin)},
      {"to", seconds_text(window.end + kSecond - 1)}};
  if (!labels.empty()) parameters.emplace_back("labels", labels);
  PGO_TRY(const std::optional<std::string> answer,
          get("profiles?" + net::encode_query(std::move(parameters))));
  if (!answer) return ok();
  PGO_TRY(const std::vector<StoredProfile> profiles, parse_profiles(*answer, name()));
  for (const StoredProfile& profile : profiles) {
    SourceObject object;
    object.name = net::percent_encode(service) + "/" + profile.id;
    object.labels = profile.labels;
    object.labels.insert_or_assign("service", service);
    if (profile.created) {
      object.time = *profile.created;
      object.time_evidence = TimeEvidence::kStore;
    }
    object.version = profile.id;  // profiles do not change
    objects.push_back(std::move(object));
  }
  return ok();
}

Result<std::vector<SourceObject>> ProfefeSource::list(const SourceQuery& query, Diagnostics&) {
  if (!query.window)
    return fail(ErrorKind::kUsage, name() + ": the window is missing; this store needs one",
                "choose it with 'pgo fetch', and name its bundle");
  std::vector<SourceObject> objects;
  PGO_TRY(const std::vector<std::string> services, services_of(query));
  for (const std::string& service : services) {
    PGO_CHECK(add_profiles(service, query, objects));
    PGO_CHECK(store_access::check_object_count(objects.size(), name()));
  }
  store_access::sort_objects(objects);
  return objects;
}

void ProfefeSource::fetch(std::span<const SourceObject> objects, ObjectSink& sink) {
  size_t next = 0;
  client_.run([&]() -> std::unique_ptr<net::HttpTransfer> {
    if (next == objects.size()) return nullptr;
    const size_t object = next++;
    const std::string shown = name() + ": " + objects[object].name;
    return std::make_unique<store_access::ObjectTransfer>(
        net::HttpRequest{
            .url = location_.url(std::string(kApi) + "profiles/" + objects[object].version),
            .shown = shown},
        object, sink,
        [shown](const net::HttpResponse& response) { return profefe_error(shown, response); });
  });
}

}  // namespace

bool is_profefe(std::string_view location) {
  return store_access::is_store_location(location, kProfefe);
}

Result<std::unique_ptr<Source>> open_profefe(std::string_view location,
                                             const net::HttpOptions& http) {
  PGO_TRY(store_access::StoreLocation parsed,
          store_access::parse_store_location(location, kProfefe, {"type"}));
  net::HttpOptions options = http;
  options.max_body = kMaxAnswer;
  return std::unique_ptr<Source>(
      std::make_unique<ProfefeSource>(std::move(parsed), std::move(options)));
}

}  // namespace pgo::profefe
