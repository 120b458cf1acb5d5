#include "pgo/elf/remaining_symbols.h"

#include <utility>

#include "pgo/base/xz.h"

namespace pgo {

Result<ElfImage> with_remaining_symbols(const ElfImage& image) {
  PGO_TRY(ElfImage symbols,
          ElfImage::parse(image.bytes(), image.path(), ElfImage::SymbolTable::kDynamic));
  const ElfImage::Section* compressed = image.find_section(".gnu_debugdata");
  if (compressed == nullptr) return symbols;
  const std::string name = image.path() + ": .gnu_debugdata";
  PGO_TRY(InflatedBytes inflated,
          inflate_xz(compressed->bytes, name, inflate_limit(compressed->bytes.size())));
  PGO_TRY(ElfImage others, ElfImage::parse(inflated.bytes(), name));
  symbols.add_symbols(others, std::move(inflated));
  return symbols;
}

}  // namespace pgo
