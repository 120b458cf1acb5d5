// The build ID of a layout: of a binary as llvm-bolt wrote it for one profile. llvm-bolt passes its
// input's ID on with the last bit flipped, so all layouts of one input would have the same ID, and
// recordings of last week's could be taken for recordings of this week's. `pgo bolt` writes a
// digest of the file into the last quarter of the ID (5 of the usual 20 bytes). The rest remains
// the input's, by which BuildId::matches_bolted() knows the two for one identity.
#pragma once

#include <string>

#include "pgo/elf/elf_image.h"

namespace pgo {

// Writes it into `contents`, the bytes of `image`. The last bit stays as llvm-bolt wrote it: the ID
// never becomes the input's. Build IDs of less than BuildId::kMinSize bytes stay as they are.
// The same contents get the same ID.
void write_layout_id(const ElfImage& image, std::string& contents);

}  // namespace pgo
