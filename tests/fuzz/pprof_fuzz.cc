// Any bytes as a pprof profile, compressed or not: an error, or a profile whose canonical form is
// written, read back as it was and written again to the same bytes.
#include <cstdlib>

#include "converters/pprof/pprof_reader.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/inflate.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t kLimit = 1 << 20;
  Result<InflatedBytes> message = inflate(Bytes(data, size), "fuzz", kLimit);
  if (!message) return 0;
  (void)is_pprof(message->bytes());
  Diagnostics diagnostics;
  Result<StackProfile> profile = parse_pprof(message->bytes(), "fuzz", diagnostics);
  if (!profile) return 0;
  profile->normalize();
  if (profile->check()) std::abort();
  std::string written = write_pprof(*profile);
  Bytes bytes(reinterpret_cast<const uint8_t*>(written.data()), written.size());
  Result<StackProfile> again = parse_pprof(bytes, "written", diagnostics);
  if (!again) std::abort();
  again->normalize();
  if (*again != *profile || write_pprof(*again) != written) std::abort();
  return 0;
}
