// Demangles one C++ name (_Z...) with LLVM's parser and printer, in bounded time, stack and memory.
//
// llvm::itaniumDemangle() has no bounds: a substitution (S_) of three characters can double the
// text, and one character can be one more level of recursion. It cannot be interrupted either. But
// its two halves let us count: the parser is a template that calls the functions of its most
// derived class, and the printer prints each node through a virtual function. So both run here with
// a counter at each of these calls, and give up when it reaches its bound.
//
// The bounds stand in cxx_name.cc, beside the largest figures of 639,090 real names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pgo {

// "_Z3foov" as "foo()", in LLVM's spelling. Nothing for what is not a mangled name of C++, and for
// a name that exceeds the bounds.
std::optional<std::string> demangle_cxx(std::string_view mangled);

// Whether it is the name of a constructor or destructor itself: not of a lambda in one. False for a
// name that exceeds the bounds.
bool is_cxx_constructor_or_destructor(std::string_view mangled);

}  // namespace pgo
