#include "pgo/stores/parca/parca_messages.h"

#include "pgo/store_access/store_message.h"
#include "pgo/stores/parca/parca.pb.h"

namespace pgo::parca {
namespace {

using store_access::RepeatedField;

constexpr int64_t kSecond = 1'000'000'000, kMillisecond = 1'000'000;
constexpr int32_t kModeMerge = 2, kReportPprof = 1;
// Of the times that have a number of nanoseconds.
constexpr int64_t kMaxSeconds = INT64_MAX / kSecond - 1;
constexpr store_access::StoreName kName = {"Parca", "Parca 0.20 or later"};

template <typename Time>
void set_time(Time& message, int64_t nanoseconds) {
  message.set_seconds(nanoseconds / kSecond);
  message.set_nanos(static_cast<int32_t>(nanoseconds % kSecond));
}

// Both ends belong to what the server takes.
template <typename Request>
void set_window(Request& request, const TimeWindow& window) {
  set_time(*request.mutable_start(), window.begin);
  set_time(*request.mutable_end(), window.end - kMillisecond);
}

void set_labels(messages::LabelSet& set, const Labels& labels) {
  for (const auto& [name, text] : labels) {
    messages::Label& label = *set.add_labels();
    label.set_name(name);
    label.set_value(text);
  }
}

std::string type_text(const messages::ProfileType& type) {
  return type.name() + ":" + type.sample_type() + ":" + type.sample_unit() + ":" +
         type.period_type() + ":" + type.period_unit() + (type.delta() ? ":delta" : "");
}

}  // namespace

std::string profile_types_request(const TimeWindow& window) {
  messages::ProfileTypesRequest request;
  set_window(request, window);
  return request.SerializeAsString();
}

std::string label_names_request(const std::string& type, const TimeWindow& window) {
  messages::LabelsRequest request;
  set_window(request, window);
  request.set_profile_type(type);
  return request.SerializeAsString();
}

std::string query_range_request(const std::string& query, const TimeWindow& window, int64_t step) {
  messages::QueryRangeRequest request;
  request.set_query(query);
  // Here neither end belongs to what the server takes.
  set_time(*request.mutable_start(), window.begin - kMillisecond);
  set_time(*request.mutable_end(), window.end);
  set_time(*request.mutable_step(), step);
  return request.SerializeAsString();
}

std::string merge_request(const std::string& query, const TimeWindow& window,
                          const Names& group_by) {
  messages::QueryRequest request;
  request.set_mode(kModeMerge);
  request.mutable_merge()->set_query(query);
  set_window(*request.mutable_merge(), window);
  for (const std::string& name : group_by) request.mutable_group_by()->add_fields("labels." + name);
  request.set_report_type(kReportPprof);
  return request.SerializeAsString();
}

std::string write_raw_request(const Labels& labels, std::string_view pprof) {
  messages::WriteRawRequest request;
  messages::RawProfileSeries& series = *request.add_series();
  set_labels(*series.mutable_labels(), labels);
  series.add_samples()->set_raw_profile(std::string(pprof));
  return request.SerializeAsString();
}

Result<Names> parse_profile_types(std::string_view answer, const std::string& shown) {
  const RepeatedField kTypes[] = {{{1}, kMaxNames, "profile types"}};
  messages::ProfileTypesResponse response;
  PGO_CHECK(store_access::parse_store_message(answer, kTypes, kName, shown, response));
  Names names;
  for (const messages::ProfileType& type : response.types()) names.insert(type_text(type));
  return names;
}

Result<Names> parse_label_names(std::string_view answer, const std::string& shown) {
  const RepeatedField kNames[] = {{{1}, kMaxNames, "names of labels"}};
  messages::LabelsResponse response;
  PGO_CHECK(store_access::parse_store_message(answer, kNames, kName, shown, response));
  return Names(response.label_names().begin(), response.label_names().end());
}

Result<std::vector<ProfileSeries>> parse_query_range(std::string_view answer,
                                                     const std::string& shown) {
  const RepeatedField kSeries[] = {{{1}, kMaxPoints, "series in the window"},
                                   {{1, 1, 1}, kMaxPoints, "labels in the window"},
                                   {{1, 2}, kMaxPoints, "profiles in the window"}};
  messages::QueryRangeResponse response;
  PGO_CHECK(store_access::parse_store_message(answer, kSeries, kName, shown, response));
  std::vector<ProfileSeries> all;
  for (const messages::MetricsSeries& one : response.series()) {
    ProfileSeries& series = all.emplace_back();
    for (const messages::Label& label : one.labelset().labels())
      series.labels.insert_or_assign(label.name(), label.value());
    for (const messages::MetricsSample& sample : one.samples()) {
      const messages::Timestamp& time = sample.timestamp();
      if (time.seconds() < 0 || time.seconds() > kMaxSeconds || time.nanos() < 0 ||
          time.nanos() >= kSecond)
        return store_access::no_store_message(kName, shown);
      series.points.push_back({time.seconds() * kSecond + time.nanos(), sample.value()});
    }
  }
  return all;
}

Result<std::optional<std::string>> parse_query(std::string_view answer, const std::string& shown) {
  messages::QueryResponse response;
  PGO_CHECK(store_access::parse_store_message(answer, {}, kName, shown, response));
  if (response.pprof().empty()) return std::optional<std::string>();
  return std::optional(std::move(*response.mutable_pprof()));
}

}  // namespace pgo::parca
