// The result of examine() for people and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/doctor/doctor.h"

namespace pgo {

nlohmann::json doctor_json(const DoctorResult& result);
// "  ok       clang         22.1.8 (/usr/bin/clang-22) ...", advice on a line of its own.
std::string doctor_text(const DoctorResult& result);

}  // namespace pgo
