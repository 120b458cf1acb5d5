// Any bytes as pre-aggregated text: an error or a normalized profile, which the writer writes and
// the reader then reads back as it was.
#include <cstdlib>

#include "converters/preaggregated/preaggregated.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  (void)is_preaggregated(bytes);
  Result<PreaggregatedProfile> profile = parse_preaggregated(bytes, "fuzz");
  if (!profile) return 0;
  AddressProfile whole;
  whole.binaries.push_back(profile->counts);
  if (whole.check()) std::abort();
  Result<std::string> text = write_preaggregated(profile->counts);
  if (!text) return 0;
  Bytes written(reinterpret_cast<const uint8_t*>(text->data()), text->size());
  Result<PreaggregatedProfile> again = parse_preaggregated(written, "written");
  if (!again) std::abort();
  Result<std::string> text_again = write_preaggregated(again->counts);
  if (!text_again || *text_again != *text) std::abort();
  return 0;
}
