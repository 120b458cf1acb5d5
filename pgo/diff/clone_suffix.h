// What compilers, linkers and BOLT append to the name of a function when they copy or split it, or
// make it unique: another build may not do so. Without it, the names of two builds compare.
#pragma once

#include <string_view>

namespace pgo {

// "f" of "f.cold", "f.part.0.isra.3", "f.__uniq.123.llvm.4", "f.cold/1(*2)", "f [clone .cold]". A
// name that has nothing else is left as it is, and so is one of a language in which a dot is a part
// of names (Go, Java, Python, Erlang), by the shape of the name or its source `file` ("" when it is
// not known). O(length).
std::string_view without_clone_suffixes(std::string_view name, std::string_view file = {});

}  // namespace pgo
