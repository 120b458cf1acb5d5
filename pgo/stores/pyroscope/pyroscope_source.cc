#include "pgo/stores/pyroscope/pyroscope_source.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "pgo/base/clock.h"
#include "pgo/store_access/kept_labels.h"
#include "pgo/store_access/label_matchers.h"
#include "pgo/store_access/merged_download.h"
#include "pgo/store_access/merged_hours.h"
#include "pgo/store_access/profile_type.h"
#include "pgo/stores/pyroscope/pyroscope_api.h"
#include "pgo/stores/pyroscope/pyroscope_messages.h"

namespace pgo::pyroscope {
namespace {

using store_access::KeptLabels;
using store_access::MergedQuery;

// The kind of a warning.
constexpr const char* kEmptyMerge = "empty-merge";
// Methods.
constexpr const char *kProfileTypes = "/querier.v1.QuerierService/ProfileTypes",
                     *kLabelNames = "/querier.v1.QuerierService/LabelNames",
                     *kSeries = "/querier.v1.QuerierService/Series",
                     *kSelectMergeProfile = "/querier.v1.QuerierService/SelectMergeProfile",
                     *kSelectMergeStacktraces = "/querier.v1.QuerierService/SelectMergeStacktraces";
// The limits that servers have by default: what a query may span, and how far back it may look.
constexpr int64_t kDay = int64_t{86'400} * 1'000'000'000, kLookback = 7 * kDay;

enum Form : unsigned { kMergeProfile, kMergeStacktraces, kForms };

// The merges of one listing.
class PyroscopeMerges : public store_access::MergingStore {
 public:
  PyroscopeMerges(const PyroscopeApi& server, std::string type)
      : server_(server), type_(std::move(type)) {}

  const store_access::StoreApi& api() const override { return server_; }
  unsigned forms() const override { return kForms; }

  store_access::MergeRequest request(const MergedQuery& query) const override {
    const std::string matchers =
        store_access::matchers_text(query.apart, server_.server().location.parameter("selector"));
    if (query.form == kMergeProfile)
      return {kSelectMergeProfile, merge_profile_request(type_, matchers, query.window)};
    return {kSelectMergeStacktraces, merge_stacktraces_request(type_, matchers, query.window)};
  }

  Result<std::string> pprof_of(const std::string& message,
                               const MergedQuery& query) const override {
    if (query.form == kMergeProfile || message.empty()) return std::string(message);
    PGO_TRY(std::optional<std::string> pprof, parse_merged_stacktraces(message, server_.name()));
    if (pprof) return *std::move(pprof);
    return fail(ErrorKind::kUnsupported, server_.name() + ": the server gives no profiles as pprof",
                "use Pyroscope 1.0 or later");
  }

  // Series are listed from the index of a block, which may be longer than an hour, so this is no
  // error; but a store that has lost profiles answers the same.
  void repair(StackProfile& profile, const MergedQuery&, const std::string& shown,
              Diagnostics& diagnostics) const override {
    if (!profile.samples.empty()) return;
    diagnostics.warn(kEmptyMerge,
                     shown +
                         ": Pyroscope lists this series, and its merge is empty: nothing ran or "
                         "was recorded in this hour, or Pyroscope has lost it");
  }

 private:
  const PyroscopeApi& server_;
  std::string type_;
};

class PyroscopeSource : public Source {
 public:
  explicit PyroscopeSource(std::unique_ptr<PyroscopeApi> api)
      : api_(std::move(api)), client_(api_->server().http) {}

  const std::string& name() const override { return api_->name(); }
  const std::string& identity() const override { return api_->server().identity; }
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override;
  bool lists_all_times() const override { return false; }
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override;
  std::string how_to_keep(LostPart part) const override;

 private:
  Result<void> ask(const std::string& method, const std::vector<TimeWindow>& windows,
                   const store_access::MessageOf& message_of,
                   const store_access::TakeMessage& take) {
    return store_access::ask_windows(*api_, client_, method, windows, message_of, take);
  }
  Result<std::string> choose_type(const std::string& sample_type, const TimeWindow& window);
  Result<KeptLabels> choose_labels(const SourceQuery& query, const TimeWindow& window,
                                   const std::string& of_type);

  const std::string& parameter(const char* parameter_name) const {
    return api_->server().location.parameter(parameter_name);
  }

  std::unique_ptr<PyroscopeApi> api_;
  net::HttpClient client_;

  // Of the latest list().
  std::unique_ptr<PyroscopeMerges> merges_;
  std::map<std::string, MergedQuery> queries_;  // by name
};

Result<std::string> PyroscopeSource::choose_type(const std::string& sample_type,
                                                 const TimeWindow& window) {
  const std::string& named = parameter("type");
  if (!named.empty()) return std::string(named);
  Names types;
  PGO_CHECK(ask(kProfileTypes, store_access::days_of(window), profile_types_request,
                [&](const std::string& body, const TimeWindow&) -> Result<void> {
                  PGO_TRY(Names found, parse_profile_types(body, name()));
                  types.merge(found);
                  return ok();
                }));
  return store_access::choose_profile_type(types, sample_type, name());
}

Result<KeptLabels> PyroscopeSource::choose_labels(const SourceQuery& query,
                                                  const TimeWindow& window,
                                                  const std::string& of_type) {
  Names names;
  PGO_CHECK(ask(
      kLabelNames, store_access::days_of(window),
      [&](const TimeWindow& part) { return label_names_request(of_type, part); },
      [&](const std::string& body, const TimeWindow&) -> Result<void> {
        PGO_TRY(Names found, parse_label_names(body, name()));
        names.merge(found);
        return ok();
      }));
  return store_access::choose_kept_labels(names, query.labels, parameter("labels"), name());
}

Result<std::vector<SourceObject>> PyroscopeSource::list(const SourceQuery& query,
                                                        Diagnostics& diagnostics) {
  queries_.clear();
  PGO_TRY(const std::vector<TimeWindow> hours, store_access::hours_of(query.window, name()));
  const TimeWindow window = query.window.value_or(TimeWindow());  // it is there
  std::vector<SourceObject> objects;
  if (hours.empty()) return objects;
  PGO_TRY(const std::string type, choose_type(query.sample_type, window));
  if (type.empty()) return objects;
  const std::string& selector = parameter("selector");
  const Labels of_type = {{"__profile_type__", type}};
  PGO_TRY(const KeptLabels kept,
          choose_labels(query, window, store_access::matchers_text(of_type, selector)));
  Labels asked = kept.matchers_of(query.labels);
  asked.insert(of_type.begin(), of_type.end());
  const std::string matchers = store_access::matchers_text(asked, selector);
  merges_ = std::make_unique<PyroscopeMerges>(*api_, type);
  PGO_CHECK(ask(
      kSeries, hours,
      [&](const TimeWindow& hour) { return series_request(matchers, kept.names, hour); },
      [&](const std::string& body, const TimeWindow& asked_window) -> Result<void> {
        PGO_TRY(const std::set<Labels> series, parse_series(body, name()));
        // It may be a part of one.
        const TimeWindow& hour =
            *std::find_if(hours.begin(), hours.end(),
                          [&](const TimeWindow& one) { return one.contains(asked_window.begin); });
        for (const Labels& labels : series) {
          const Labels apart = kept.apart(labels);
          SourceObject object = store_access::merged_object(hour, apart, kept.labels_of(apart));
          queries_.insert_or_assign(object.name, MergedQuery{apart, hour});
          objects.push_back(std::move(object));
        }
        return store_access::check_object_count(objects.size(), name());
      }));
  store_access::sort_objects(objects);
  const bool is_far_back = window.begin < time_now() - kLookback;
  const bool has_first_day = !objects.empty() && objects.front().time <= window.begin + kDay;
  if (is_far_back && !has_first_day)
    diagnostics.warn("store-window-cut",
                     name() +
                         ": has nothing of the first day of the window; unless told otherwise, "
                         "Pyroscope looks back 7 days (querier.max-query-lookback)");
  return objects;
}

void PyroscopeSource::fetch(std::span<const SourceObject> objects, ObjectSink& sink) {
  store_access::download_merged(objects, queries_, *merges_, name(), client_, sink);
}

std::string PyroscopeSource::how_to_keep(LostPart part) const {
  switch (part) {
    case LostPart::kAddresses:
      return "Pyroscope removes the addresses of profiles that were pushed with function names; "
             "push "
             "them without names ('pgo upload' does), or by an agent that leaves them out "
             "(OpenTelemetry's eBPF profiler, Alloy)";
    case LostPart::kBuildIds:
      return "link with -Wl,--build-id, and use an agent that sends build IDs";
  }
  return {};
}

}  // namespace

bool is_pyroscope(std::string_view location) {
  return store_access::is_store_location(location, kPyroscope);
}

Result<std::unique_ptr<Source>> open_pyroscope(std::string_view location,
                                               const store_access::Environment& environment,
                                               const net::HttpOptions& http) {
  PGO_TRY(std::unique_ptr<PyroscopeApi> api,
          open_pyroscope_api(location, {"type", "selector", "labels"}, environment, http));
  return std::unique_ptr<Source>(std::make_unique<PyroscopeSource>(std::move(api)));
}

}  // namespace pgo::pyroscope
