#include "pgo/fetch/candidate.h"

#include <optional>
#include <utility>

#include "pgo/base/time_text.h"
#include "pgo/source/name_labels.h"

namespace pgo {
namespace {

constexpr size_t kHourText = std::string_view("2026-11-26T13").size();

std::string date_of(const Labels& labels) {
  const std::string date = label_of(labels, "date");
  return date.empty() ? label_of(labels, "day") : date;
}

std::string hour_text(int64_t time) { return format_time(time).substr(0, kHourText); }

}  // namespace

std::string label_of(const Labels& labels, std::string_view key) {
  auto found = labels.find(key);
  return found == labels.end() ? "" : found->second;
}

std::string host_label_of(const Labels& labels) {
  for (const char* key : {"host", "hostname", "instance", "pod", "node"})
    if (std::string host = label_of(labels, key); !host.empty()) return host;
  return "";
}

std::optional<TimeWindow> window_of(const RecordedTime& recorded) {
  constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
  if (recorded.evidence == TimeEvidence::kNone) return std::nullopt;
  const int64_t length = recorded.evidence == TimeEvidence::kName ? kHour : 0;
  return TimeWindow{recorded.time, recorded.time + length};
}

RecordedTime recorded_time(const SourceObject& object) {
  const std::string hour = label_of(object.labels, "hour"), date = date_of(object.labels);
  const bool has_time = object.time_evidence != TimeEvidence::kNone;
  // The time of day that a store or a name tells is finer than the hour.
  if (has_time && object.time_evidence <= TimeEvidence::kName)
    return {object.time, object.time_evidence, hour_text(object.time)};
  if (std::optional<int64_t> named = hour_of(object.labels))
    return {*named, TimeEvidence::kName, hour_text(*named)};
  RecordedTime recorded{object.time, object.time_evidence, {}};
  if (!hour.empty())
    recorded.hour = date.empty() ? hour : date + "T" + hour;
  else if (has_time)
    recorded.hour = hour_text(object.time);
  return recorded;
}

std::string Candidate::shown() const {
  const bool is_one_object =
      source_name.ends_with("/" + object.name) || source_name.ends_with(":" + object.name);
  return is_one_object ? source_name : source_name + ": " + object.name;
}

Candidate Candidate::of(size_t source, const std::string& source_name, SourceObject object) {
  Candidate candidate{source, source_name, std::move(object), {}};
  candidate.recorded = recorded_time(candidate.object);
  return candidate;
}

std::strong_ordering Candidate::operator<=>(const Candidate& other) const {
  if (auto names = object.name <=> other.object.name; names != 0) return names;
  return source_name <=> other.source_name;
}

}  // namespace pgo
