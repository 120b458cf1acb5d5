// BoltedCode: where the code of a BOLTed binary was in the binary that llvm-bolt made it from,
// whose debug information then names it. Without -update-debug-sections, llvm-bolt writes no debug
// information.
//
// As exact as MovedCode: instructions are found by counting them from the entries of the table.
// What llvm-bolt added (a jump at the end of a block) has the place of the instruction before.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "pgo/base/diagnostics.h"
#include "pgo/binary/binary_set.h"
#include "pgo/elf/bolt/moved_code.h"

namespace pgo {

class BoltedCode {
 public:
  // Nothing for a binary that is not BOLTed, or has debug information; and, with a warning, where
  // the table is missing or damaged, or the input is not in the set. `binaries` must outlive this.
  static std::optional<BoltedCode> find(const BinarySet& binaries, size_t binary,
                                        Diagnostics& diagnostics);

  size_t input() const { return input_; }  // its number in the set
  // Where the instruction around `bolted` was; nothing where that is not known.
  OptElfAddr find_in_input(ElfAddr bolted);

 private:
  BoltedCode(const CodeMap& code, size_t input, MovedCode moved)
      : code_(&code), input_(input), moved_(std::move(moved)) {}

  const CodeMap* code_;  // of the BOLTed binary
  size_t input_;
  MovedCode moved_;
};

}  // namespace pgo
