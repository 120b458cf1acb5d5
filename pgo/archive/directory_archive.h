// An archive in a directory, in the layout of /usr/lib/debug, which debuggers know, and in which
// find_debug_file() finds debug files:
//
//   PATH/.build-id/ab/cdef….debug    the debug file of the build abcdef…
//   PATH/.build-id/ab/cdef…          its executable; llvm-bolt's input has a build ID of its own
//   PATH/.build-id/ab/cdef….sha256   the digest of either, as sha256sum writes and checks it. A
//                                    file without one is read unchecked: another tool put it there
#pragma once

#include <memory>
#include <string>

#include "pgo/archive/build_archive.h"
#include "pgo/archive/kept_release.h"

namespace pgo {

// "PATH/.build-id/ab/cdef…", where this file belongs.
std::string archived_path(const std::string& directory, const ReleaseFile& file);

// Writes one file if none has its place. False when this very file is there already, also when
// another process wrote it meanwhile. Errors: kIo; kMismatch.
Result<bool> put_in_directory(const std::string& directory, const ReleaseFile& file);

// Makes the directory where it is missing. Several processes may do this at once. Errors: kIo;
// kMismatch.
Result<KeptRelease> keep_in_directory(const std::string& directory, const Release& release);

// Files are read where they are. `name` is for messages. One that is not as its digest is damaged:
// kMismatch.
std::unique_ptr<BuildArchive> open_directory_archive(const std::string& directory,
                                                     const std::string& name);

}  // namespace pgo
