// What a mangled name of Rust (v0, _R...) costs to demangle, before LLVM is asked to do it.
//
// llvm::rustDemangle() reads again what a back reference (B) points to, and its only bound is 500
// levels of recursion: 300 characters of tuples, each of two references to the one before, would
// take for ever. So this walks the grammar once, front to back, without following references: an
// element costs the characters that it has, and a reference as much as its target.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pgo {

// About how many characters LLVM reads for `mangled`; each becomes ten of text at most. Stops at
// the largest number. Nothing for what is not such a name, is nested too deeply for LLVM, or refers
// to what is not there or has not ended. O(length).
std::optional<uint64_t> rust_name_cost(std::string_view mangled);

}  // namespace pgo
