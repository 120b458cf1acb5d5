// Can llvm-bolt optimize a binary? The one judgement of `pgo bolt`, `pgo show` and `pgo
// doctor`, by the headers of the file alone: no tool is run for it. llvm-bolt would say the same,
// later and with less advice.
//
//   if (std::optional<BoltObstacle> obstacle = find_bolt_obstacle(image))
//     ... image.path() + ": " + obstacle->what + "; " + obstacle->advice
#pragma once

#include <optional>
#include <string>

#include "pgo/elf/elf_image.h"

namespace pgo {

// What stands in the way, as what is said of the binary, and what to do about it.
struct BoltObstacle {
  enum class Kind { kBolted, kDebugFile, kStripped, kNoRelocations };

  Kind kind = Kind::kNoRelocations;
  std::string what;    // "has no relocations, without which functions cannot be moved"
  std::string advice;  // "link with ..."
};

// Of an executable or a shared library; nothing when it is fit. O(sections).
std::optional<BoltObstacle> find_bolt_obstacle(const ElfImage& binary);

// Did the linker keep relocations of code (--emit-relocs)?
bool has_relocations(const ElfImage& binary);

}  // namespace pgo
