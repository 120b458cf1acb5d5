#include "pgo/stores/pyroscope/pyroscope_messages.h"

#include "pgo/store_access/store_message.h"
#include "pgo/stores/pyroscope/pyroscope.pb.h"

namespace pgo::pyroscope {
namespace {

using store_access::RepeatedField;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int32_t kFormatPprof = 4;
constexpr size_t kMaxLabels = 2'000'000;
constexpr store_access::StoreName kName = {"Pyroscope", "Pyroscope 1.0 or later"};

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
  const RepeatedField kTypes[] = {{{1}, kMaxNames, "profile types"}};
  messages::ProfileTypesResponse response;
  PGO_CHECK(store_access::parse_store_message(answer, kTypes, kName, shown, response));
  Names names;
  for (const messages::ProfileType& type : response.profile_types()) names.insert(type.id());
  return names;
}

Result<Names> parse_label_names(std::string_view answer, const std::string& shown) {
  const RepeatedField kNames[] = {{{1}, kMaxNames, "names of labels"}};
  messages::LabelNamesResponse response;
  PGO_CHECK(store_access::parse_store_message(answer, kNames, kName, shown, response));
  return Names(response.names().begin(), response.names().end());
}

Result<std::set<Labels>> parse_series(std::string_view answer, const std::string& shown) {
  const RepeatedField kSets[] = {{{2}, kMaxNames, "sets of labels"},
                                 {{2, 1}, kMaxLabels, "labels in the window"}};
  messages::SeriesResponse response;
  PGO_CHECK(store_access::parse_store_message(answer, kSets, kName, shown, response));
  std::set<Labels> sets;
  for (const messages::Labels& set : response.labels_set()) {
    Labels labels;
    for (const messages::LabelPair& label : set.labels())
      labels.insert_or_assign(label.name(), label.value());
    sets.insert(std::move(labels));
  }
  return sets;
}

Result<std::optional<std::string>> parse_merged_stacktraces(std::string_view answer,
                                                            const std::string& shown) {
  messages::SelectMergeStacktracesResponse response;
  PGO_CHECK(store_access::parse_store_message(answer, {}, kName, shown, response));
  if (!response.has_pprof()) return std::optional<std::string>();
  return std::optional(std::move(*response.mutable_pprof()->mutable_profile()));
}

}  // namespace pgo::pyroscope
