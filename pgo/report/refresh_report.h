// What refresh() did: as text, as Markdown for a pull request, and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/lock_diff/lock_diff.h"
#include "pgo/refresh/refresh.h"
#include "pgo/report/message.h"

namespace pgo {

std::string refresh_text(const RefreshResult& result);
nlohmann::json refresh_json(const RefreshResult& result);
std::vector<Message> refresh_messages(const RefreshResult& result);

// GitHub takes 65 536 characters as the text of a pull request, GitLab 1 048 576.
inline constexpr size_t kMaxRequestText = 60'000;  // bytes

// The text of a pull request: services that were pinned with their gates, and what changed in their
// lock files. What is longer than kMaxRequestText is cut at the end of a line, and a last line says
// how to see the rest.
std::string refresh_markdown(const std::vector<RefreshResult>& results,
                             const std::vector<LockDiffResult>& changes);

}  // namespace pgo
