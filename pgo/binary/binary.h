// Binary: an executable or a shared library that ran, with the files that describe it and a map of
// its code. Everything that works on a binary takes this one type, or TargetBinary where no debug
// information is needed.
//
//   PGO_TRY(Binary binary, open_binary("./server", {}, BinaryUse::kCounts));
//   binary.debug_image()      the file with its debug information
#pragma once

#include <memory>
#include <string>

#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/elf/elf_image.h"
#include "pgo/elf/target_binary.h"
#include "pgo/profile/code_map.h"

namespace pgo {

// Which file's pseudo probes to count by. Stripping may leave them only in the debug file.
enum class ProbeUse { kOfBinaryOrDebugFile, kOfBinary, kNone };

// The one of a binary and its debug file (or null) to read probes from; null when there are none.
// What BOLT rewrote has other addresses than its input's debug file.
const ElfImage* find_probes(const ElfImage& image, const ElfImage* debug,
                            ProbeUse use = ProbeUse::kOfBinaryOrDebugFile);

// What a binary is opened for. Counts need its functions and all of their code, which a stripped
// file does not tell. Names can be those that it still has (remaining_symbols.h).
enum class BinaryUse { kCounts, kNames };

struct Binary {
  std::unique_ptr<ElfImage> image;
  std::unique_ptr<ElfImage> debug;  // null when `image` has what is needed itself
  // A stripped binary with the symbols that it still has; null where it has others.
  std::unique_ptr<ElfImage> remaining;
  std::unique_ptr<CodeMap> code;
  const ElfImage* probes = nullptr;  // `image` or `debug`; null when counts are by line

  const ElfImage& debug_image() const { return debug ? *debug : *image; }
  // The image with the symbol table: a stripped binary's is in its debug file.
  const ElfImage& symbol_image() const {
    if (remaining) return *remaining;
    return image->symbols().empty() ? debug_image() : *image;
  }
  TargetBinary target() const { return {image.get(), code.get(), &symbol_image()}; }
};

// Errors: kInput for a file that is not ELF, damaged, or stripped without a debug file (for names:
// and without any symbol of a function); kMismatch when none of `places.files` belongs to a
// stripped binary; kUnsupported for another architecture.
Result<Binary> open_binary(const std::string& path, const DebugPlaces& places, BinaryUse use,
                           ProbeUse probe_use = ProbeUse::kOfBinaryOrDebugFile);

// Where a program or a library is needed. The error says what another file is: arguments may have
// been swapped.
Result<ElfImage> open_elf(const std::string& path);

// The build ID in hexadecimal, or "no build ID".
std::string build_id_text(const ElfImage& image);

}  // namespace pgo
