// LockSide: one of two lock files that are compared: a file, or what a git revision has.
#pragma once

#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/registry/lock_file.h"

namespace pgo {

struct LockSide {
  std::string name;  // for people: "pgo.lock", "HEAD:pgo.lock"
  std::string path;  // from whose directory relative references count
  LockFile lock;
  bool is_missing = false;  // the revision, or the working tree, has no lock file
};

// The file `lock` as it is. A missing one is no error.
Result<LockSide> read_working_lock(const std::string& lock, Diagnostics& diagnostics);
// `argument` is a file, or else a git revision: then the file `lock` of that revision, which may be
// missing. Runs git. Errors: kUsage for what is neither; kUnsupported without git; those of
// parse_lock_file().
Result<LockSide> read_lock_side(const std::string& argument, const std::string& lock,
                                Diagnostics& diagnostics);

}  // namespace pgo
