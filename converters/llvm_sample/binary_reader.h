// Reads the two binary forms of LLVM sample profiles (ext_binary_writer.h has the layout) into
// LLVM's map, as LLVM 22's own reader fills it: functions and lines that occur twice add up.
//
// LLVM's reader is for files that LLVM wrote. It follows numbers past the end of a section,
// believes what table a number points into, and nests calls as deep as a file says. So this is a
// reader of ours: every byte comes through a ByteCursor, every number is checked before it is an
// index, and what is allocated is in proportion to the bytes that ask for it (compressed ones: at
// most 1032 times as many, and 4 GiB).
//
// Beside what our own writer writes, there are
//
//   compression         a section with flag 1: inflated size, stored size, what zlib made
//   hashes for names    flag 1 << 32 of the names: each is a ULEB128; with 2 << 32 also: a u64
//   contexts            flag 2 << 32 of the summary: functions are named by number in CSNameTable:
//                       {number of frames, each {name, offset, discriminator}}
//   vtables             flag 1 << 37 of the summary: each body ends with a number of
//                       {offset, discriminator, number of {name, count}}
//   FuncMetadata        each {name, metadata}; metadata: checksum if flag 1 << 32, attributes if
//                       2 << 32, and without contexts the inlined {offset, discriminator, name,
//                       metadata}
//
// Of the binary form the summary and the names come first, without sections. Not read, because all
// functions are: FuncOffsetTable; nor the list of symbols without samples.
#pragma once

#include <string>

#include "converters/llvm_sample/llvm_sample_reader.h"

namespace pgo {

// `format` is one of the binary ones, and what `bytes` begin with. The profile keeps a copy of
// them. Errors as those of read_llvm_sample().
Result<LlvmSampleFile> read_binary_sample(Bytes bytes, LlvmSampleFormat format,
                                          const std::string& name);

}  // namespace pgo
