#include "pgo/symbolize/demangled_name.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>

namespace pgo {

std::string demangled_name(std::string_view name) {
  // No mangled name has a slash.
  size_t suffix = std::min(name.find('/'), name.size());
  return llvm::demangle(name.substr(0, suffix)) + std::string(name.substr(suffix));
}

}  // namespace pgo
