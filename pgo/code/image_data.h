// ImageData: what a binary holds at an address once it is loaded: bytes of the file, and addresses
// that the loader puts there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pgo/elf/elf_image.h"

namespace pgo {

class ImageData {
 public:
  // `symbols` is the image with the symbol table. Both must outlive this.
  ImageData(const ElfImage& image, const ElfImage& symbols);

  std::optional<int32_t> read_int32(ElfAddr addr) const;
  // Eight bytes that are an address of this binary, relocated (R_X86_64_RELATIVE) or not.
  std::optional<ElfAddr> read_address(ElfAddr addr) const;
  // The end of the symbol with a size that `addr` is in, if there is one.
  std::optional<ElfAddr> find_symbol_end(ElfAddr addr) const;

 private:
  struct Relocation {
    ElfAddr at, value;
  };
  struct Extent {
    ElfAddr begin, end;
  };
  Bytes bytes_at(ElfAddr addr, uint64_t size) const;
  void read_relocations(const ElfImage& image);

  std::vector<ElfImage::Section> sections_;  // loaded, with bytes, by address
  std::vector<Relocation> relocations_;      // by address
  std::vector<Extent> data_symbols_;         // by begin
};

}  // namespace pgo
