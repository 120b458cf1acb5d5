// Any bytes as fdata: an error, or records whose names exist and whose functions are sorted.
#include <cstdlib>

#include "converters/fdata/fdata.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  (void)is_fdata(bytes);
  Result<FdataProfile> profile = parse_fdata(bytes, "fuzz");
  if (!profile) return 0;
  for (const FdataBranch& branch : profile->branches)
    if (branch.from.name >= profile->names.size() || branch.to.name >= profile->names.size())
      std::abort();
  std::vector<FdataFunction> functions = hottest_functions(*profile);
  for (size_t i = 1; i < functions.size(); i++)
    if (functions[i - 1].count < functions[i].count) std::abort();
  if (!functions.empty() && functions[0].count > profile->total_count()) std::abort();
  return 0;
}
