#include "pgo/cli/binary_set.h"

#include <cassert>

#include "pgo/symbolize/debug_file.h"
#include "pgo/symbolize/instruction_decoder.h"

namespace pgo {
namespace {

Result<Binary> open_binary(const std::string& path, const std::vector<std::string>& debug_files) {
  Binary binary;
  PGO_TRY(ElfImage image, ElfImage::open(path));
  binary.image = std::make_unique<ElfImage>(std::move(image));
  if (!has_debug_info(*binary.image) || !debug_files.empty()) {
    PGO_TRY(std::optional<std::string> debug_path,
            find_debug_file(*binary.image, debug_files, {"/usr/lib/debug"}));
    if (debug_path) {
      PGO_TRY(ElfImage debug, ElfImage::open(*debug_path));
      binary.debug = std::make_unique<ElfImage>(std::move(debug));
    }
  }
  if (binary.symbol_image().symbols().empty())
    return fail(ErrorKind::kInput,
                path +
                    ": is stripped: it has no symbol table, so its code cannot be found; give the "
                    "unstripped binary, or its debug file with --debug-file");
  PGO_TRY(binary.code, make_code_map(*binary.image, binary.symbol_image()));
  return binary;
}

}  // namespace

Result<BinarySet> BinarySet::open(const std::vector<std::string>& paths,
                                  const std::vector<std::string>& debug_files) {
  BinarySet set;
  for (const std::string& path : paths) {
    PGO_TRY(Binary binary, open_binary(path, debug_files));
    for (const Binary& other : set.binaries_)
      if (binary.image->build_id().matches(other.image->build_id()))
        return fail(ErrorKind::kUsage, path + " and " + other.image->path() +
                                           " are the same build (" +
                                           binary.image->build_id().hex() + "); name one of them");
    set.binaries_.push_back(std::move(binary));
  }
  return set;
}

std::vector<perf_data::TargetBinary> BinarySet::targets() const {
  std::vector<perf_data::TargetBinary> targets;
  for (const Binary& binary : binaries_) targets.push_back({binary.image.get(), binary.code.get()});
  return targets;
}

const Binary& BinarySet::of(const BinaryCounts& counts) const {
  for (const Binary& binary : binaries_)
    if (binary.image->path() == counts.path_hint && binary.image->build_id() == counts.id)
      return binary;
  assert(false && "counts of a binary that was not asked for");
  return binaries_.front();
}

}  // namespace pgo
