#include "bolt/bolt_fitness.h"

#include <algorithm>

#include "pgo/elf/bolt/address_translation.h"

namespace pgo {

std::optional<BoltObstacle> find_bolt_obstacle(const ElfImage& binary) {
  using Kind = BoltObstacle::Kind;
  if (is_bolted(binary))
    return BoltObstacle{
        Kind::kBolted, "was written by llvm-bolt already",
        "give the binary it was made from; this one can only be the binary that was "
        "recorded"};
  if (binary.is_debug_file())
    return BoltObstacle{Kind::kDebugFile, "is a debug file, without code",
                        "give the unstripped file that it was split from"};
  if (binary.symbols().empty())
    return BoltObstacle{
        Kind::kStripped, "is stripped: without its symbol table llvm-bolt finds no functions",
        "give the unstripped file, and strip after BOLT, with llvm-strip (GNU strip "
        "breaks what llvm-bolt wrote)"};
  if (!has_relocations(binary))
    return BoltObstacle{
        Kind::kNoRelocations, "has no relocations, without which functions cannot be moved",
        "link with \xFF{emit-relocs}, and strip nothing but debug information before "
        "BOLT"};
  return std::nullopt;
}

bool has_relocations(const ElfImage& binary) {
  return std::any_of(
      binary.sections().begin(), binary.sections().end(),
      [](const ElfImage::Section& section) { return section.name.starts_with(".rela.text"); });
}

}  // namespace pgo
