#include "pgo/stores/parca/parca_messages.h"

#include "pgo/stores/parca/parca.pb.h"

namespace pgo::parca {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kMillisecond = 1'000'000;
constexpr int32_t kModeMerge = 2, kReportPprof = 1;
// Of the times that have a number of nanoseconds.
constexpr int64_t kMaxSeconds = INT64_MAX / kSecond - 1;

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

Failure no_answer(const std::string& shown) {
  return fail(ErrorKind::kInput, shown + ": the server did not answer as Parca does",
              "check the URL: Parca 0.20 or later is expected there");
}

Failure too_many(const std::string& shown, size_t most, const char* what) {
  return fail(ErrorKind::kInput,
              shown + ": the server has more than " + std::to_string(most) + " " + what,
              "choose less with the parameter 'selector', or a shorter window");
}

template <typename Response>
bool parse(Response& response, std::string_view answer) {
  return answer.size() <= INT32_MAX &&
         response.ParseFromArray(answer.data(), static_cast<int>(answer.size()));
}

std::string type_text(const messages::ProfileType& type) {
  return type.name() + ":" + type.sample_type() + ":" + type.sample_unit() + ":" +
         type.period_type() + ":" + type.period_unit() + (type.delta() ? ":delta" : "");
}

std::string serialized_query(messages::QueryRequest& request) {
  request.set_report_type(kReportPprof);
  return request.SerializeAsString();
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
                          const std::vector<std::string>& group_by) {
  messages::QueryRequest request;
  request.set_mode(kModeMerge);
  request.mutable_merge()->set_query(query);
  set_window(*request.mutable_merge(), window);
  for (const std::string& name : group_by) request.mutable_group_by()->add_fields("labels." + name);
  return serialized_query(request);
}

std::string single_request(const std::string& query, int64_t time) {
  messages::QueryRequest request;
  request.mutable_single()->set_query(query);
  set_time(*request.mutable_single()->mutable_time(), time);
  return serialized_query(request);
}

std::string write_raw_request(const Labels& labels, std::string_view pprof) {
  messages::WriteRawRequest request;
  messages::RawProfileSeries& series = *request.add_series();
  set_labels(*series.mutable_labels(), labels);
  series.add_samples()->set_raw_profile(std::string(pprof));
  return request.SerializeAsString();
}

Result<Names> parse_profile_types(std::string_view answer, const std::string& shown) {
  messages::ProfileTypesResponse response;
  if (!parse(response, answer)) return no_answer(shown);
  Names names;
  for (const messages::ProfileType& type : response.types()) names.insert(type_text(type));
  if (names.size() > kMaxNames) return too_many(shown, kMaxNames, "profile types");
  return names;
}

Result<Names> parse_label_names(std::string_view answer, const std::string& shown) {
  messages::LabelsResponse response;
  if (!parse(response, answer)) return no_answer(shown);
  Names names(response.label_names().begin(), response.label_names().end());
  if (names.size() > kMaxNames) return too_many(shown, kMaxNames, "names of labels");
  return names;
}

Result<std::vector<ProfileSeries>> parse_query_range(std::string_view answer,
                                                     const std::string& shown) {
  messages::QueryRangeResponse response;
  if (!parse(response, answer)) return no_answer(shown);
  std::vector<ProfileSeries> all;
  size_t points = 0;
  for (const messages::MetricsSeries& one : response.series()) {
    ProfileSeries& series = all.emplace_back();
    for (const messages::Label& label : one.labelset().labels())
      series.labels.insert_or_assign(label.name(), label.value());
    points += static_cast<size_t>(one.samples().size());
    if (points > kMaxPoints) return too_many(shown, kMaxPoints, "profiles in the window");
    for (const messages::MetricsSample& sample : one.samples()) {
      const messages::Timestamp& time = sample.timestamp();
      if (time.seconds() < 0 || time.seconds() > kMaxSeconds || time.nanos() < 0 ||
          time.nanos() >= kSecond)
        return no_answer(shown);
      series.points.push_back({time.seconds() * kSecond + time.nanos(), sample.value()});
    }
  }
  return all;
}

Result<std::optional<std::string>> parse_query(std::string_view answer, const std::string& shown) {
  messages::QueryResponse response;
  if (!parse(response, answer)) return no_answer(shown);
  if (response.pprof().empty()) return std::optional<std::string>();
  return std::optional(std::move(*response.mutable_pprof()));
}

}  // namespace pgo::parca
