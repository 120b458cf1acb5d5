#include "pgo/report/upload_report.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {

std::string upload_text(const UploadResult& result) {
  TextSheet sheet;
  for (const UploadedFile& file : result.files)
    for (const std::string& place : file.places) sheet.line(file.path + "  " + place);
  return sheet.text();
}

nlohmann::json upload_json(const UploadResult& result, const UploadedTo& to) {
  nlohmann::json files = nlohmann::json::array();
  for (const UploadedFile& file : result.files)
    files.push_back({{"path", file.path},
                     {"places", file.places},
                     {"labels", file.labels},
                     {"time", format_time(file.time)}});
  return {{"files", std::move(files)},
          {"removed", to.removed},
          {"warnings", warnings_json(result.diagnostics)}};
}

std::vector<Message> upload_messages(const UploadResult& result, const UploadedTo& to) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  std::string text = to.destination + (to.is_new ? " (a new directory)" : "") + ": uploaded " +
                     format_count(result.files.size(), "profile");
  if (to.removed > 0) text += ", and removed " + format_count(to.removed, "old one", "old ones");
  messages.push_back(note(std::move(text)));
  return messages;
}

}  // namespace pgo
