// GccAutoProfile: what GCC reads with -fauto-profile (.afdo), as bytes and as values. Version 2 of
// the format, which GCC 12 to 15 read; they refuse every other version, and other releases refuse
// this.
//
// The layout; all integers are little-endian, sections follow one another without padding:
//
//   u32 0x67636461 ("gcda"), u32 version (2), u32 0
//   u32 0xaa000000, u32 length, u32 count, count names: u32 size with the NUL, bytes, NUL
//   u32 0xac000000, u32 length, u32 count, count functions: u64 head, BODY
//     BODY: u32 name, u32 positions, u32 inlined functions, then
//       for each position: u32 place, u32 targets, u64 count,
//         for each target: u32 7 (an indirect call's), u64 name, u64 count
//       for each inlined function: u32 place, BODY
//   u32 0xae000000, u32 0, u32 0                       groups of modules: none
//   u32 0xaf000000, u32 384, 128 times u32, u64        working set: zeros, nobody reads it now
//
// A name is a number in the table, where 0 must be empty and is never referred to. A place is
// (line - line of the function's declaration) modulo 2^16, times 2^16, plus the discriminator.
// Lengths are in words of 4 bytes, and not believed by GCC, nor here. GCC asserts what is wrong in
// a file instead of refusing it, so what is written here has been thought through: no name twice
// (the last one would win), no inlined function twice at a place.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

struct GccAutoProfile {
  using Place = uint32_t;

  struct Position {
    uint64_t count = 0;
    std::map<std::string, uint64_t> targets;  // of an indirect call, and how often each was called

    bool operator==(const Position&) const = default;
  };
  struct Body {
    std::map<Place, Position> positions;
    std::map<std::pair<Place, std::string>, Body> inlined;  // by place and name

    // The counts of all positions, inlined ones included: what GCC calls the total.
    uint64_t total() const;
    bool operator==(const Body&) const = default;
  };
  struct Function {
    uint64_t head = 0;  // how often it was entered
    Body body;

    bool operator==(const Function&) const = default;
  };

  std::map<std::string, Function> functions;  // no name is empty

  bool operator==(const GccAutoProfile&) const = default;
};

// Does this begin like a profile for -fauto-profile of version 2?
bool is_gcc_auto_profile(Bytes bytes);

// The bytes of the file; the same profile gives the same bytes.
std::string write_gcc_auto_profile(const GccAutoProfile& profile);

// `name` is for messages. What is there twice counts once, as GCC has it: the last one. Error:
// kInput with the position. O(size log size) time; O(size) memory,
// and up to 256 MB for names that are referred to more than once.
Result<GccAutoProfile> parse_gcc_auto_profile(Bytes bytes, const std::string& name);

}  // namespace pgo
