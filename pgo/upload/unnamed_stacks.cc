#include "pgo/upload/unnamed_stacks.h"

#include <utility>
#include <vector>

namespace pgo {

uint64_t leave_out_names(StackProfile& profile) {
  std::vector<bool> has_id;
  for (StackMapping& mapping : profile.mappings) {
    has_id.push_back(!profile.build_id_of(mapping).bytes().empty());
    if (has_id.back())
      mapping.has_functions = mapping.has_filenames = mapping.has_line_numbers =
          mapping.has_inline_frames = false;
  }
  uint64_t unnamed = 0;
  FlatLists<StackLine> lines;
  for (size_t i = 0; i < profile.locations.size(); i++) {
    const StackLocation& location = profile.locations[i];
    const bool is_known = location.address.value != 0 && location.mapping != kNoMapping &&
                          has_id[static_cast<size_t>(location.mapping)];
    const auto its_lines = profile.lines[i];
    unnamed += is_known && !its_lines.empty();
    lines.add(is_known ? std::span<const StackLine>() : its_lines);
  }
  profile.lines = std::move(lines);
  profile.normalize();
  return unnamed;
}

}  // namespace pgo
