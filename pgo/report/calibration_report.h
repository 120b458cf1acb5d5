// The result of calibrate() as text, as Markdown and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/verdict/calibration.h"

namespace pgo {

// The error rate that the verdict has on simulated fleets.
inline constexpr double kAcceptedAlarms = .05;

bool fails_too_often(const SplitVerdicts& splits);
// Are all splits inconclusive?
bool decides_nothing(const Calibration& calibration);
// Do splits of any kind fail too often? Without a full stop.
std::string calibration_sentence(const Calibration& calibration);
std::string calibration_text(const Calibration& calibration);
std::string calibration_markdown(const Calibration& calibration);
nlohmann::json calibration_json(const Calibration& calibration);

}  // namespace pgo
