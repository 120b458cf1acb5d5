// What inferred counts rest on, as a line of text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/ingest/pc_samples.h"
#include "pgo/report/message.h"

namespace pgo {

// How much it is and what more would help; then what was not found in the binaries, if anything.
// Why single steps with so many branch records do not count as such: "7 428 of 10 000
// branch records needed".
std::string describe_few_steps(uint64_t records);
std::vector<Message> inference_messages(const Inference& inference);
nlohmann::json inference_json(const Inference& inference);

}  // namespace pgo
