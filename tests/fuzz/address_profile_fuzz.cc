// Any bytes as an AddressProfile, compressed or not: an error, or a profile that keeps its
// invariants, and is written, read back as it was and written again to the same bytes.
#include <cstdlib>

#include "converters/address/address_profile_reader.h"
#include "converters/address/address_profile_writer.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)is_address_profile(Bytes(data, size));
  Result<AddressProfile> profile = read_address_profile(Bytes(data, size), "fuzz");
  if (!profile) return 0;
  if (profile->check()) std::abort();
  profile->diagnostics = {};
  std::string written = write_address_message(*profile);
  Bytes bytes(reinterpret_cast<const uint8_t*>(written.data()), written.size());
  Result<AddressProfile> again = read_address_profile(bytes, "written");
  if (!again || *again != *profile || write_address_message(*again) != written) std::abort();
  return 0;
}
