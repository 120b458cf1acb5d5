#include "pgo/stores/pyroscope/pyroscope_messages.h"

#include "pgo/stores/pyroscope/pyroscope.pb.h"

namespace pgo::pyroscope {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int32_t kFormatPprof = 4;

template <typename Request>
void set_window(Request& request, const TimeWindow& window) {
  request.set_start(window.begin / kMillisecond);
  request.set_end((window.end - 1) / kMillisecond);
}

template <typename Request>
void set_selection(Request& request, const std::string& type, const std::string& matchers,
                   const TimeWindow& window) {
  request.set_profile_type_id(type);
  request.set_label_selector(matchers);
  set_window(request, window);
}

Failure no_answer(const std::string& shown) {
  return fail(ErrorKind::kInput, shown + ": the server did not answer as Pyroscope does",
              "check the URL: Pyroscope 1.0 or later is expected there");
}

Failure too_many(const std::string& shown, const char* what) {
  return fail(ErrorKind::kInput,
              shown + ": the server has more than " + std::to_string(kMaxNames) + " " + what,
              "choose less with the parameter 'selector'");
}

template <typename Response>
bool parse(Response& response, std::string_view answer) {
  return answer.size() <= INT32_MAX &&
         response.ParseFromArray(answer.data(), static_cast<int>(answer.size()));
}

}  // namespace

std::string profile_types_request(const TimeWindow& window) {
  messages::ProfileTypesRequest request;
  set_window(request, window);
  return request.SerializeAsString();
}

std::string label_names_request(const std::string& matchers, const TimeWindow& window) {
  messages::LabelNamesRequest request;
  request.add_matchers(matchers);
  set_window(request, window);
  return request.SerializeAsString();
}

std::string series_request(const std::string& matchers, const std::vector<std::string>& names,
                           const TimeWindow& window) {
  messages::SeriesRequest request;
  request.add_matchers(matchers);
  for (const std::string& name : names) request.add_label_names(name);
  set_window(request, window);
  return request.SerializeAsString();
}

std::string merge_profile_request(const std::string& type, const std::string& matchers,
                                  const TimeWindow& window) {
  messages::SelectMergeProfileRequest request;
  set_selection(request, type, matchers, window);
  return request.SerializeAsString();
}

std::string merge_stacktraces_request(const std::string& type, const std::string& matchers,
                                      const TimeWindow& window) {
  messages::SelectMergeStacktracesRequest request;
  set_selection(request, type, matchers, window);
  request.set_format(kFormatPprof);
  return request.SerializeAsString();
}

std::string push_request(const Labels& labels, std::string_view pprof) {
  messages::PushRequest request;
  messages::RawProfileSeries& series = *request.add_series();
  for (const auto& [name, text] : labels) {
    messages::LabelPair& label = *series.add_labels();
    label.set_name(name);
    label.set_value(text);
  }
  series.add_samples()->set_raw_profile(std::string(pprof));
  return request.SerializeAsString();
}

Result<Names> parse_profile_types(std::string_view answer, const std::string& shown) {
  messages::ProfileTypesResponse response;
  if (!parse(response, answer)) return no_answer(shown);
  Names names;
  for (const messages::ProfileType& type : response.profile_types()) names.insert(type.id());
  if (names.size() > kMaxNames) return too_many(shown, "profile types");
  return names;
}

Result<Names> parse_label_names(std::string_view answer, const std::string& shown) {
  messages::LabelNamesResponse response;
  if (!parse(response, answer)) return no_answer(shown);
  Names names(response.names().begin(), response.names().end());
  if (names.size() > kMaxNames) return too_many(shown, "names of labels");
  return names;
}

Result<std::set<Labels>> parse_series(std::string_view answer, const std::string& shown) {
  messages::SeriesResponse response;
  if (!parse(response, answer)) return no_answer(shown);
  std::set<Labels> sets;
  for (const messages::Labels& set : response.labels_set()) {
    Labels labels;
    for (const messages::LabelPair& label : set.labels())
      labels.insert_or_assign(label.name(), label.value());
    sets.insert(std::move(labels));
    if (sets.size() > kMaxNames) return too_many(shown, "sets of labels");
  }
  return sets;
}

Result<std::optional<std::string>> parse_merged_stacktraces(std::string_view answer,
                                                            const std::string& shown) {
  messages::SelectMergeStacktracesResponse response;
  if (!parse(response, answer)) return no_answer(shown);
  if (!response.has_pprof()) return std::optional<std::string>();
  return std::optional(std::move(*response.mutable_pprof()->mutable_profile()));
}

}  // namespace pgo::pyroscope
