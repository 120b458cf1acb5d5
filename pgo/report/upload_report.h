// What upload() did, as text for people and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/report/message.h"
#include "pgo/upload/upload.h"

namespace pgo {

// A line for each file: where it is now.
std::string upload_text(const UploadResult& result);
// `removed`: old profiles that were removed.
nlohmann::json upload_json(const UploadResult& result, uint64_t removed);
std::vector<Message> upload_messages(const UploadResult& result, const std::string& destination,
                                     uint64_t removed);

}  // namespace pgo
