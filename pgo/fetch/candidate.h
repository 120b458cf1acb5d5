// Candidate: a profile that a source has and that may be chosen, with what its listing tells: of
// which host it is, and when it was recorded. Nothing has been downloaded yet.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/source/source.h"

namespace pgo {

// The labels that tell parts of a fleet apart.
inline constexpr const char *kZoneLabel = "zone", *kVersionLabel = "version",
                            *kEndpointLabel = "endpoint";

// The label of a host, by any of the names that stores give it; empty: not known. In this order:
// host, hostname, instance, pod, node.
std::string host_label_of(const Labels& labels);
// Empty when there is no such label.
std::string label_of(const Labels& labels, std::string_view key);

// When a profile was recorded, as far as its listing tells.
struct RecordedTime {
  int64_t time = 0;  // nanoseconds since 1970; of an hour alone its begin
  TimeEvidence evidence = TimeEvidence::kNone;
  // "2026-11-26T13", or the text of the label `hour` as it is; empty: not known. In UTC.
  std::string hour;

  bool operator==(const RecordedTime&) const = default;
};

// What a name tells is an hour, everything else is a point in time. Nothing for no time.
std::optional<TimeWindow> window_of(const RecordedTime& recorded);

// From the label `hour` ("2026-11-26T13", or "13" beside the label `date` or `day`), or else from
// the time of the object.
RecordedTime recorded_time(const SourceObject& object);

struct Candidate {
  size_t source = 0;        // index among the sources of the request
  std::string source_name;  // Source::name()
  SourceObject object;
  RecordedTime recorded;

  // What messages call it: "SOURCE: OBJECT", or the source alone where it is one object.
  std::string shown() const;

  static Candidate of(size_t source, const std::string& source_name, SourceObject object);
  // By name, then by source. No two objects have both in common.
  std::strong_ordering operator<=>(const Candidate& other) const;
  bool operator==(const Candidate& other) const { return (*this <=> other) == 0; }
};

}  // namespace pgo
