// The names of functions as people write them. For messages and tables; profiles hold the others.
#pragma once

#include <string>
#include <string_view>

namespace pgo {

// "_Z3foov" as "foo()"; what is no mangled name of C++, Rust or D stays as it is. BOLT numbers
// local functions: "_ZL3foov/1" is "foo()/1".
std::string demangled_name(std::string_view name);

}  // namespace pgo
