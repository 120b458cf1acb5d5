// Any bytes as .llvm_stats: nothing, or numbers from as many entries as there is room for.
#include <cstdlib>

#include "pgo/elf/staleness_statistics.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::optional<StalenessStatistics> found = parse_staleness_statistics(Bytes(data, size));
  // The shortest key that is known has 15 characters.
  if (found && size < 15) std::abort();
  return 0;
}
