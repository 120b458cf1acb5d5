// BOLT's profile, "fdata": counts by function name and offset, as perf2bolt writes and llvm-bolt
// reads them. Read here to be described; perf2bolt writes it, because that needs BOLT's own view
// of a binary's control flow.
//
// The layout (LLVM 22), one record per line, offsets hexadecimal, counts decimal, spaces in names
// preceded by a backslash:
//
//   boltedcollection                       the profile of a binary that llvm-bolt had made
//   no_lbr [<event>...]                    PC samples: <is symbol> <name> <offset> <count>
//   otherwise, for each branch or fall-through between blocks:
//   <is symbol> <name> <offset> <is symbol> <name> <offset> <mispredicts> <count>
//   and after these, for memory accesses (the instruction, then what it accessed):
//   <is symbol + 3> <name> <offset> <is symbol + 3> <name> <offset> <count>
//
// "is symbol" is 0 for an address outside every function ([unknown]), 1 for a symbol, 2 for a local
// symbol that is written <file>/<name>. A fall-through is written as a branch from the end of one
// block to the start of the next; returns are not written.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

// One end of a record. `name` indexes FdataProfile::names.
struct FdataLocation {
  enum class Kind : uint8_t { kOutside, kSymbol, kLocalSymbol };

  Kind kind = Kind::kOutside;
  uint32_t name = 0;
  uint64_t offset = 0;
};

struct FdataBranch {
  FdataLocation from, to;
  uint64_t mispredicts = 0;
  uint64_t count = 0;
};

// A PC sample, or a memory access by the instruction at `at`.
struct FdataSample {
  FdataLocation at;
  uint64_t count = 0;
};

struct FdataProfile {
  bool bolted_collection = false;
  bool pc_samples = false;  // no_lbr
  std::vector<std::string> events;
  std::vector<std::string> names;  // without backslashes, in order of appearance
  std::vector<FdataBranch> branches;
  std::vector<FdataSample> samples;
  std::vector<FdataSample> memory;

  // Sums over all records; they stop at the largest number.
  uint64_t total_count() const;
  uint64_t total_mispredicts() const;
};

// How much of the profile is about one function: branches and fall-throughs that start in it, or
// its PC samples.
struct FdataFunction {
  std::string name;
  uint64_t count = 0;
  uint64_t mispredicts = 0;
};

// Does the text begin like fdata? (A header, or a first line with the fields of a record.)
bool is_fdata(Bytes bytes);

// `name` is for messages. Errors (kInput) name the line. O(size); memory about that of the file.
Result<FdataProfile> parse_fdata(Bytes bytes, const std::string& name);

// The functions of a profile, hottest first; equal counts by name.
std::vector<FdataFunction> hottest_functions(const FdataProfile& profile);

}  // namespace pgo
