// The result of calibrate() as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/verdict/calibration.h"

namespace pgo {

std::string calibration_text(const Calibration& calibration);
nlohmann::json calibration_json(const Calibration& calibration);

}  // namespace pgo
