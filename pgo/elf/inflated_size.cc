#include "pgo/elf/inflated_size.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

// 0 for one that is cut off: nothing inflates it.
uint64_t claimed_size(Bytes section) {
  Elf64_Chdr header{};
  if (section.size() < sizeof header) return 0;
  std::memcpy(&header, section.data(), sizeof header);
  return header.ch_size;
}

}  // namespace

uint64_t max_inflated_section(uint64_t stored) {
  return std::max(uint64_t{1} << 20, saturating_multiply(stored, 1100));
}

uint64_t max_inflated_file(uint64_t stored) {
  return saturating_add(uint64_t{16} << 20, saturating_multiply(stored, 32));
}

Result<void> check_inflated_size(const ElfImage& image) {
  const uint64_t most = max_inflated_file(image.bytes().size());
  uint64_t all = 0;
  for (const ElfImage::Section& section : image.sections()) {
    if (!section.compressed) continue;
    const uint64_t stored = section.bytes.size(), claimed = claimed_size(section.bytes);
    all = saturating_add(all, claimed);
    if (claimed > max_inflated_section(stored) || all > most)
      return fail(ErrorKind::kUnsupported,
                  image.path() + ": its compressed section " + std::string(section.name) +
                      " claims to inflate from " + std::to_string(stored) + " bytes to " +
                      std::to_string(claimed) + ", more than any real one does",
                  "is the file damaged? link it again");
  }
  return ok();
}

}  // namespace pgo
