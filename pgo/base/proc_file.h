// read_proc_file: the text of a file below /proc.
#pragma once

#include <cstddef>
#include <string>

namespace pgo {

inline constexpr size_t kMaxProcFile = size_t{64} << 20;

// What can be read of it; empty when the process has ended. The kernel gives an error in the middle
// of a file whose process ends, for which a stream's iterators throw. What is behind `most` bytes
// is left out: a process decides how long its /proc/PID/maps is.
std::string read_proc_file(const std::string& path, size_t most = kMaxProcFile);

}  // namespace pgo
