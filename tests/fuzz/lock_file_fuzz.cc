// Any bytes as pgo.lock: an error that names the file, or profiles whose files have plain names and
// digests, which come back when they are written.
#include <cstdlib>
#include <string_view>

#include "pgo/base/bytes.h"
#include "pgo/base/sha256.h"
#include "pgo/registry/lock_file.h"
#include "pgo/registry/reference.h"

using namespace pgo;

namespace {

void check(const LockEntry& entry) {
  Result<RegistryReference> reference = parse_reference(entry.reference);
  if (!reference || reference_text(*reference) != entry.reference) std::abort();
  if (!is_sha256_digest(entry.manifest)) std::abort();
  for (const ProfileFile& file : entry.files)
    if (!is_plain_file_name(file.name) || !is_sha256_digest(file.digest)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Diagnostics diagnostics;
  Result<LockFile> lock = parse_lock_file(as_text({data, size}), "fuzz", diagnostics);
  if (!lock) {
    if (!lock.error().message.starts_with("fuzz: ")) std::abort();
    return 0;
  }
  for (const auto& [name, entry] : lock->profiles) {
    if (!is_profile_name(name)) std::abort();
    check(entry);
  }
  const std::string text = lock_file_text(*lock);
  Result<LockFile> again = parse_lock_file(text, "fuzz", diagnostics);
  if (!again || *again != *lock || lock_file_text(*again) != text) std::abort();
  return 0;
}
