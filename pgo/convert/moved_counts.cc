#include "pgo/convert/moved_counts.h"

#include "pgo/binary/debug_file.h"
#include "pgo/convert/bolt_pair.h"
#include "pgo/elf/bolt/address_translation.h"

namespace pgo {
namespace {

// Are the counts by addresses that no debug information describes, or the table better? Debug
// information that llvm-bolt rewrote has lost some of what the compiler wrote; the pseudo probes
// that it rewrote have not.
bool needs_moving(const BinaryCounts& counts, const Binary& binary, const BinarySet& binaries) {
  if (counts.empty() || !is_bolted(*binary.image) || binary.probes != nullptr) return false;
  if (!has_debug_info(binary.debug_image())) return true;
  return find_translation_target(*binary.image, binaries) != nullptr;
}

// What the counts of `bolted` need to be moved, or what is missing.
Result<const Binary*> require_bolt_input(const ElfImage& bolted, const BinarySet& binaries) {
  if (!has_address_translation(bolted))
    return fail(ErrorKind::kUnsupported,
                bolted.path() +
                    ": was rewritten by BOLT and has neither an address translation table nor "
                    "debug information",
                "was it stripped? give the unstripped file, which still has "
                "the table; otherwise run llvm-bolt with -enable-bat (small) or "
                "-update-debug-sections");
  if (const Binary* input = find_bolt_input(bolted, binaries)) return input;
  return fail(ErrorKind::kUsage,
              bolted.path() + ": was rewritten by BOLT (build ID " + bolted.build_id().hex() +
                  "); its counts belong to the input of BOLT",
              "name that too: \xFF{binary} " + bolted.path() + " \xFF{binary} INPUT");
}

}  // namespace

Result<TranslatedBinary> move_counts(const BinaryCounts& counts, const Binary& bolted,
                                     const Binary& input) {
  PGO_TRY(TranslatedCounts translated, translate_counts(counts, bolted.target(), input.target()));
  return TranslatedBinary{std::move(translated.counts),
                          {bolted.image->path(), input.image->path(), translated.report}};
}

Result<MovedCounts> move_counts_to_bolt_inputs(std::vector<BinaryCounts> counted,
                                               const BinarySet& binaries) {
  MovedCounts moved;
  bool any = false;
  for (BinaryCounts& counts : counted) {
    PGO_TRY(const Binary* binary, binaries.find(counts));
    if (!needs_moving(counts, *binary, binaries)) continue;
    PGO_TRY(const Binary* input, require_bolt_input(*binary->image, binaries));
    PGO_TRY(TranslatedBinary translated, move_counts(counts, *binary, *input));
    counts = std::move(translated.counts);
    moved.broken_ranges =
        saturating_add(moved.broken_ranges, translated.moved.report.broken_ranges);
    moved.moved.push_back(std::move(translated.moved));
    any = true;
  }
  if (!any) {
    moved.counts = std::move(counted);
    return moved;
  }
  // Counts of the input itself, and those that were moved to it, become one.
  AddressProfile merged;
  merged.binaries = std::move(counted);
  merged.normalize();
  moved.counts = std::move(merged.binaries);
  return moved;
}

}  // namespace pgo
