// RecordingOutput: where a recording goes, and a directory beside it for what an engine writes
// until the recording is whole. The directory goes away with the object, placed or not.
//
//   PGO_TRY(RecordingOutput output, RecordingOutput::prepare("perf.data"));
//   ... an engine writes output.file("whole") ...
//   PGO_TRY(std::string warning, output.place("whole"));
#pragma once

#include <string>
#include <utility>

#include "pgo/base/result.h"
#include "pgo/base/temporary_directory.h"

namespace pgo {

class RecordingOutput {
 public:
  // Errors: kUsage when `path` is there and no regular file; kIo when nothing can be made beside
  // it.
  static Result<RecordingOutput> prepare(const std::string& path);

  // The output as it was named.
  const std::string& path() const { return path_; }
  // The absolute path of a file in the directory.
  std::string file(const std::string& name) const { return directory_.file(name); }
  // Puts that file into the place of the output, or of what it links to. Returns a warning when the
  // one that was there could not pass on its owner; empty: none. Error: kIo.
  Result<std::string> place(const std::string& name) const;

 private:
  RecordingOutput(std::string path, std::string target, TemporaryDirectory directory)
      : path_(std::move(path)), target_(std::move(target)), directory_(std::move(directory)) {}

  std::string path_, target_;
  TemporaryDirectory directory_;
};

// Does the file hold a recording of perf that is complete?
bool holds_recording(const std::string& path);

}  // namespace pgo
