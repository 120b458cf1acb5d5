// Any bytes as .eh_frame_hdr and .eh_frame of a file: an error, or ranges in order. The first byte
// says how long the former is.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "pgo/elf/unwind_table.h"
#include "tests/data/elf_builder.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  std::string_view header = text.substr(0, data[0]);
  ElfBuilder elf;
  elf.add_section(".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, 0x100, header);
  elf.add_section(".eh_frame", SHT_PROGBITS, SHF_ALLOC, 0x200, text.substr(header.size()));
  std::vector<uint8_t> file = elf.finish();
  Result<ElfImage> image = ElfImage::parse(file, "fuzz");
  if (!image) std::abort();
  Result<UnwindTable> table = UnwindTable::read(*image);
  if (!table) return 0;
  for (size_t i = 1; i < table->ranges().size(); i++)
    if (table->ranges()[i].begin.value < table->ranges()[i - 1].begin.value) std::abort();
  if (table->ranges().size() * 4 > header.size()) std::abort();
  return 0;
}
