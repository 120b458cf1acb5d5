// Is what llvm-bolt wrote still the same program to all who look at it from outside? Compares the
// ELF files and runs nothing (loader_start.h does). A fault is a sentence that begins with what is
// wrong: "exports 40 symbols of 41: missing is parse".
//
// Compared: type and machine, build ID (which llvm-bolt passes on with the last bit flipped),
// interpreter, needed libraries and search paths, SONAME, dynamic flags, dynamic symbols and their
// versions. Looked at in the result alone: segments within the file, apart from one another and not
// both writable and executable where they were not; sections within segments; the entry point in
// code; the unwind table readable and there for every function that had one.
#pragma once

#include <string>
#include <vector>

#include "pgo/elf/elf_image.h"

namespace pgo {

// All faults; none when the result may take the place of its input. O(n log n).
std::vector<std::string> check_equivalence(const ElfImage& input, const ElfImage& result);

}  // namespace pgo
