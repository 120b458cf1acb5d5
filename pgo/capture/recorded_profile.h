// From the recording of a service on this host to the profile that is stored: counts by address of
// the files that ran, with their build IDs, in kilobytes instead of megabytes.
//
//   PGO_TRY(RecordedProfile profile, make_recorded_profile(path, binaries, origins));
//
// Besides the files that are held, those at the paths of this host count if they have the build ID
// that was recorded: of a process that started after the look, or of a command.
//
// Branch records need to know where instructions begin, which a stripped file does not tell. If it
// is the program, the recording itself is what is stored: whoever has the debug file converts it.
// If it is a library, its branch records are left out. Where no process was looked at, the file
// with the most samples is the program.
#pragma once

#include <cstdint>
#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/capture/process_binaries.h"
#include "pgo/profile/origins.h"

namespace pgo {

struct RecordedProfile {
  std::string contents;   // empty: there are no samples
  std::string extension;  // ".addr", or ".perf.data"
  uint64_t samples = 0;   // in the recording
  uint64_t used = 0;      // of them, or branch records of them, in the profile
  bool has_branches = false;
  std::string program;  // the build ID of the program, in hexadecimal; empty: not known
  Diagnostics diagnostics;
};

// Kinds of warnings.
inline constexpr const char *kKeptRecording = "kept-recording", *kUnknownFiles = "unknown-files",
                            *kStrippedLibraries = "stripped-libraries",
                            *kNoClockProfile = "no-clock-profile",
                            *kManyProcesses = "many-processes";

// `origins` are what the profile tells of its time and its service. Errors: kInput for a damaged
// recording; kIo.
Result<RecordedProfile> make_recorded_profile(const std::string& recording,
                                              const ProcessBinaries& binaries,
                                              const Origins& origins);

}  // namespace pgo
