// What upload() did, as text for people and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/report/message.h"
#include "pgo/upload/upload.h"

namespace pgo {

struct UploadedTo {
  std::string destination;
  bool is_new = false;   // a directory that was not there before
  uint64_t removed = 0;  // old profiles that were removed
};

// A line for each file: where it is now.
std::string upload_text(const UploadResult& result);
nlohmann::json upload_json(const UploadResult& result, const UploadedTo& to);
std::vector<Message> upload_messages(const UploadResult& result, const UploadedTo& to);

}  // namespace pgo
