// The forms in which LLVM sample profiles are stored: what clang reads with -fprofile-sample-use.
//
//   extensible binary  ULEB128 magic ("SPROF42" and 0x04, as a number), ULEB128 version (103), a
//                      table of sections {u64 type, flags, offset, size}, the sections
//   binary             ULEB128 magic ("SPROF42" and 0xff), ULEB128 version, summary, names, counts
//   text               "name:total:head", then lines indented by inline depth
#pragma once

namespace pgo {

enum class LlvmSampleFormat { kExtBinary, kBinary, kText };

}  // namespace pgo
