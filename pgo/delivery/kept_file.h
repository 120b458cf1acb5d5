// keep_file(): what could not be sent, in a file that 'pgo upload' sends later.
//
//   PGO_TRY(const std::string path, keep_file({.contents = profile, .extension = ".addr", .time =
//   begin}));
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

struct UnsentFile {
  std::string_view contents;
  std::string extension;  // ".addr"
  int64_t time = 0;       // when its recording began, in nanoseconds since 1970
};

// "unsent-20261126T130000Z-4711.addr", by the time and this process, in the current directory; or
// in a new directory in TMPDIR or /tmp where that cannot be written. Only its owner may read it, as
// perf's recordings. Error: kIo when there is no place for it.
Result<std::string> keep_file(const UnsentFile& file);

}  // namespace pgo
