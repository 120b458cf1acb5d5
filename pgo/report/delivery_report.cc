#include "pgo/report/delivery_report.h"

#include <nlohmann/json.hpp>
#include <string>

#include "pgo/base/number_text.h"
#include "pgo/report/record_report.h"

namespace pgo {

std::vector<Message> delivery_messages(const DeliveryResult& result) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  for (const std::string& warning_text : result.recording.warnings)
    messages.push_back(warning(warning_text));
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
  json["warnings"] = warnings_json(result.diagnostics);
  return json;
}

}  // namespace pgo
