// deliver_recording(): records a command or a process of this host, makes the profile here as
// pgo/capture does, and uploads it: of megabytes of recording, kilobytes travel.
//
//   DeliveryRequest request;
//   request.record.pid = 4711;
//   request.destination = destination.get();
//   request.key = "{hour}/{host}.addr";
//   PGO_TRY(DeliveryResult result, deliver_recording(request));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/recording/record.h"
#include "pgo/source/profile_destination.h"

namespace pgo {

struct DeliveryRequest {
  RecordRequest record;  // its output is a temporary file, and there is no second recording
  ProfileDestination* destination = nullptr;
  // The name in a directory or bucket, "queryd/{hour}/{host}.addr": "{KEY}" is a label, and
  // "{hour}" the hour in UTC, "2026-11-26T13". A recording that is sent as it is gets ".perf.data"
  // instead of
  // ".addr". Empty: as pgo upload names files.
  std::string key;
  Labels labels;  // besides the host, which is this one
};

// A profile that could not be sent.
struct UnsentProfile {
  Error error;       // of the destination
  std::string path;  // of the file that it is kept in
  std::string key;   // its whole name in the destination; empty: `labels` of the result name it
};

struct DeliveryResult {
  RecordResult recording;
  std::vector<std::string> places;
  Labels labels;
  uint64_t recorded = 0, sent = 0;  // bytes
  Diagnostics diagnostics;
  std::optional<UnsentProfile> unsent;  // then there are no places
};

// `text` with each "{KEY}" replaced by values[KEY]. Error: kUsage for a key that has none, and for
// a bracket that is not closed.
Result<std::string> fill_placeholders(const std::string& text, const Labels& values);

// Errors: those of record(), make_recorded_profile() and the destination; kEmpty without a sample
// of a file that is there as it ran; kUsage for a key that cannot be. What can be known to be wrong
// before is an error before anything is recorded. A profile that cannot be sent is kept in a file
// (kept_file.h), which the result names. So is a recording that cannot be converted: the error
// names it, and what to do with it. An error of the destination is one where the profile cannot be
// kept either.
Result<DeliveryResult> deliver_recording(const DeliveryRequest& request);

}  // namespace pgo
