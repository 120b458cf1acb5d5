// The names of shared libraries in versions: a BOLT profile fits one binary, so a version has one
// for the program, and one for each library, which has the name of that library. It is the file
// name without the version after ".so", so that the next release has the same one.
#pragma once

#include <string>
#include <string_view>

namespace pgo {

// Letters, digits, '_', '.', '-' and '+', few enough for names of files that are made of it.
bool is_library_name(std::string_view text);

// "/opt/queryd/libquery.so.1.2" -> "libquery.so". Empty when it has other characters or is too
// long.
std::string library_name(const std::string& path);

}  // namespace pgo
