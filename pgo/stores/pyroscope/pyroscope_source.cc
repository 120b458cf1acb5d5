#include "pgo/stores/pyroscope/pyroscope_source.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "pgo/store_access/kept_labels.h"
#include "pgo/store_access/label_matchers.h"
#include "pgo/store_access/merged_download.h"
#include "pgo/store_access/merged_hours.h"
#include "pgo/store_access/profile_type.h"
#include "pgo/stores/pyroscope/connect_error.h"
#include "pgo/stores/pyroscope/pyroscope_access.h"
#include "pgo/stores/pyroscope/pyroscope_messages.h"

namespace pgo::pyroscope {
namespace {

using store_access::KeptLabels;
using store_access::MergeAnswer;
using store_access::MergedQuery;

constexpr const char* kService = "/querier.v1.QuerierService/";
// The limits that servers have by default: what a query may span, and how far back it may look.
constexpr int64_t kDay = int64_t{86'400} * 1'000'000'000, kLookback = 7 * kDay;
constexpr int64_t kShortest = int64_t{60} * 1'000'000'000;

enum Form : unsigned { kMergeProfile, kMergeStacktraces };

// The merges of one listing.
class PyroscopeMerges : public store_access::MergingStore {
 public:
  PyroscopeMerges(const PyroscopeAccess& access, std::string type, std::string selector)
      : access_(access), type_(std::move(type)), selector_(std::move(selector)) {}

  net::HttpRequest request(const MergedQuery& query) const override {
    const std::string matchers = store_access::matchers_text(query.apart, selector_);
    const bool is_first = query.form == kMergeProfile;
    return access_.request(
        std::string(kService) + (is_first ? "SelectMergeProfile" : "SelectMergeStacktraces"),
        is_first ? merge_profile_request(type_, matchers, query.window)
                 : merge_stacktraces_request(type_, matchers, query.window));
  }

  Result<MergeAnswer> read(const net::HttpResponse& response, MergedQuery& query) const override {
    const std::string& shown = access_.location.shown;
    if (!response.is_success()) {
      const ConnectError said = parse_connect_error(response.body);
      if (is_window_too_long(said)) return MergeAnswer{MergeAnswer::Kind::kTooLong};
      if (query.form == kMergeProfile && is_unknown_method(response.status, said)) {
        query.form = kMergeStacktraces;
        return MergeAnswer{MergeAnswer::Kind::kAskAgain};
      }
      return fail(pyroscope_error(shown, response));
    }
    if (response.is_html()) return fail(net::page_error(shown));
    if (query.form == kMergeProfile) return MergeAnswer{MergeAnswer::Kind::kProfile, response.body};
    PGO_TRY(std::optional<std::string> pprof, parse_merged_stacktraces(response.body, shown));
    if (!pprof)
      return fail(ErrorKind::kUnsupported, shown + ": the server gives no profiles as pprof",
                  "use Pyroscope 1.0 or later");
    return MergeAnswer{MergeAnswer::Kind::kProfile, *std::move(pprof)};
  }

  void repair(StackProfile&) const override {}

 private:
  const PyroscopeAccess& access_;
  std::string type_, selector_;
};

class PyroscopeSource : public Source {
 public:
  explicit PyroscopeSource(PyroscopeAccess access)
      : access_(std::move(access)),
        client_(access_.http),
        identity_(access_.location.shown +
                  (access_.tenant.empty() ? "" : " of the tenant " + access_.tenant)) {}

  const std::string& name() const override { return access_.location.shown; }
  const std::string& identity() const override { return identity_; }
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override;
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override;
  std::string how_to_keep(LostPart part) const override;

 private:
  using BodyOf = std::function<std::string(const TimeWindow&)>;
  using TakeAnswer = std::function<Result<void>(const std::string& body, const TimeWindow&)>;
  Result<void> ask(const std::string& method, const std::vector<TimeWindow>& windows,
                   const BodyOf& body_of, const TakeAnswer& take);
  Result<std::string> choose_type(const SourceQuery& query);
  Result<KeptLabels> choose_labels(const SourceQuery& query, const std::string& of_type);

  PyroscopeAccess access_;
  net::HttpClient client_;
  std::string identity_;

  // Of the latest list().
  std::unique_ptr<PyroscopeMerges> merges_;
  std::map<std::string, MergedQuery> queries_;  // by name
};

// One request for each window; those that are too long for the server are halved.
Result<void> PyroscopeSource::ask(const std::string& method, const std::vector<TimeWindow>& windows,
                                  const BodyOf& body_of, const TakeAnswer& take) {
  std::deque<TimeWindow> left(windows.begin(), windows.end());
  Result<void> outcome = ok();
  const auto read = [&](const TimeWindow& window,
                        const net::HttpResponse& response) -> Result<void> {
    if (response.is_success() && response.is_html()) return fail(net::page_error(name()));
    if (response.is_success()) return take(response.body, window);
    const int64_t length = window.end - window.begin;
    if (!is_window_too_long(parse_connect_error(response.body)) || length < 2 * kShortest)
      return fail(pyroscope_error(name(), response));
    left.push_back({window.begin, window.begin + length / 2});
    left.push_back({window.begin + length / 2, window.end});
    return ok();
  };
  client_.run_in_memory([&]() -> std::optional<net::MemoryRequest> {
    if (left.empty() || !outcome) return std::nullopt;
    const TimeWindow window = left.front();
    left.pop_front();
    return net::MemoryRequest{access_.request(kService + method, body_of(window)),
                              [&, window](Result<net::HttpResponse> response) {
                                Result<void> taken =
                                    response ? read(window, *response) : fail(response.error());
                                if (outcome) outcome = std::move(taken);
                              }};
  });
  return outcome;
}

Result<std::string> PyroscopeSource::choose_type(const SourceQuery& query) {
  const std::string& named = access_.location.parameter("type");
  if (!named.empty()) return std::string(named);
  Names types;
  PGO_CHECK(ask("ProfileTypes", store_access::days_of(*query.window), profile_types_request,
                [&](const std::string& body, const TimeWindow&) -> Result<void> {
                  PGO_TRY(Names found, parse_profile_types(body, name()));
                  types.merge(found);
                  return ok();
                }));
  return store_access::choose_profile_type(types, query.sample_type, name());
}

Result<KeptLabels> PyroscopeSource::choose_labels(const SourceQuery& query,
                                                  const std::string& of_type) {
  Names names;
  PGO_CHECK(ask(
      "LabelNames", store_access::days_of(*query.window),
      [&](const TimeWindow& window) { return label_names_request(of_type, window); },
      [&](const std::string& body, const TimeWindow&) -> Result<void> {
        PGO_TRY(Names found, parse_label_names(body, name()));
        names.merge(found);
        return ok();
      }));
  return store_access::choose_kept_labels(names, query.labels, access_.location.parameter("labels"),
                                          name());
}

Result<std::vector<SourceObject>> PyroscopeSource::list(const SourceQuery& query,
                                                        Diagnostics& diagnostics) {
  queries_.clear();
  PGO_TRY(const std::vector<TimeWindow> hours, store_access::hours_of(query.window, name()));
  std::vector<SourceObject> objects;
  if (hours.empty()) return objects;
  PGO_TRY(const std::string type, choose_type(query));
  if (type.empty()) return objects;
  const std::string& selector = access_.location.parameter("selector");
  const Labels of_type = {{"__profile_type__", type}};
  PGO_TRY(const KeptLabels kept,
          choose_labels(query, store_access::matchers_text(of_type, selector)));
  Labels asked = kept.matchers_of(query.labels);
  asked.insert(of_type.begin(), of_type.end());
  const std::string matchers = store_access::matchers_text(asked, selector);
  merges_ = std::make_unique<PyroscopeMerges>(access_, type, selector);
  PGO_CHECK(ask(
      "Series", hours,
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
  const bool is_far_back = query.window->end - query.window->begin > kLookback;
  if (is_far_back && !objects.empty() && objects.front().time > query.window->begin + kDay)
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
  PGO_TRY(store_access::StoreLocation parsed,
          store_access::parse_store_location(location, kPyroscope, {"type", "selector", "labels"}));
  PGO_TRY(PyroscopeAccess access, pyroscope_access(std::move(parsed), environment, http));
  return std::unique_ptr<Source>(std::make_unique<PyroscopeSource>(std::move(access)));
}

}  // namespace pgo::pyroscope
