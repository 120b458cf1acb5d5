// The names of functions as people write them. For messages and tables; profiles hold the others.
// All demangling goes through demangled_name(), which bounds the time, stack and memory that a name
// can take: names come out of files that anyone may have written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pgo {

// "_Z3foov" as "foo()". Other names than mangled ones of C++, Rust and D stay as they are, and so
// do names that are too long, nested too deeply, or that would become too long a text. BOLT numbers
// local functions: "_ZL3foov/1" is "foo()/1".
std::string demangled_name(std::string_view name);

// How many characters of a demangled name at `at` are to be taken as they are, though they look
// like brackets: "operator->", "(anonymous namespace)". Mostly 0.
size_t size_of_name_word(std::string_view name, size_t at);

// A demangled name without arguments of templates, parameters and return type, as tools shorten it:
// "ns::list::push" for "void ns::list<int>::push<char>(char) const".
std::string simple_name(std::string_view demangled);

}  // namespace pgo
