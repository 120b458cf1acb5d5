// What archive() did, as text for people and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/archive/archive.h"
#include "pgo/report/message.h"

namespace pgo {

// A line for each file: what it is, its build ID, and where it is now.
std::string archive_text(const ArchiveResult& result);
nlohmann::json archive_json(const ArchiveResult& result);
// `to` is the archive as it was named.
std::vector<Message> archive_messages(const ArchiveResult& result, const std::string& to);

}  // namespace pgo
