// read_proc_file: the text of a file below /proc.
#pragma once

#include <string>

namespace pgo {

// What can be read of it; empty when the process has ended. The kernel gives an error in the middle
// of a file whose process ends, for which a stream's iterators throw.
std::string read_proc_file(const std::string& path);

}  // namespace pgo
