// What clang itself found out about a sample profile while it applied it: with -mllvm
// -persist-profile-staleness it leaves statistics in the section .llvm_stats of each object, and
// the linker puts those behind one another.
//
//   std::optional<StalenessStatistics> compiler = find_staleness_statistics(image);
//
// The section is a list of {ULEB128 size, key, ULEB128 size, decimal number in base64}; a key comes
// once for each module, and the numbers of all modules are added up. Other keys are skipped.
#pragma once

#include <cstdint>
#include <optional>

#include "pgo/elf/elf_image.h"

namespace pgo {

struct StalenessStatistics {
  // Call sites that the profile knows. Of these, some are lost: the compiler did not find them. Or
  // recovered: it found them elsewhere (-salvage-stale-profile); those are not among the lost.
  uint64_t call_sites = 0, lost_call_sites = 0, recovered_call_sites = 0;
  uint64_t lost_call_site_samples = 0, recovered_call_site_samples = 0;
  // Functions that were renamed and found all the same (-salvage-unused-profile).
  uint64_t renamed_functions = 0, renamed_samples = 0;
  // Of profiles by probe only: functions whose checksum is another one now, and their samples. A
  // function that was inlined wherever it ran is in the samples only.
  uint64_t functions = 0, changed_functions = 0;
  uint64_t samples = 0, changed_samples = 0;

  bool operator==(const StalenessStatistics&) const = default;
};

// Nothing when no key is known, or where the section is damaged before the first.
std::optional<StalenessStatistics> find_staleness_statistics(const ElfImage& image);
std::optional<StalenessStatistics> parse_staleness_statistics(Bytes section);

}  // namespace pgo
