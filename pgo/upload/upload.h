// upload(): profiles from files into a directory, a bucket or a store. For short jobs, CI and cron,
// where no agent records.
//
//   UploadRequest request;
//   request.files = {"perf.data"};
//   request.labels = {{"service", "queryd"}};
//   request.destination = destination.get();
//   PGO_TRY(UploadResult result, upload(request));
//
// A directory and a bucket get the files as they are. Stores of profiles get pprof: of perf.data
// its stacks with the build IDs of its files, of others what they have. Where a store would remove
// addresses because of names, the names stay here. A build ID or a host that a file does not tell
// is not guessed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/source/profile_destination.h"

namespace pgo {

struct UploadRequest {
  std::vector<std::string> files;             // as of find_input_files()
  Labels labels;                              // of all of them
  ProfileDestination* destination = nullptr;  // outlives the call
  // The name of the only file where files are kept; empty: profile_key().
  std::string key = {};
};

struct UploadedFile {
  std::string path;
  std::vector<std::string> places;
  Labels labels;
  int64_t time = 0;  // when it was recorded, in nanoseconds since 1970

  bool operator==(const UploadedFile&) const = default;
};

struct UploadResult {
  std::vector<UploadedFile> files;
  Diagnostics diagnostics;
};

// Kinds of warnings.
inline constexpr const char *kTimeOfFile = "time-of-file", *kNamesNotSent = "names-not-sent",
                            *kNoService = "no-service";

// Errors: kUsage for a key and several files; those of reading the files, kUnsupported for what is
// no profile; those of the destination. After an error, files before that one have been uploaded;
// the message says how many.
Result<UploadResult> upload(const UploadRequest& request);

}  // namespace pgo
