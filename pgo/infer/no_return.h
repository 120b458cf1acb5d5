// NoReturn: which calls do not come back. The code behind such a call is not what runs next, and a
// control-flow graph that says so would send counts from error paths into whatever stands there.
#pragma once

#include <map>
#include <mutex>

#include "pgo/infer/function_code.h"
#include "pgo/infer/function_symbols.h"
#include "pgo/infer/imports.h"

namespace pgo::infer {

class NoReturn {
 public:
  // All must outlive this.
  NoReturn(const FunctionSymbols& functions, const Imports& imports)
      : functions_(functions), imports_(imports) {}

  // Does a call of `callee` never return? Known of some functions of the C and C++ libraries by
  // their names, and of a function of this binary that has no return and leaves, if at all, by
  // jumping to one that never returns. Decodes each callee once; from many threads.
  bool never_returns(ElfAddr callee, const FunctionDecoder& decoder) const;
  // The same of a call through what the loader put at `slot`.
  bool never_returns_through(ElfAddr slot) const;

 private:
  bool find_out(ElfAddr callee, const FunctionDecoder& decoder, unsigned depth) const;

  const FunctionSymbols& functions_;
  const Imports& imports_;
  mutable std::mutex mutex_;
  mutable std::map<ElfAddr, bool> known_;
};

}  // namespace pgo::infer
