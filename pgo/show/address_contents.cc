#include "pgo/show/address_contents.h"

#include "converters/address/address_profile_reader.h"
#include "pgo/ingest/pc_samples.h"

namespace pgo {

Result<AddressContents> read_address_contents(Bytes bytes, const std::string& path) {
  PGO_TRY(AddressProfile profile, read_address_profile(bytes, path));
  keep_pc_samples(profile);
  AddressContents contents;
  contents.builds = list_builds(profile);
  profile.binaries.clear();
  contents.summary = std::move(profile);
  return contents;
}

}  // namespace pgo
