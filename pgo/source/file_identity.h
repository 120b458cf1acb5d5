// Are two paths one file? Asked before outputs are written over what is read.
#pragma once

#include <string>

namespace pgo {

// Would writing `output` replace the file `input`, perhaps by another path?
bool is_same_file(const std::string& output, const std::string& input);

// The same for two spellings of one path, also of a file that is not there yet.
std::string identity_of(const std::string& path);

}  // namespace pgo
