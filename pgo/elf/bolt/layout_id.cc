#include "pgo/elf/bolt/layout_id.h"

#include <elf.h>

#include "pgo/base/layout_size.h"
#include "pgo/base/sha256.h"
#include "pgo/elf/note.h"

namespace pgo {
namespace {

// Where the build ID ends in the file; nothing for one that cannot tell a layout.
std::optional<size_t> find_end(const ElfImage& image) {
  const Bytes file = image.bytes();
  for (const ElfImage::Section& section : image.sections()) {
    std::optional<Bytes> id = find_note(section.bytes, "GNU", NT_GNU_BUILD_ID);
    if (!id || id->size() > BuildId::kMaxSize || BuildId(*id) != image.build_id()) continue;
    const auto end = static_cast<size_t>(id->data() + id->size() - file.data());
    if (id->size() >= BuildId::kMinSize && end <= file.size()) return end;
  }
  return std::nullopt;
}

}  // namespace

void write_layout_id(const ElfImage& image, std::string& contents) {
  const std::optional<size_t> end = find_end(image);
  if (!end || *end > contents.size()) return;
  Sha256 hash;
  hash.add({reinterpret_cast<const uint8_t*>(contents.data()), contents.size()});
  const Sha256::Digest digest = hash.digest();
  const size_t size = layout_size(image.build_id().bytes().size());
  const int last_bit = contents[*end - 1] & 1;
  for (size_t i = 0; i < size; i++) contents[*end - size + i] = static_cast<char>(digest[i]);
  contents[*end - 1] = static_cast<char>((contents[*end - 1] & ~1) | last_bit);
}

}  // namespace pgo
