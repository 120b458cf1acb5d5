// What a file or a directory is and what it holds: `pgo show`. One struct for each kind of contents
// has everything that people and programs are shown; pgo/report/show_report.h makes text and JSON
// of it.
//
//   ShowRequest request;
//   request.path = "server.perf";
//   PGO_TRY(ShowResult result, show(request));
//   if (auto* recording = std::get_if<RecordingContents>(&result.contents)) ...
//
// The kind is told by the contents, never by the name of the file.
#pragma once

#include <string>
#include <variant>

#include "pgo/base/result.h"
#include "pgo/show/address_contents.h"
#include "pgo/show/bolt_profile_contents.h"
#include "pgo/show/compiler_profile_contents.h"
#include "pgo/show/conversion_report.h"
#include "pgo/show/directory_contents.h"
#include "pgo/show/elf_contents.h"
#include "pgo/show/recording_contents.h"
#include "pgo/show/show_request.h"
#include "pgo/show/stack_contents.h"

namespace pgo {

using ShownContents =
    std::variant<RecordingContents, ElfContents, StackContents, LlvmContents, GccContents,
                 FdataContents, BoltYamlContents, PreaggregatedContents, AddressContents,
                 ConversionReport, DirectoryContents>;

struct ShowResult {
  std::string path;
  uint64_t size = 0;  // bytes of the file as stored; 0 for a directory
  size_t top = 10;    // lines of each table, as requested
  ShownContents contents;
};

// Errors: kUsage for binaries or an event where nothing can be done with them; kIo for what cannot
// be opened; kUnsupported for a file of a format that is not known; kInput for a damaged file; for
// a directory also kEmpty when it has no files.
Result<ShowResult> show(const ShowRequest& request);

}  // namespace pgo
