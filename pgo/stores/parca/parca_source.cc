#include "pgo/stores/parca/parca_source.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "pgo/store_access/kept_labels.h"
#include "pgo/store_access/label_matchers.h"
#include "pgo/store_access/merged_download.h"
#include "pgo/store_access/merged_hours.h"
#include "pgo/store_access/profile_type.h"
#include "pgo/stores/parca/parca_access.h"
#include "pgo/stores/parca/parca_messages.h"

namespace pgo::parca {
namespace {

using store_access::KeptLabels;
using store_access::MergeAnswer;
using store_access::MergedQuery;

constexpr const char* kService = "/parca.query.v1alpha1.QueryService/";
constexpr int64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond;

enum Form : unsigned { kMerge, kSingle };

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

// Merged numbers of samples come as time: of each the period times a whole number. So the greatest
// common divisor is the period, or a multiple of it in a thin profile: never too many samples.
void find_period(StackProfile& profile) {
  if (profile.period != 0 || profile.sample_types.size() != 1) return;
  if (profile.text(profile.sample_types[0].unit) != "nanoseconds") return;
  int64_t divisor = 0;
  for (const int64_t value : profile.values) {
    if (value < 0) return;
    divisor = std::gcd(divisor, value);
  }
  profile.period = divisor;
  profile.period_type = profile.sample_types[0];
}

class ParcaMerges : public store_access::MergingStore {
 public:
  ParcaMerges(const ParcaAccess& access, std::string type, std::vector<std::string> group_by)
      : access_(access),
        type_(std::move(type)),
        selector_(access.location.parameter("selector")),
        group_by_(std::move(group_by)) {}

  net::HttpRequest request(const MergedQuery& query) const override {
    const std::string selection = type_ + store_access::matchers_text(query.apart, selector_);
    return access_.request(std::string(kService) + "Query",
                           query.form == kSingle
                               ? single_request(selection, query.window.begin)
                               : merge_request(selection, query.window, group_by_));
  }

  Result<MergeAnswer> read(const net::HttpResponse& response, MergedQuery& query) const override {
    const std::string& shown = access_.location.shown;
    PGO_TRY(const net::GrpcAnswer answer, net::read_grpc_answer(response, shown));
    if (answer.status == net::kGrpcNotFound && query.form == kSingle) {
      // Lists have whole seconds, and the profile may be of a part of one.
      query.form = kMerge;
      return MergeAnswer{MergeAnswer::Kind::kAskAgain};
    }
    if (answer.status == net::kGrpcNotFound) return MergeAnswer{};
    if (answer.status != net::kGrpcOk) return fail(net::grpc_error(shown, answer));
    PGO_TRY(std::optional<std::string> pprof, parse_query(answer.message, shown));
    if (!pprof)
      return fail(ErrorKind::kInput, shown + ": the server sent no pprof profile",
                  "check the URL: Parca 0.20 or later is expected there");
    return MergeAnswer{MergeAnswer::Kind::kProfile, *std::move(pprof)};
  }

  void repair(StackProfile& profile) const override {
    set_has_functions(profile);
    find_period(profile);
  }

 private:
  const ParcaAccess& access_;
  std::string type_, selector_;
  std::vector<std::string> group_by_;
};

class ParcaSource : public Source {
 public:
  explicit ParcaSource(ParcaAccess access) : access_(std::move(access)), client_(access_.http) {}

  const std::string& name() const override { return access_.location.shown; }
  const std::string& identity() const override { return access_.location.shown; }
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override;
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override;
  std::string how_to_keep(LostPart part) const override;

 private:
  using TakeAnswer = std::function<Result<void>(const std::string& message)>;
  Result<void> ask(const std::string& method, const std::vector<std::string>& messages,
                   const TakeAnswer& take);
  Result<std::string> choose_type(const SourceQuery& query);
  Result<KeptLabels> choose_labels(const SourceQuery& query, const std::string& type);
  void add_object(MergedQuery query, Labels labels, int64_t value);
  bool is_single() const { return access_.location.parameter("profiles") == "single"; }

  ParcaAccess access_;
  net::HttpClient client_;

  // Of the latest list().
  std::unique_ptr<ParcaMerges> merges_;
  std::map<std::string, MergedQuery> queries_;  // by name
  std::map<std::string, SourceObject> objects_;
  std::map<std::string, int64_t> values_;  // sums of what the profiles of an object count
};

// What is not found is no error here: there is none of it.
Result<void> ParcaSource::ask(const std::string& method, const std::vector<std::string>& messages,
                              const TakeAnswer& take) {
  Result<void> outcome = ok();
  const auto read = [&](const net::HttpResponse& response) -> Result<void> {
    PGO_TRY(const net::GrpcAnswer answer, net::read_grpc_answer(response, name()));
    if (answer.status == net::kGrpcNotFound) return ok();
    if (answer.status != net::kGrpcOk) return fail(net::grpc_error(name(), answer));
    return take(answer.message);
  };
  size_t next = 0;
  client_.run_in_memory([&]() -> std::optional<net::MemoryRequest> {
    if (next == messages.size() || !outcome) return std::nullopt;
    return net::MemoryRequest{access_.request(kService + method, messages[next++]),
                              [&](Result<net::HttpResponse> response) {
                                Result<void> taken =
                                    response ? read(*response) : fail(response.error());
                                if (outcome) outcome = std::move(taken);
                              }};
  });
  return outcome;
}

Result<std::string> ParcaSource::choose_type(const SourceQuery& query) {
  const std::string& named = access_.location.parameter("type");
  if (!named.empty()) return std::string(named);
  Names types;
  PGO_CHECK(ask("ProfileTypes", {profile_types_request(*query.window)},
                [&](const std::string& message) -> Result<void> {
                  PGO_TRY(types, parse_profile_types(message, name()));
                  return ok();
                }));
  return store_access::choose_profile_type(types, query.sample_type, name());
}

Result<KeptLabels> ParcaSource::choose_labels(const SourceQuery& query, const std::string& type) {
  Names names;
  PGO_CHECK(ask("Labels", {label_names_request(type, *query.window)},
                [&](const std::string& message) -> Result<void> {
                  PGO_TRY(names, parse_label_names(message, name()));
                  return ok();
                }));
  return store_access::choose_kept_labels(names, query.labels, access_.location.parameter("labels"),
                                          name());
}

void ParcaSource::add_object(MergedQuery query, Labels labels, int64_t value) {
  SourceObject object = store_access::merged_object(query.window, query.apart, std::move(labels));
  int64_t& sum = values_[object.name];
  if (__builtin_add_overflow(sum, value, &sum)) sum = INT64_MAX;
  queries_.insert_or_assign(object.name, std::move(query));
  objects_.insert_or_assign(object.name, std::move(object));
}

Result<std::vector<SourceObject>> ParcaSource::list(const SourceQuery& query, Diagnostics&) {
  queries_.clear();
  objects_.clear();
  values_.clear();
  std::vector<SourceObject> listed;
  PGO_TRY(const std::vector<TimeWindow> hours, store_access::hours_of(query.window, name()));
  if (hours.empty()) return listed;
  PGO_TRY(const std::string type, choose_type(query));
  if (type.empty()) return listed;
  PGO_TRY(const KeptLabels kept, choose_labels(query, type));
  merges_ = std::make_unique<ParcaMerges>(
      access_, type, store_access::names_of(access_.location.parameter("group")));

  const std::string selection =
      type + store_access::matchers_text(kept.matchers_of(query.labels),
                                         access_.location.parameter("selector"));
  // A number of samples is time when it is merged, and without its period when it is not.
  const Form form = type.find(":samples:count:") == type.npos ? kSingle : kMerge;
  std::vector<std::string> requests;
  for (const TimeWindow& day : store_access::days_of(*query.window))
    requests.push_back(query_range_request(selection, day, is_single() ? kSecond : kHour));
  PGO_CHECK(ask("QueryRange", requests, [&](const std::string& message) -> Result<void> {
    PGO_TRY(const std::vector<ProfileSeries> all, parse_query_range(message, name()));
    for (const ProfileSeries& series : all) {
      const Labels apart = is_single() ? series.labels : kept.apart(series.labels);
      const Labels labels = kept.labels_of(apart);
      for (const SeriesPoint& point : series.points) {
        const auto hour = std::find_if(hours.begin(), hours.end(), [&](const TimeWindow& one) {
          return one.begin / kHour == point.time / kHour;
        });
        if (hour == hours.end()) continue;
        if (is_single())
          add_object({apart, {point.time, point.time + kSecond}, form}, labels, point.value);
        else
          add_object({apart, *hour, kMerge}, labels, point.value);
      }
    }
    return store_access::check_object_count(objects_.size(), name());
  }));
  for (auto& [object_name, object] : objects_) {
    // More profiles of the hour would count more.
    object.version = "counts " + std::to_string(values_.at(object_name));
    listed.push_back(object);
  }
  return listed;
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
  PGO_TRY(store_access::StoreLocation parsed,
          store_access::parse_store_location(
              location, kParca, {"type", "selector", "labels", "group", "profiles", "protocol"}));
  const std::string& profiles = parsed.parameter("profiles");
  if (!profiles.empty() && profiles != "single" && profiles != "merged")
    return fail(ErrorKind::kUsage,
                parsed.shown + ": the parameter 'profiles' is neither merged nor single");
  PGO_TRY(ParcaAccess access, parca_access(std::move(parsed), environment, http));
  return std::unique_ptr<Source>(std::make_unique<ParcaSource>(std::move(access)));
}

}  // namespace pgo::parca
