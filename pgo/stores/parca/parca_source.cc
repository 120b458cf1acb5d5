#include "pgo/stores/parca/parca_source.h"

#include <map>
#include <utility>
#include <vector>

#include "pgo/store_access/kept_labels.h"
#include "pgo/store_access/label_matchers.h"
#include "pgo/store_access/merged_download.h"
#include "pgo/store_access/merged_hours.h"
#include "pgo/store_access/profile_type.h"
#include "pgo/stores/parca/merged_samples.h"
#include "pgo/stores/parca/parca_api.h"
#include "pgo/stores/parca/parca_messages.h"

namespace pgo::parca {
namespace {

using store_access::KeptLabels;
using store_access::MergedQuery;
using store_access::MergeRequest;
using store_access::TypeParts;

// Methods.
constexpr const char *kProfileTypes = "/parca.query.v1alpha1.QueryService/ProfileTypes",
                     *kLabels = "/parca.query.v1alpha1.QueryService/Labels",
                     *kQueryRange = "/parca.query.v1alpha1.QueryService/QueryRange",
                     *kQuery = "/parca.query.v1alpha1.QueryService/Query";
constexpr int64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond;

// Which mappings have names, their locations tell: Parca says so of all.
void set_has_functions(StackProfile& profile) {
  std::vector<bool> has_lines(profile.mappings.size());
  for (size_t i = 0; i < profile.locations.size(); i++) {
    const MappingId mapping = profile.locations[i].mapping;
    if (mapping != kNoMapping && !profile.lines[i].empty())
      has_lines[static_cast<size_t>(mapping)] = true;
  }
  for (size_t i = 0; i < profile.mappings.size(); i++)
    profile.mappings[i].has_functions = has_lines[i];
}

// A type to be asked for.
struct AskedType {
  std::string text;
  bool is_delta = true;  // of profiles that have a duration
  bool counts_samples = false;
};

AskedType asked_type(std::string text) {
  AskedType type;
  if (const std::optional<TypeParts> parts = store_access::parse_profile_type(text)) {
    type.is_delta = parts->is_delta;
    type.counts_samples = parts->counts_samples();
  }
  type.text = std::move(text);
  return type;
}

// The merges of one listing.
class ParcaMerges : public store_access::MergingStore {
 public:
  ParcaMerges(const ParcaApi& server, AskedType type, Names group_by)
      : server_(server), type_(std::move(type)), group_by_(std::move(group_by)) {}

  const store_access::StoreApi& api() const override { return server_; }

  MergeRequest request(const MergedQuery& query) const override {
    const std::string& more = server_.server().location.parameter("selector");
    return {kQuery, merge_request(store_access::selection_text(type_.text, query.apart, more),
                                  query.window, group_by_)};
  }

  Result<std::string> pprof_of(const std::string& message, const MergedQuery&) const override {
    PGO_TRY(std::optional<std::string> pprof, parse_query(message, server_.name()));
    if (pprof) return *std::move(pprof);
    return fail(ErrorKind::kInput, server_.name() + ": the server sent no pprof profile",
                "check the URL: Parca 0.20 or later is expected there");
  }

  void repair(StackProfile& profile, const MergedQuery& query, const std::string& shown,
              Diagnostics& diagnostics) const override {
    set_has_functions(profile);
    const ListedSamples kind = !type_.counts_samples ? ListedSamples::kNone
                               : type_.is_delta      ? ListedSamples::kAll
                                                     : ListedSamples::kSome;
    restore_samples(profile, kind, query.listed, shown, diagnostics);
  }

 private:
  const ParcaApi& server_;
  AskedType type_;
  Names group_by_;
};

class ParcaSource : public Source {
 public:
  explicit ParcaSource(std::unique_ptr<ParcaApi> api)
      : api_(std::move(api)), client_(api_->server().http) {}

  const std::string& name() const override { return api_->name(); }
  const std::string& identity() const override { return api_->server().identity; }
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override;
  bool lists_all_times() const override { return false; }
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override;
  std::string how_to_keep(LostPart part) const override;

 private:
  // What has been listed of an object.
  struct Listed {
    SourceObject object;
    MergedQuery query;
    size_t points = 0;
  };

  Result<void> ask(const std::string& method, const std::vector<TimeWindow>& windows,
                   const store_access::MessageOf& message_of,
                   const std::function<Result<void>(const std::string& message)>& take);
  Result<std::string> choose_type(const std::string& sample_type, const TimeWindow& window);
  Result<KeptLabels> choose_labels(const SourceQuery& query, const TimeWindow& window,
                                   const AskedType& type);
  Result<void> take_series(const std::string& message, const std::vector<TimeWindow>& hours,
                           const KeptLabels& kept, std::map<std::string, Listed>& listed) const;
  const std::string& parameter(const char* parameter_name) const {
    return api_->server().location.parameter(parameter_name);
  }
  bool is_single() const { return parameter("profiles") == "single"; }

  std::unique_ptr<ParcaApi> api_;
  net::HttpClient client_;

  // Of the latest list().
  std::unique_ptr<ParcaMerges> merges_;
  std::map<std::string, MergedQuery> queries_;  // by name
};

Result<void> ParcaSource::ask(const std::string& method, const std::vector<TimeWindow>& windows,
                              const store_access::MessageOf& message_of,
                              const std::function<Result<void>(const std::string& message)>& take) {
  return store_access::ask_windows(
      *api_, client_, method, windows, message_of,
      [&](const std::string& message, const TimeWindow&) { return take(message); });
}

Result<std::string> ParcaSource::choose_type(const std::string& sample_type,
                                             const TimeWindow& window) {
  const std::string& named = parameter("type");
  if (!named.empty()) return std::string(named);
  Names types;
  PGO_CHECK(ask(kProfileTypes, {window}, profile_types_request,
                [&](const std::string& message) -> Result<void> {
                  PGO_TRY(Names found, parse_profile_types(message, name()));
                  types.merge(found);
                  return ok();
                }));
  return store_access::choose_profile_type(types, sample_type, name());
}

Result<KeptLabels> ParcaSource::choose_labels(const SourceQuery& query, const TimeWindow& window,
                                              const AskedType& type) {
  Names names;
  // A type that is no name of a metric cannot be said here: then labels are those of all types.
  std::string of_type;
  if (store_access::is_metric_name(type.text)) of_type = type.text;
  PGO_CHECK(ask(
      kLabels, {window}, [&](const TimeWindow& part) { return label_names_request(of_type, part); },
      [&](const std::string& message) -> Result<void> {
        PGO_TRY(Names found, parse_label_names(message, name()));
        names.merge(found);
        return ok();
      }));
  PGO_CHECK(store_access::check_labels(names, store_access::names_of(parameter("group")), "group",
                                       name()));
  return store_access::choose_kept_labels(names, query.labels, parameter("labels"), name());
}

// Objects are hours, or with profiles=single seconds: the server tells apart no shorter ones.
Result<void> ParcaSource::take_series(const std::string& message,
                                      const std::vector<TimeWindow>& hours, const KeptLabels& kept,
                                      std::map<std::string, Listed>& listed) const {
  PGO_TRY(const std::vector<ProfileSeries> all, parse_query_range(message, name()));
  const int64_t first_hour = hours.front().begin / kHour;
  for (const ProfileSeries& series : all) {
    const Labels apart = is_single() ? series.labels : kept.apart(series.labels);
    const Labels labels = kept.labels_of(apart);
    for (const SeriesPoint& point : series.points) {
      const int64_t hour = point.time / kHour - first_hour;
      if (hour < 0 || static_cast<size_t>(hour) >= hours.size()) continue;
      const int64_t second = point.time / kSecond * kSecond;
      const TimeWindow window =
          is_single() ? TimeWindow{second, second + kSecond} : hours[static_cast<size_t>(hour)];
      SourceObject object = store_access::merged_object(window, apart, labels);
      Listed& one = listed[object.name];
      if (one.points++ == 0) {
        one.object = std::move(object);
        one.query = {apart, window};
      }
      if (__builtin_add_overflow(one.query.listed, point.value, &one.query.listed))
        one.query.listed = INT64_MAX;
    }
  }
  return store_access::check_object_count(listed.size(), name());
}

Result<std::vector<SourceObject>> ParcaSource::list(const SourceQuery& query, Diagnostics&) {
  queries_.clear();
  std::vector<SourceObject> objects;
  PGO_TRY(const std::vector<TimeWindow> hours, store_access::hours_of(query.window, name()));
  const TimeWindow window = query.window.value_or(TimeWindow());  // it is there
  if (hours.empty()) return objects;
  PGO_TRY(std::string chosen, choose_type(query.sample_type, window));
  if (chosen.empty()) return objects;
  const AskedType type = asked_type(std::move(chosen));
  PGO_TRY(const KeptLabels kept, choose_labels(query, window, type));
  merges_ = std::make_unique<ParcaMerges>(*api_, type, store_access::names_of(parameter("group")));

  const std::string selection = store_access::selection_text(
      type.text, kept.matchers_of(query.labels), parameter("selector"));
  // Profiles without a duration are not summed up: of each step, the server lists one.
  const int64_t step = is_single() || !type.is_delta ? kSecond : kHour;
  std::map<std::string, Listed> listed;  // by name
  PGO_CHECK(ask(
      kQueryRange, store_access::days_of(window),
      [&](const TimeWindow& part) { return query_range_request(selection, part, step); },
      [&](const std::string& message) { return take_series(message, hours, kept, listed); }));
  for (auto& [object_name, one] : listed) {
    // More profiles of the hour would count more.
    one.object.version = "counts " + std::to_string(one.query.listed) + " in " +
                         std::to_string(one.points) + " steps";
    objects.push_back(std::move(one.object));
    queries_.emplace(object_name, std::move(one.query));
  }
  return objects;
}

void ParcaSource::fetch(std::span<const SourceObject> objects, ObjectSink& sink) {
  store_access::download_merged(objects, queries_, *merges_, name(), client_, sink);
}

std::string ParcaSource::how_to_keep(LostPart part) const {
  switch (part) {
    case LostPart::kAddresses:
      return "Parca removes the addresses of locations that were pushed with function names; push "
             "them without names ('pgo upload' does), or by parca-agent";
    case LostPart::kBuildIds:
      return "link with -Wl,--build-id, and use an agent that sends build IDs";
  }
  return {};
}

}  // namespace

bool is_parca(std::string_view location) {
  return store_access::is_store_location(location, kParca);
}

Result<std::unique_ptr<Source>> open_parca(std::string_view location,
                                           const store_access::Environment& environment,
                                           const net::HttpOptions& http) {
  PGO_TRY(std::unique_ptr<ParcaApi> api,
          open_parca_api(location, {"type", "selector", "labels", "group", "profiles"}, environment,
                         http));
  const std::string& profiles = api->server().location.parameter("profiles");
  if (!profiles.empty() && profiles != "single" && profiles != "merged")
    return fail(ErrorKind::kUsage,
                api->name() + ": the parameter 'profiles' is neither merged nor single");
  return std::unique_ptr<Source>(std::make_unique<ParcaSource>(std::move(api)));
}

}  // namespace pgo::parca
