#include "pgo/diff/nameless_code.h"

#include "pgo/base/file_name.h"

namespace pgo {

std::string advise_on_nameless_code(const std::string& binary, const BinarySet* binaries) {
  const Binary* named = nullptr;
  if (binaries != nullptr)
    for (const Binary& one : binaries->binaries())
      if (file_name(one.image->path()) == binary) named = &one;
  if (named == nullptr)
    return "name its file with \xFF{binary}; if that is stripped, name its debug file, too, with "
           "\xFF{debug-file}";
  const std::string build = named->image->path() + " (" + build_id_text(*named->image) + ")";
  if (named->remaining)
    return build +
           " is stripped: name its debug file, which has the same build ID, with "
           "\xFF{debug-file}, or the directory of such files with \xFF{debug-root}";
  return build + " has no names for it: name the file of the build that was profiled";
}

}  // namespace pgo
