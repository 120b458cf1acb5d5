#include "pgo/diff/folded_difference.h"

#include <array>
#include <map>
#include <string_view>

#include "converters/folded/folded.h"
#include "pgo/diff/merged_difference.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

// The samples of one side, with their own sign.
Result<StackProfile> side_of(const StackProfile& merged, const std::string& type, bool is_base) {
  StackProfile side = merged;
  PGO_CHECK(select_sample_types(side, {type}, "the comparison"));
  keep_samples(side, [&](size_t sample) {
    return MergedDifference::is_base(side, side.samples[sample].labels) == is_base;
  });
  if (is_base) MergedDifference::negate(side.values);
  return side;
}

}  // namespace

Result<std::string> folded_difference(const StackProfile& merged, const std::string& type,
                                      Diagnostics& diagnostics) {
  std::map<std::string, std::array<std::string, 2>, std::less<>> counts;
  for (size_t side = 0; side < 2; side++) {
    PGO_TRY(StackProfile profile, side_of(merged, type, side == 0));
    Result<std::string> folded = write_folded(profile, diagnostics);
    if (!folded && folded.error().kind != ErrorKind::kEmpty) return fail(folded.error());
    std::string_view lines = folded ? std::string_view(*folded) : std::string_view();
    while (!lines.empty()) {
      std::string_view line = lines.substr(0, lines.find('\n'));
      lines.remove_prefix(line.size() + 1);
      size_t space = line.rfind(' ');
      counts[std::string(line.substr(0, space))][side] = line.substr(space + 1);
    }
  }
  if (counts.empty()) return fail(ErrorKind::kEmpty, "no stack of either side has a value");
  std::string text;
  for (const auto& [stack, values] : counts) {
    text += stack;
    for (const std::string& value : values) text += ' ' + (value.empty() ? "0" : value);
    text += '\n';
  }
  return text;
}

}  // namespace pgo
