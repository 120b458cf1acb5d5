// Puts the parts that an engine has written beside the output together and in its place.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/record/part_assembly.h"
#include "pgo/record/recording_output.h"

namespace pgo {

// `first_part` is the path of the part that the recording began with. Errors: kIo; kInternal for a
// part that the engine cannot have written.
Result<RecordingTotals> assemble_recording(const RecordingOutput& output,
                                           const std::string& first_part,
                                           const RecordingLabel& label);

}  // namespace pgo
