// Which of the ELF files that were asked for is the one that a recording, or a profile, names.
//
// A build ID says for certain, so all files are asked for it before any name counts. A name is for
// what has no id, on either side, and only where it tells: of several files of one name none is
// taken, since which came first must not matter.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/accounting.h"

namespace pgo {

// The kind of the warning that a file without a build ID was matched by its name.
inline constexpr const char* kMatchedByName = "matched-by-name";

struct ImageMatch {
  std::optional<size_t> image;  // its number
  bool by_name = false;         // no build ID could be compared
  // Why there is none: another binary, another build of one of them, or an ambiguous name.
  Dropped reason = Dropped::kOtherBinary;
  std::vector<size_t> candidates;  // those of the ambiguous name

  bool is_ambiguous() const { return candidates.size() > 1; }
};

// `id` may be empty; `path` is as it was recorded.
ImageMatch match_image(const BuildId& id, std::string_view path,
                       const std::vector<const ElfImage*>& images);

// "/srv/server could be A/server or B/server, and its build ID is unknown; its samples
// are not used. Name the one that ran", of an ambiguous one.
std::string describe_ambiguity(const ImageMatch& match, const BuildId& id, std::string_view path,
                               const std::vector<const ElfImage*>& images);

// The last component of a path, without the " (deleted)" of perf and others.
std::string_view recorded_file_name(std::string_view path);

}  // namespace pgo
