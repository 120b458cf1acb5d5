// Writes LLVM's extensible binary sample profile, byte for byte as LLVM 22's own writer does, in a
// fifth of its time: that one hashes every name with MD5 wherever it occurs, and took two fifths of
// a whole conversion of a large binary.
//
// The layout (all numbers ULEB128 unless said otherwise):
//
//   magic 0x5350524f46343204, version 103, u64 number of sections
//   for each section u64 type, flags, offset in the file, size
//   Summary (1)       total, max, max function count, counts, functions, n, n x {cutoff, min,
//   counts};
//                     flag 4 << 32: discriminators are flow-sensitive; 32 << 32: with vtables
//   NameTable (2)     number of names, each with a NUL, sorted; flag 4 << 32: some have .__uniq.
//   CSNameTable (6)   number of contexts: 0 here; SymbolList (3): empty here
//   LBRProfile (32)   functions by descending total, then name: head samples, body
//   FuncOffsetTable (4)  number of functions, each name's number and offset in LBRProfile
//   FuncMetadata (5)  flag 1 << 32, and for each function, when the profile is by pseudo probe:
//                     the name's number, checksum, number of inlined callees, each {offset,
//                     discriminator, the same again}; in the order of LLVM's hash map; else empty
//
//   body: the name's number, total, number of lines, each {offset, discriminator, samples, number
//   of callees, each {number of the name, count}}, number of inlined callees, each {offset,
//   discriminator, body}; with that flag, number of calls by vtable, each {offset, discriminator,
//   number of vtables, each {number of the name, count}}
//
// LLVM's own writer leaves the vtables out unless it has -extbinary-write-vtable-type-prof.
//
// The header lists the sections in the order 1 2 6 4 32 3 5; the file has FuncOffsetTable behind
// the symbol list. Not written: context-sensitive profiles, MD5 names, compression.
#pragma once

#include <string>

#include "pgo/symbolize/source_profile.h"

namespace pgo {

// Has any call counts by vtable? O(functions).
bool has_vtables(const SourceProfile& profile);

// The bytes of the file, made on `jobs` threads (0: all cores). O(records).
std::string write_ext_binary(const SourceProfile& profile, unsigned jobs);

}  // namespace pgo
