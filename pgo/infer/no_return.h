// NoReturn: which calls do not come back, and why. The code behind such a call is not what runs
// next, and a control-flow graph that says so would send counts from error paths into whatever
// stands there.
#pragma once

#include <map>
#include <mutex>

#include "pgo/code/function_symbols.h"
#include "pgo/code/imports.h"
#include "pgo/infer/function_code.h"

namespace pgo::infer {

// What follows once control went to a function, or to a part that was split off one.
enum class Outcome : uint8_t {
  kReturns,  // it comes back, as far as is known
  kEndless,  // it never comes back: there is a loop on the way, which may run as long as the
             // program
  kFails,    // it never comes back: every path ends in a call such as abort(), or in a trap
};

class NoReturn {
 public:
  // All must outlive this.
  NoReturn(const FunctionSymbols& functions, const Imports& imports)
      : functions_(functions), imports_(imports) {}

  // What follows a call of `target`, or a jump to it from another function. Known of some functions
  // of the C and C++ libraries by their names, and of a function of this binary that has no return
  // and leaves, if at all, by jumping to one that never returns. `target` may be anywhere in a part
  // that was split off a function (f.cold); such a part also returns by jumping back, and long
  // pieces of it are taken to return. Decodes each function at most a few times; from many threads.
  Outcome outcome(ElfAddr target, const FunctionDecoder& decoder) const;
  // The same of a call or jump through what the loader put at `slot`.
  Outcome outcome_through(ElfAddr slot) const;

 private:
  // How many more functions to look through, one called by the other.
  using Depth = unsigned;

  Outcome find_out(ElfAddr target, const FunctionDecoder& decoder, Depth depth) const;
  Outcome look_through(ElfAddr target, const FunctionDecoder& decoder, Depth depth) const;
  Outcome walk(const FunctionCode& code, ElfAddr end, const FunctionDecoder& decoder,
               Depth depth) const;
  std::optional<Outcome> outcome_of_call(const Instruction& call, const FunctionDecoder& decoder,
                                         Depth depth) const;

  const FunctionSymbols& functions_;
  const Imports& imports_;
  mutable std::mutex mutex_;
  // By depth, too: what a depth allows must not depend on what was asked before.
  mutable std::map<std::pair<ElfAddr, Depth>, Outcome> known_;
};

}  // namespace pgo::infer
