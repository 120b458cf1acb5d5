// What capture() does and did: figures as JSON, and notes and warnings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/capture/capture.h"
#include "pgo/capture/local_host.h"
#include "pgo/report/message.h"

namespace pgo {

// What is said before the first recording.
std::vector<Message> capture_start_messages(const CaptureRequest& request,
                                            const LocalEngine& engine,
                                            const std::string& destination);

nlohmann::json capture_json(const CaptureResult& result);
// At the end. `destination` is its name.
std::vector<Message> capture_messages(const CaptureRequest& request, const CaptureResult& result,
                                      const std::string& destination);

}  // namespace pgo
