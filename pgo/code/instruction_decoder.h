// InstructionDecoder: finds the instructions of a binary with LLVM's disassembler and writes them
// into a CodeMap, one symbol's code at a time and only when asked.
//
// What counts as code follows llvm-profgen 22: within each executable section but .plt, decoding
// starts afresh at every symbol of any kind and runs to the next one or to the end of the section;
// bytes before the first symbol of a section are not code. Chunk boundaries depend on symbols
// alone, so decoding chunk by chunk gives what decoding everything would.
#pragma once

#include <memory>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/code_map.h"

namespace pgo {

// The code of `image`, decoded on demand. `symbols` is the image whose symbol table says where code
// starts: `image` itself, or its debug file when it is stripped. Both must outlive the map.
// An error for an architecture that this LLVM cannot decode, and for more than 4 GiB of code.
Result<std::unique_ptr<CodeMap>> make_code_map(const ElfImage& image, const ElfImage& symbols);

}  // namespace pgo
