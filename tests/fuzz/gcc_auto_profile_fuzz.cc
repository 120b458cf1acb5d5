// Any bytes as a profile for GCC: an error, or a profile that is written and read again as itself.
#include <cstdlib>

#include "converters/gcc_auto/gcc_auto_profile.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<GccAutoProfile> profile = parse_gcc_auto_profile({data, size}, "fuzz");
  if (!profile) return 0;
  std::string bytes = write_gcc_auto_profile(*profile);
  Result<GccAutoProfile> again = parse_gcc_auto_profile(
      {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, "fuzz");
  if (!again || *again != *profile) std::abort();
  return 0;
}
