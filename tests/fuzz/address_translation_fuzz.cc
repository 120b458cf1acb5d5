// Any bytes as BOLT's address translation table: an error, or fragments in order whose entries are
// in order.
#include <cstdlib>

#include "pgo/elf/bolt/address_translation.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<AddressTranslation> table = AddressTranslation::parse(Bytes(data, size), "fuzz");
  if (!table) return 0;
  const std::vector<AddressTranslation::Fragment>& fragments = table->fragments();
  for (size_t i = 0; i < fragments.size(); i++) {
    if (i > 0 && fragments[i].begin <= fragments[i - 1].begin) std::abort();
    const std::vector<AddressTranslation::Entry>& entries = fragments[i].entries;
    for (size_t j = 1; j < entries.size(); j++)
      if (entries[j].output <= entries[j - 1].output) std::abort();
  }
  return 0;
}
