#include "pgo/report/archive_report.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/report/new_files.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

struct NewFiles {
  uint64_t files = 0, bytes = 0;
};

NewFiles new_files(const ArchiveResult& result) {
  NewFiles found;
  for (const KeptFile& file : result.kept.files) {
    if (!file.is_new) continue;
    found.files++;
    found.bytes += file.size;
  }
  return found;
}

}  // namespace

std::string archive_text(const ArchiveResult& result) {
  TextSheet sheet;
  for (const KeptFile& file : result.kept.files)
    sheet.line(std::string(role_name(file.role)) + "  " + file.build_id.hex() + "  " + file.place);
  return sheet.text();
}

nlohmann::json archive_json(const ArchiveResult& result) {
  nlohmann::json files = nlohmann::json::array();
  for (const KeptFile& file : result.kept.files)
    files.push_back({{"kind", role_name(file.role)},
                     {"build_id", file.build_id.hex()},
                     {"digest", file.digest},
                     {"size", file.size},
                     {"place", file.place},
                     {"new", file.is_new}});
  nlohmann::json object = {{"build_id", result.build_id.hex()},
                           {"files", std::move(files)},
                           {"warnings", warnings_json(result.diagnostics)}};
  if (!result.kept.manifest.empty()) object["digest"] = result.kept.manifest;
  return object;
}

std::vector<Message> archive_messages(const ArchiveResult& result, const std::string& to) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  const NewFiles added = new_files(result);
  const std::string build = to + ": build " + result.build_id.hex() + ": ";
  messages.push_back(note(
      added.files == 0 ? build + "is already there"
                       : build + "archived " +
                             new_files_text(added.files, added.bytes, result.kept.files.size())));
  return messages;
}

}  // namespace pgo
