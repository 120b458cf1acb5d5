// Any bytes as a manifest and as an index of a registry: an error that names the file, or what
// comes back when it is written.
#include <cstdlib>
#include <string_view>

#include "pgo/base/bytes.h"
#include "pgo/registry/oci_manifest.h"
#include "pgo/registry/profile_version.h"

using namespace pgo;

namespace {

void check_error(const Error& error) {
  if (!error.message.starts_with("fuzz: is ")) std::abort();
}

void check_manifest(std::string_view text) {
  Result<OciManifest> manifest = parse_oci_manifest(text, "fuzz");
  if (!manifest) return check_error(manifest.error());
  const std::string written = oci_manifest_text(*manifest);
  Result<OciManifest> again = parse_oci_manifest(written, "fuzz");
  if (!again || *again != *manifest || oci_manifest_text(*again) != written) std::abort();
  Result<ProfileVersion> version = read_profile_version(*manifest, "fuzz");
  if (!version) return check_error(version.error());
  const std::string canonical = oci_manifest_text(manifest_of(*version));
  Result<ProfileVersion> same =
      read_profile_version(parse_oci_manifest(canonical, "fuzz").value(), "fuzz");
  if (!same || oci_manifest_text(manifest_of(*same)) != canonical) std::abort();
}

void check_index(std::string_view text) {
  Result<OciIndex> index = parse_oci_index(text, "fuzz");
  if (!index) return check_error(index.error());
  const std::string written = oci_index_text(*index);
  Result<OciIndex> again = parse_oci_index(written, "fuzz");
  if (!again || oci_index_text(*again) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = as_text({data, size});
  check_manifest(text);
  check_index(text);
  return 0;
}
