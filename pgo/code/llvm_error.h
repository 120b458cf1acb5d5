// The one place where LLVM's errors become ours.
#pragma once

#include <llvm/Support/Error.h>

#include <string>
#include <system_error>

#include "pgo/base/result.h"

namespace pgo {

// `where` is the file that LLVM was reading or writing.
inline Failure llvm_failure(ErrorKind kind, const std::string& where, llvm::Error error) {
  return fail(kind, where + ": " + llvm::toString(std::move(error)));
}

inline Failure llvm_failure(ErrorKind kind, const std::string& where, std::error_code code) {
  return fail(kind, where + ": " + code.message());
}

}  // namespace pgo
