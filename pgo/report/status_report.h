// What service_status() found: as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/refresh/status.h"

namespace pgo {

// A table; empty without services.
std::string status_text(const std::vector<ServiceStatus>& services);
nlohmann::json status_json(const std::vector<ServiceStatus>& services);

}  // namespace pgo
