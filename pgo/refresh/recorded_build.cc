#include "pgo/refresh/recorded_build.h"

#include <optional>
#include <string_view>

#include "pgo/base/atomic_file.h"
#include "pgo/elf/bolt/address_translation.h"
#include "pgo/elf/elf_image.h"
#include "pgo/elf/stripped_file.h"

namespace pgo {
namespace {

std::string obstacle_in(const ElfImage& image) {
  return is_bolted(image) ? "llvm-bolt made it, and llvm-bolt's input is not archived with it" : "";
}

}  // namespace

Result<RecordedBuild> write_recorded_build(const std::string& build, const std::string& path) {
  PGO_TRY(const ElfImage image, ElfImage::open(build));
  RecordedBuild recorded{.path = path, .size = 0, .obstacle = obstacle_in(image)};
  if (!recorded.obstacle.empty()) return recorded;
  const std::optional<std::string> stripped = strip_debug_sections(image);
  const std::string_view contents = stripped ? *stripped : as_text(image.bytes());
  recorded.size = contents.size();
  PGO_CHECK(write_file_atomically(path, contents));
  return recorded;
}

}  // namespace pgo
