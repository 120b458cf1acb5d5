// The forms in which LLVM sample profiles are stored: what clang reads with -fprofile-sample-use.
//
//   extensible binary  ULEB128 magic ("SPROF42" and 0x04, as a number), ULEB128 version (103), a
//                      table of sections {u64 type, flags, offset, size}, the sections
//   binary             ULEB128 magic ("SPROF42" and 0xff), ULEB128 version, summary, names, counts
//   text               "name:total:head", then lines indented by inline depth
//
// Telling them apart needs no LLVM.
#pragma once

#include <optional>

#include "pgo/base/bytes.h"

namespace pgo {

enum class LlvmSampleFormat { kExtBinary, kBinary, kText };

// How deep calls may be inlined into each other in a profile that is read, because LLVM's code
// recurses into them. pgo/symbolize makes 1000 levels at most, and text indents their lines by
// 1001.
constexpr unsigned kMaxInlined = 1001;

// Lines are counted from the start of their function, in 16 bits.
constexpr unsigned kLastLineOffset = 0xffff;

// The binary form that the magic number says; nothing for any other file.
std::optional<LlvmSampleFormat> detect_binary_llvm_sample(Bytes bytes);
// The form that `bytes` have by their beginning: binary forms have a magic number; the first line
// of text that is not blank or a comment is the head of a function.
std::optional<LlvmSampleFormat> detect_llvm_sample(Bytes bytes);
inline bool is_llvm_sample(Bytes bytes) { return detect_llvm_sample(bytes).has_value(); }

}  // namespace pgo
