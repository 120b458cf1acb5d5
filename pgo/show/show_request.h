// ShowRequest: the file or directory to look into, and how much of it is wanted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pgo/base/progress.h"
#include "pgo/binary/debug_file.h"

namespace pgo {

struct ShowRequest {
  std::string path;                   // a file or a directory; "-" is standard input
  std::vector<std::string> binaries;  // what ran in a recording: adds what a conversion would use
  DebugPlaces debug;                  // of `binaries`, or of `path` where it is an ELF file
  std::vector<std::string> events;    // for `binaries`, as perf_data::choose_events() takes them
  unsigned jobs = 0;                  // threads; 0: all cores
  size_t top = 10;                    // entries of each list of the hottest, lines of each table
  ProgressFn progress;
};

}  // namespace pgo
