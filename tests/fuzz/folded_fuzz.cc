// Any bytes as folded stacks: an error, or a profile whose text is read back to the same text.
#include <cstdlib>

#include "converters/folded/folded.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  (void)is_folded(bytes);
  Diagnostics diagnostics;
  Result<StackProfile> profile = parse_folded(bytes, "fuzz", diagnostics);
  if (!profile) return 0;
  profile->normalize();
  if (profile->check()) std::abort();
  Result<std::string> text = write_folded(*profile, diagnostics);
  if (!text) return 0;
  Bytes written(reinterpret_cast<const uint8_t*>(text->data()), text->size());
  Result<StackProfile> again = parse_folded(written, "written", diagnostics);
  if (!again) std::abort();
  again->normalize();
  Result<std::string> text_again = write_folded(*again, diagnostics);
  if (!text_again || *text_again != *text) std::abort();
  return 0;
}
