// OptionWordsFn: puts the caller's words into a text before it is laid out. Texts of the libraries
// name options in marked braces (Error in pgo/base/result.h); where a line's length matters, the
// words must be there first.
#pragma once

#include <functional>
#include <string>

namespace pgo {

using OptionWordsFn = std::function<std::string(const std::string&)>;

}  // namespace pgo
