// Where the outputs of a conversion go: every path is known, no two are the same, none is of a file
// that is read, and each can be written. All of it is asked before the first recording is read,
// because reading may take long.
#pragma once

#include <string>
#include <vector>

#include "converters/format.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/binary/binary_set.h"
#include "pgo/source/input_files.h"

namespace pgo {

struct PlannedFile {
  std::string path;
  std::string asked_by;             // for messages: "\xFF{output} x.prof"
  const ElfImage* image = nullptr;  // whose profile it is, when it is one of several
};

// The file name of a binary, without ".prebolt" at its end.
std::string binary_name(const std::string& path);

// The path with %b replaced by the name of the binary, and %i by its build ID.
std::string path_for_binary(const std::string& path, const std::string& binary_path,
                            const std::string& build_id);
// Does `path` have one of these?
bool names_binary(const std::string& path);

// Every file of `outputs`, %b and %i replaced, and `others`.
std::vector<PlannedFile> plan_files(const std::vector<OutputSpec>& outputs,
                                    const BinarySet& binaries,
                                    const std::vector<PlannedFile>& others);

// The files that are read because they were named: binaries, debug files, and of the inputs those
// that were not found by looking into a directory, which may be what an earlier run wrote.
std::vector<std::string> paths_to_read(const std::vector<std::string>& binaries,
                                       const DebugPlaces& debug,
                                       const std::vector<InputFile>& inputs);

// Removes from `files` those that were only found in a directory and are to be written: what an
// earlier run left there would count again. `diagnostics` say so. Error: kInput when none is left.
Result<void> leave_out_outputs(const std::vector<PlannedFile>& planned,
                               std::vector<InputFile>& files, Diagnostics& diagnostics);

// Errors: kUsage when two of `planned` would be one file, or one of them a file that is in `read`;
// kIo when one could not be written.
Result<void> check_plan(const std::vector<PlannedFile>& planned,
                        const std::vector<std::string>& read);

}  // namespace pgo
