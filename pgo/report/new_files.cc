#include "pgo/report/new_files.h"

#include "pgo/base/number_text.h"

namespace pgo {

std::string new_files_text(uint64_t added, uint64_t bytes, uint64_t all) {
  if (added == 0) return "no new file: all of them were there already";
  const std::string size = " (" + format_size(bytes) + ")";
  if (added >= all) return format_count(added, "file") + size;
  const uint64_t others = all - added;
  return format_count(added, "new file") + size + "; " + format_count(others) +
         (others == 1 ? " was" : " were") + " there already";
}

}  // namespace pgo
