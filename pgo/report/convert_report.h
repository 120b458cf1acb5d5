// What convert() did: figures as JSON, and notes and warnings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/convert/convert.h"
#include "pgo/convert/reference_tool.h"
#include "pgo/report/message.h"

namespace pgo {

// The figures; the CMake package finds the report of a profile by the digests in it.
nlohmann::json convert_json(const ConvertResult& result);
nlohmann::json convert_json(const ReferenceOutputs& made);
// In the order in which they should be read.
std::vector<Message> convert_messages(const ConvertResult& result);

// How much of a recording of a BOLTed binary was translated.
std::vector<Message> moved_messages(const MovedBinary& moved);
nlohmann::json moved_json(const MovedBinary& moved);

// Where the traces that perf2bolt was given are from: from branch records or, by inference, from PC
// samples; and how sure it is that they are of the binary.
struct TraceSource {
  bool is_inferred = false;
  BuildIdentity identity = BuildIdentity::kAssumed;
};
// What perf2bolt said of the profile that goes to `path`.
std::vector<Message> perf2bolt_messages(const std::string& path, const Perf2boltOutput& output,
                                        const TraceSource& source);
// What it calls errors, though it wrote a profile.
std::vector<Message> perf2bolt_errors(const Perf2boltOutput& output);

// One line when our profile and the reference tool's are identical, else a table of the largest
// differences.
std::string format_check(const ProfileDifference& difference, const std::string& program);

}  // namespace pgo
