// The result of diff_locks(): as text, as Markdown for a pull request, and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/lock_diff/lock_diff.h"
#include "pgo/report/message.h"

namespace pgo {

std::string lock_diff_text(const LockDiffResult& result);
std::string lock_diff_markdown(const LockDiffResult& result);
nlohmann::json lock_diff_json(const LockDiffResult& result);
std::vector<Message> lock_diff_messages(const LockDiffResult& result);

}  // namespace pgo
