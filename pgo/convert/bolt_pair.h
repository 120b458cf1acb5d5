// Pairs of binaries: what llvm-bolt read, and what it wrote, perhaps several layouts of one input.
// Counts of the second can become counts of the first, through BOLT's address translation table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pgo/binary/binary_set.h"

namespace pgo {

// What the CMake package appends to the name of a program that BOLT replaces.
inline constexpr std::string_view kBeforeBolt = ".prebolt";

// The binaries at `paths`, and for each that llvm-bolt wrote, with its table, the file
// PATH.prebolt, if that is what llvm-bolt read, with symbols, and none of `paths` is.
std::vector<std::string> with_bolt_inputs_beside(const std::vector<std::string>& paths);

// Is what llvm-bolt made of `input` one of `binaries`, too?
bool has_bolted(const ElfImage& input, const BinarySet& binaries);
// What llvm-bolt made `bolted` from, when that is one of `binaries` too; else null.
const Binary* find_bolt_input(const ElfImage& bolted, const BinarySet& binaries);
// The same, when `bolted` also has the table by which its counts can be translated; else null.
const Binary* find_translation_target(const ElfImage& bolted, const BinarySet& binaries);

}  // namespace pgo
