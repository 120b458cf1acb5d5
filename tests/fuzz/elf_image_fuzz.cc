// Any bytes as an ELF file: an error, or an image whose views all lie in those bytes. A crash
// inside libelf is not ours to mend.
#include <cstdlib>
#include <functional>

#include "pgo/elf/elf_image.h"
#include "pgo/elf/note.h"
#include "pgo/elf/remaining_symbols.h"
#include "pgo/elf/stripped_file.h"

using namespace pgo;

namespace {

void must_lie_in(Bytes file, const void* begin, size_t size) {
  if (size == 0) return;
  const uint8_t* first = static_cast<const uint8_t*>(begin);
  std::less_equal<const uint8_t*> before;
  if (!before(file.data(), first) || !before(first + size, file.data() + file.size())) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes file(data, size);
  Result<ElfImage> image = ElfImage::parse(file, "fuzz");
  if (!image) return 0;
  for (const ElfImage::Section& section : image->sections()) {
    must_lie_in(file, section.bytes.data(), section.bytes.size());
    must_lie_in(file, section.name.data(), section.name.size());
  }
  for (const ElfImage::Symbol& symbol : image->symbols()) {
    must_lie_in(file, symbol.name.data(), symbol.name.size());
    if (symbol.section >= image->sections().size()) std::abort();
  }
  if (auto link = image->debug_link())
    must_lie_in(file, link->file_name.data(), link->file_name.size());
  if (auto note = find_profile_note(*image)) must_lie_in(file, note->data(), note->size());
  if (Result<ElfImage> remaining = with_remaining_symbols(*image))
    for (const ElfImage::Symbol& symbol : remaining->symbols())
      if (symbol.section >= remaining->sections().size()) std::abort();
  if (const auto stripped = strip_debug_sections(*image))
    if (stripped->size() >= size) std::abort();
  for (uint64_t offset : {uint64_t{0}, uint64_t{size}, ~uint64_t{0}})
    (void)image->to_elf_addr(FileOffset{offset}, SegmentKind::kExecutable);
  return 0;
}
