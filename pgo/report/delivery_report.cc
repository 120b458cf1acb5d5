#include "pgo/report/delivery_report.h"

#include <nlohmann/json.hpp>
#include <string>

#include "pgo/base/number_text.h"
#include "pgo/report/record_report.h"

namespace pgo {
namespace {

// Of the recording and of what was made of it.
Diagnostics warnings_of(const DeliveryResult& result) {
  Diagnostics diagnostics = result.recording.diagnostics;
  diagnostics.add(result.diagnostics);
  return diagnostics;
}

}  // namespace

std::vector<Message> delivery_messages(const DeliveryResult& result) {
  std::vector<Message> messages = messages_of(warnings_of(result));
  std::string places;
  for (const std::string& place : result.places) places += (places.empty() ? "" : ", ") + place;
  messages.push_back(note(places + ": " + format_count(result.recording.samples, "sample") + ", " +
                          format_size(result.sent) + " of a recording of " +
                          format_size(result.recorded)));
  return messages;
}

nlohmann::json delivery_json(const DeliveryRequest& request, const DeliveryResult& result) {
  nlohmann::json json = record_json(request.record, result.recording);
  json["places"] = result.places;
  json["labels"] = result.labels;
  json["recorded_bytes"] = result.recorded;
  json["sent_bytes"] = result.sent;
  json["warnings"] = warnings_json(warnings_of(result));
  return json;
}

}  // namespace pgo
