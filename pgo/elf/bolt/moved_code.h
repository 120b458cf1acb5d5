// MovedCode: where the instructions of a BOLTed binary were in llvm-bolt's input. Made from the
// address translation table, the symbols of both files and both files' instructions.
//
// The table gives offsets within functions, but not where the functions were: that comes from
// their names. The n-th symbol of a name in the BOLTed file is the n-th of that name in the input,
// because llvm-bolt rewrites the symbol table in order; a name that one of them has more often is
// not used. Of several functions that llvm-bolt folded into one, the lowest stands for all.
//
// Between the table's entries (block starts, branches and calls), instructions are matched by
// counting them from the entry before, because llvm-bolt may change their sizes. What it added (a
// jump at the end of a block) or took away (nops, a jump to what is now the next block) has no
// counterpart; blocks are therefore given as a whole: their first and last instruction in the
// input.
//
// Blocks of a single jump, which llvm-bolt likes to bypass, are found again where a branch of the
// input leads to one and that one to the place where the BOLTed file went directly (x86-64 only).
//
// Not covered: code that llvm-bolt made or copied (inlining, instrumentation).
#pragma once

#include <optional>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/elf/bolt/address_translation.h"
#include "pgo/elf/target_binary.h"

namespace pgo {

class MovedCode {
 public:
  enum class Kind {
    kUnmoved,  // the same address in both files
    kMoved,    // in a rewritten function; `fragment` and `block` say where
    kUnknown,  // in no code of the input, or in a function that it does not name
  };
  struct Place {
    Kind kind = Kind::kUnknown;
    uint32_t fragment = 0;
    uint32_t block = 0;  // within the fragment
  };
  // A block in the input. `last` is the start of its last instruction; nothing when what stands at
  // `first` is not code.
  struct Block {
    ElfAddr first;
    OptElfAddr last;
  };

  // What the two point to must outlive the result.
  // Errors: kMismatch when the build IDs say that `bolted` was not made from `input`; kUnsupported
  // or kInput for the table; kMismatch when no function of the table is named in `input`.
  static Result<MovedCode> build(const TargetBinary& bolted, const TargetBinary& input);

  // O(log n).
  Place find(ElfAddr bolted) const;
  // A block of the same fragment as `place`, in the order of the BOLTed file.
  Block block(const Place& place);
  // The instruction of the input that `addr` at `place` was, which was seen to be branched to. What
  // llvm-bolt added after a call stands for what followed that call in the input.
  ElfAddr target_to_input(const Place& place, ElfAddr addr);
  // The instruction of the input; for code that llvm-bolt added after a block, the block's last
  // instruction.
  ElfAddr to_input(const Place& place, ElfAddr addr);
  // Has llvm-bolt added `addr` at `place`, after all that the block had in the input?
  bool is_added(const Place& place, ElfAddr addr);
  bool starts_block(const Place& place, ElfAddr addr) const;
  // Is what branches here a return of the BOLTed file, or outside of it?
  bool may_return(OptElfAddr from) const;
  // For a block that the block before it in the BOLTed file enters by returning from a call: the
  // instruction after that call, when the input had more of the block before there (a jump that
  // llvm-bolt made unnecessary).
  std::optional<ElfAddr> rest_after_call(const Place& place);
  // The same for an instruction that was seen to branch.
  ElfAddr source_to_input(const Place& place, ElfAddr addr);
  // Does straight-line code run from `last` into `first` in the input? Nops may lie between.
  bool falls_through(ElfAddr last, ElfAddr first) const;
  // The lone jumps that the input ran through on its way from the end of a block, `from`, to `to`,
  // where the BOLTed file went from the one to the other. Mostly none.
  std::vector<ElfAddr> bypassed_jumps(ElfAddr from, ElfAddr to) const;

 private:
  using Entry = AddressTranslation::Entry;

  struct BlockEntries {
    uint32_t start = 0;  // index of the block's own entry
    uint32_t end = 0;    // entries (start, end) are its branches
    bool known = false;  // `in_input` has been worked out
    Block in_input;
  };
  struct Function {
    ElfAddr begin, end;            // in the input
    std::vector<uint64_t> starts;  // offsets of all its blocks, ascending
  };
  struct Fragment {
    ElfAddr begin, end;                // in the BOLTed file
    std::optional<uint32_t> function;  // index; nothing when the input does not name it
    bool hot = false;
    std::vector<Entry> entries;
    std::vector<BlockEntries> blocks;
  };
  class Builder;

  MovedCode(const TargetBinary& bolted, const TargetBinary& input)
      : bolted_(bolted), input_(input) {}

  // For fragments of a known function, as every Place of kMoved has.
  const Function& function_of(const Fragment& fragment) const {
    return functions_[fragment.function.value_or(0)];
  }
  Block find_in_input(const Fragment& fragment, const BlockEntries& block) const;
  ElfAddr find_end(const Function& function, const Fragment& fragment, const BlockEntries& block,
                   ElfAddr first) const;
  bool is_alone(const Fragment& fragment, uint32_t block, ElfAddr addr) const;
  ElfAddr find_call(const Block& in_input) const;
  bool reaches(ElfAddr first, ElfAddr last) const;
  bool is_x86_branch(ElfAddr addr) const;
  CodeByte bolted_at(ElfAddr addr) const { return bolted_.code->at(addr); }
  CodeByte input_at(ElfAddr addr) const { return input_.code->at(addr); }
  ElfAddr after(ElfAddr addr) const { return ElfAddr{addr.value + input_at(addr).size()}; }
  // The bytes of the input's instruction at `addr`; none for another machine than x86-64.
  Bytes x86_bytes(ElfAddr addr) const;

  TargetBinary bolted_, input_;
  std::vector<Function> functions_;
  std::vector<Fragment> fragments_;  // by address
};

}  // namespace pgo
