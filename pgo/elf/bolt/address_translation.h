// BOLT's address translation table: for each function that llvm-bolt rewrote, where its blocks and
// branches were in llvm-bolt's input. `llvm-bolt -enable-bat` leaves it in the BOLTed binary, in
// the section .note.bolt_bat; TranslatedCounts (translated_counts.h) uses it.
//
//   if (has_address_translation(bolted)) {
//     PGO_TRY(AddressTranslation table, read_address_translation(bolted));
//     for (const AddressTranslation::Fragment& fragment : table.fragments()) ...
//
// The layout (LLVM 19 to 22; all numbers ULEB128 unless said otherwise; "delta": the difference
// from the previous such number, at first from 0):
//
//   u32 name size (5), u32 descriptor size, u32 type (1), "BOLT\0", padded to 4 bytes
//   the number of functions, then for each: its hot fragment
//     its address in the output          delta, continued through all that follows
//     hash of the input function         8 bytes
//     number of its blocks in the input
//     number of its secondary entries    S
//     number of its entries              N
//     number of leading entries whose offsets are equal in input and output: E; if not 0, their
//     branch bits follow, lowest bit first, in whole bytes
//     N entries:
//       output address                   delta
//       input offset * 2 + branch bit    delta, SLEB128; left out of the first E entries
//       unless the branch bit is set: hash of the block (8 bytes), its number in the input (delta)
//     S offsets of secondary entries in the input    delta
//   the number of cold fragments, then for each the same, but in place of hash, number of blocks
//   and of secondary entries:
//     which function of the hot ones     delta
//     input offset of the first entry, which is taken off input offsets to see which are "equal"
//
// An entry without the branch bit is the start of a block; one with it is a branch, call or return
// within the block before it. An entry at the end of its fragment stands for a block that llvm-bolt
// deleted. Blocks that llvm-bolt made have no entry. LLVM 18 and older wrote less; nothing in the
// table says which version it is, so these are refused where their bytes do not fit, and hashes
// and numbers of blocks are read over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

class AddressTranslation {
 public:
  struct Entry {
    uint64_t output = 0;  // offset from the start of the fragment
    uint64_t input = 0;   // offset from the start of the function in llvm-bolt's input
    bool branch = false;  // a branch; otherwise the start of a block
  };

  struct Fragment {
    ElfAddr begin;     // in the output
    ElfAddr function;  // the output address of the function's hot fragment, maybe this one
    std::vector<Entry> entries;  // by ascending `output`
  };

  // The contents of the section. `name` is for messages. Errors (kInput) name the position in the
  // section. O(size) time; memory is bounded by a multiple of the size.
  static Result<AddressTranslation> parse(Bytes section, const std::string& name);

  // By ascending address; no two begin at the same one.
  const std::vector<Fragment>& fragments() const { return fragments_; }

 private:
  friend class AddressTranslationParser;
  std::vector<Fragment> fragments_;
};

// Was this file written by llvm-bolt? By `llvm-bolt -enable-bat`?
bool is_bolted(const ElfImage& image);
bool has_address_translation(const ElfImage& image);

// The table of such a file.
// Error: kUnsupported when there is none; says how to get one.
Result<AddressTranslation> read_address_translation(const ElfImage& bolted);

}  // namespace pgo
