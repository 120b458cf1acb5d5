// Any bytes as a CPU profile of gperftools: an error, or a profile that normalizes.
#include <cstdlib>

#include "converters/gperftools/gperftools_cpu.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Diagnostics diagnostics;
  Result<StackProfile> profile = parse_gperftools_cpu(Bytes(data, size), "fuzz", diagnostics);
  if (profile.has_value() && !is_gperftools_cpu(Bytes(data, size))) std::abort();
  if (!profile) return 0;
  profile->normalize();
  if (profile->check()) std::abort();
  return 0;
}
