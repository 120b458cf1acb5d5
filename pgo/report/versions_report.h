// What push(), pull(), list_versions(), pin(), copy_version() and collect_garbage() did, as text
// for people and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/registry/lock_file.h"
#include "pgo/report/message.h"
#include "pgo/versions/copy.h"
#include "pgo/versions/gc.h"
#include "pgo/versions/pin.h"
#include "pgo/versions/pull.h"
#include "pgo/versions/push.h"
#include "pgo/versions/version_list.h"

namespace pgo {

// What lock files and manifests say of a file.
nlohmann::json profile_file_json(const ProfileFile& file);

// The digest alone, for scripts; messages say the rest.
std::string push_text(const PushResult& result);
nlohmann::json push_json(const PushResult& result, const RegistryReference& to);
std::vector<Message> push_messages(const PushResult& result, const RegistryReference& to);

// A line for each file: its digest and path.
std::string pull_text(const PullResult& result);
nlohmann::json pull_json(const PullResult& result);
std::vector<Message> pull_messages(const PullResult& result);

std::string list_text(const VersionList& list);
nlohmann::json list_json(const VersionList& list);

// What a lock file pins.
std::string lock_text(const LockFile& lock);
nlohmann::json lock_json(const LockFile& lock, const Diagnostics& diagnostics);

std::string pin_text(const PinResult& result, const PinRequest& request);
nlohmann::json pin_json(const PinResult& result, const PinRequest& request);

std::string copy_text(const CopyResult& result);
nlohmann::json copy_json(const CopyResult& result);
std::vector<Message> copy_messages(const CopyResult& result, const RegistryReference& to);

std::string gc_text(const GarbageResult& result, OciLayout::Removal removal);
nlohmann::json gc_json(const GarbageResult& result, OciLayout::Removal removal);

}  // namespace pgo
