#include "pgo/versions/pin.h"

#include <algorithm>

#include <memory>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/text_bytes.h"
#include "pgo/show/conversion_report.h"
#include "pgo/versions/lock_turns.h"
#include "pgo/versions/locked_reference.h"
#include "pgo/versions/locked_signature.h"

namespace pgo {
namespace {

constexpr uint64_t kMaxReportBytes = uint64_t{16} << 20;

// What fetched the profiles: the report says it, the manifest does not. A report that does not, or
// that a later version wrote, is no error.
Result<std::string> find_tool(Registry& registry, const ProfileVersion& version) {
  for (const ProfileFile& file : version.files) {
    if (file.kind != FileKind::kReport || file.size > kMaxReportBytes) continue;
    PGO_TRY(const std::string text,
            get_blob(registry, {file.media_type, file.digest, file.size}, kMaxReportBytes));
    const Bytes bytes = as_bytes(text);
    if (Result<ConversionReport> report = read_conversion_report(bytes, file.name))
      if (!report->provenance.tool.empty()) return report->provenance.tool;
  }
  return std::string();
}

Result<LockEntry> entry_of(Registry& registry, const RegistryReference& reference,
                           const std::string& lock,
                           const std::optional<RequiredSignature>& required) {
  LockEntry entry;
  PGO_TRY(const StoredManifest stored, get_manifest(registry, reference.version()));
  if (required) {
    PGO_TRY([[maybe_unused]] const std::string signature,
            find_signature(registry, stored, *required));
    entry.signed_by = minisign::public_key_text(required->key);
  }
  const std::string place = repository_text(reference) + "@" + stored.digest;
  PGO_TRY(const OciManifest manifest, parse_oci_manifest(stored.bytes, place));
  PGO_TRY(const ProfileVersion version, read_profile_version(manifest, place));
  PGO_TRY(entry.reference, reference_in_lock(reference, lock));
  entry.manifest = stored.digest;
  entry.window = version.window;
  entry.inputs = version.inputs;
  for (const std::string& source : version.sources)
    entry.source += (entry.source.empty() ? "" : ", ") + source;
  PGO_TRY(entry.tool, find_tool(registry, version));
  for (const ProfileFile& file : version.files)
    if (is_locked_kind(file.kind)) entry.files.push_back(file);
  for (ProfileFile& file : entry.files) file.media_type.clear();
  return entry;
}

// What was pinned before, as far as the entry says it.
Result<LockEntry> previous_entry(const PinRequest& request, const LockFile& lock) {
  const auto found = lock.profiles.find(request.name);
  if (found == lock.profiles.end()) return no_locked_profile(lock, request.lock, request.name);
  const LockEntry* old = &found->second;
  if (old->previous.empty())
    return fail(ErrorKind::kUsage,
                request.lock + ": no other version of " + request.name + " was pinned before");
  LockEntry previous;
  previous.manifest = old->previous;
  previous.reference = old->previous_reference;
  if (previous.reference.empty()) {
    // Most likely in the same place, but not by that tag.
    PGO_TRY(RegistryReference reference, parse_reference(old->reference));
    reference.tag.clear();
    previous.reference = reference_text(reference);
  }
  // The way back is no way around the signature that is required now: another key may have been
  // required before, but a version that none has signed must be signed first.
  previous.signed_by = old->previous_signed_by.empty() ? old->signed_by : old->previous_signed_by;
  return previous;
}

// The version to pin: the one that is asked for, or the one before.
Result<RegistryReference> wanted_version(const PinRequest& request, const LockEntry& previous) {
  if (!request.reference) return locked_reference(previous, request.lock);
  if (request.reference->version().empty())
    return fail(ErrorKind::kUsage,
                reference_text(*request.reference) + ": does not say which version to pin",
                "add ':TAG' or '@sha256:...'");
  return *request.reference;
}

Result<std::optional<RequiredSignature>> required_signature(const PinRequest& request,
                                                            const LockEntry* old) {
  if (request.verify) return std::optional<RequiredSignature>({*request.verify, "\xFF{verify}"});
  if (old == nullptr || old->signed_by.empty()) return std::optional<RequiredSignature>();
  PGO_TRY(RequiredSignature required, locked_signer(*old, request.lock, request.name));
  return std::optional<RequiredSignature>(std::move(required));
}

// A pin that was made meanwhile stays.
Result<void> check_expected(const PinRequest& request, const LockEntry* old) {
  const std::string pinned = old == nullptr ? "" : old->manifest;
  if (!request.expected || *request.expected == pinned) return ok();
  auto words = [](const std::string& digest) { return digest.empty() ? "none" : digest; };
  return fail(ErrorKind::kMismatch,
              request.lock + ": the pinned version of " + request.name +
                  " changed meanwhile: it was " + words(*request.expected) + ", and now it is " +
                  words(pinned),
              "run this again");
}

// What the entry says about the version before it.
void keep_previous(const LockEntry& old, LockEntry& entry) {
  const bool is_same = old.manifest == entry.manifest;
  entry.previous = is_same ? old.previous : old.manifest;
  entry.previous_reference = is_same ? old.previous_reference : old.reference;
  entry.previous_signed_by = is_same ? old.previous_signed_by : old.signed_by;
  entry.previous_inputs = is_same ? old.previous_inputs : old.inputs;
}

}  // namespace

Result<PinResult> pin(const PinRequest& request) {
  if (!is_profile_name(request.name))
    return fail(ErrorKind::kUsage,
                "'" + request.name +
                    "' is not a valid profile name: at most 128 letters, digits, "
                    "'_', '.', '-' and '+'");
  PinResult result;
  PGO_TRY(const LockTurns turn, wait_for_turns({request.lock}));
  PGO_TRY(LockFile lock,
          read_lock_file(request.lock, result.diagnostics,
                         request.reference ? MissingLock::kEmpty : MissingLock::kError));
  auto found = lock.profiles.find(request.name);
  const LockEntry* old = found == lock.profiles.end() ? nullptr : &found->second;
  PGO_CHECK(check_expected(request, old));
  LockEntry previous;
  if (!request.reference) {
    PGO_TRY(previous, previous_entry(request, lock));
  }
  PGO_TRY(const std::optional<RequiredSignature> required,
          required_signature(request, request.reference ? old : &previous));
  PGO_TRY(const RegistryReference wanted, wanted_version(request, previous));
  PGO_TRY(const std::unique_ptr<Registry> registry, request.open(wanted, RegistryUse::kRead));
  PGO_TRY(result.entry, entry_of(*registry, wanted, request.lock, required));
  if (std::none_of(result.entry.files.begin(), result.entry.files.end(),
                   [](const ProfileFile& file) { return file.kind <= FileKind::kGo; }))
    result.diagnostics.warn("no-profile", reference_text(wanted) +
                                              ": has no profile that a build could use: push a "
                                              "version with one, and pin that");
  if (old != nullptr) {
    result.before = old->manifest;
    keep_previous(*old, result.entry);
    keep_unknown(*old, result.entry);
    if (*old == result.entry) return result;
  }
  result.is_changed = true;
  lock.profiles[request.name] = result.entry;
  const DeferredTermination termination;
  PGO_CHECK(write_file_atomically(request.lock, lock_file_text(lock)));
  return result;
}

}  // namespace pgo
