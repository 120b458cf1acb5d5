// Where the outputs of a conversion go: every path is known, no two are the same, none is of a file
// that is read, and each can be written. All of it is asked before the first recording is read,
// because reading may take long.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/cli/binary_set.h"
#include "pgo/cli/convert_options.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/output_file.h"

namespace pgo {

// The -o arguments as files. Errors: kUsage for one that the other options forbid.
Result<std::vector<OutputFile>> parse_outputs(const ConvertOptions& options);

// Would writing `output` replace the file `input`, perhaps by another path?
bool is_same_file(const std::string& output, const std::string& input);

// The same for two spellings of one path, also of a file that is not there yet.
std::string identity_of(const std::string& path);

// Bytes that are no text would make a mess of a terminal. Error: kUsage.
Result<void> refuse_terminal(const OutputFile& output);

// Every file that a conversion writes, %b and %i replaced.
std::vector<std::string> written_paths(const std::vector<OutputFile>& outputs,
                                       const BinarySet& binaries, const ConvertOptions& options);

// Removes the files that were only found in a directory and are to be written: what an earlier run
// left there would count again. Says so in `diagnostics`. Error: kInput when none is left.
Result<void> leave_out_outputs(const std::vector<std::string>& written,
                               std::vector<InputFile>& files, Diagnostics& diagnostics);

// Errors: kUsage when two of `outputs` (with %b and %i replaced), --report and --json would be one
// file, or one of them a file that is read; kIo when one could not be written.
Result<void> check_output_paths(const std::vector<OutputFile>& outputs, const BinarySet& binaries,
                                const ConvertOptions& options);

}  // namespace pgo
