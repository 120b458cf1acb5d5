#include "pgo/versions/version_list.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pgo/base/sha256.h"
#include "pgo/versions/version_signature.h"

namespace pgo {
namespace {

Result<StoredManifest> read_listed(Registry& registry, const std::string& version) {
  PGO_TRY(std::optional<StoredManifest> found, registry.find_manifest(version));
  if (found) return *std::move(found);
  return fail(ErrorKind::kInput,
              registry.name() + ": the manifest " + version + " is listed, but missing");
}

// Without its tags.
Result<void> add_artifact(Registry& registry, const StoredManifest& stored, VersionList& list) {
  const std::string place = registry.name() + "@" + stored.digest;
  OtherArtifact other{stored.digest, stored.media_type, {}, ""};
  if (stored.media_type != kOciManifestType) {
    list.others.push_back(std::move(other));
    return ok();
  }
  PGO_TRY(const OciManifest manifest, parse_oci_manifest(stored.bytes, place));
  if (manifest.artifact_type != kProfileArtifact) {
    other.type = manifest.artifact_type;
    if (manifest.subject) other.subject = manifest.subject->digest;
    list.others.push_back(std::move(other));
    return ok();
  }
  ListedVersion listed{stored.digest, {}, {}, 0, {}};
  PGO_TRY(listed.version, read_profile_version(manifest, place));
  for (const ProfileFile& file : listed.version.files) listed.size += file.size;
  for (const OciDescriptor& layer : manifest.layers) PGO_CHECK(registry.glance_at(layer));
  list.versions.push_back(std::move(listed));
  return ok();
}

bool is_newer(const ListedVersion& a, const ListedVersion& b) {
  const int64_t end_a = a.version.window ? a.version.window->end : -1;
  const int64_t end_b = b.version.window ? b.version.window->end : -1;
  return end_a != end_b ? end_a > end_b : a.digest < b.digest;
}

}  // namespace

Result<VersionList> list_versions(Registry& registry) {
  PGO_TRY(const std::vector<ManifestName> names, registry.list_manifests());
  VersionList list;
  // By digest. What a manifest says is kept, and not its bytes: there may be a million of them.
  std::map<std::string, std::vector<std::string>> tags;
  std::map<std::string, DamagedArtifact> damaged;  // by digest, or by tag where it has none
  for (const ManifestName& name : names) {
    std::string digest = name.digest;
    if (!digest.empty() && !is_sha256_digest(digest)) {  // another tool's
      list.others.push_back({digest, "", {}, ""});
      if (!name.tag.empty()) list.others.back().tags.push_back(name.tag);
      continue;
    }
    if (digest.empty() || !tags.contains(digest)) {
      const std::string& version = digest.empty() ? name.tag : name.digest;
      Result<StoredManifest> stored = read_listed(registry, version);
      if (!stored && stored.error().kind == ErrorKind::kIo) return fail(stored.error());
      if (!stored) {
        DamagedArtifact& one = damaged[version];
        one.digest = digest;
        one.reason = stored.error().message;
        if (!name.tag.empty()) one.tags.push_back(name.tag);
        continue;
      }
      digest = stored->digest;
      if (!tags.contains(digest))
        if (Result<void> read = add_artifact(registry, *stored, list); !read)
          damaged[digest] = {digest, {}, read.error().message};
    }
    std::vector<std::string>& of_digest = tags[digest];
    if (!name.tag.empty()) of_digest.push_back(name.tag);
  }
  for (auto& [version, one] : damaged) list.damaged.push_back(std::move(one));
  for (ListedVersion& one : list.versions) one.tags = tags[one.digest];
  for (OtherArtifact& one : list.others)
    if (tags.contains(one.digest)) one.tags = tags[one.digest];
  for (DamagedArtifact& one : list.damaged)
    if (tags.contains(one.digest)) one.tags = tags[one.digest];
  std::sort(list.versions.begin(), list.versions.end(), is_newer);
  std::stable_sort(
      list.others.begin(), list.others.end(),
      [](const OtherArtifact& a, const OtherArtifact& b) { return a.digest < b.digest; });
  return list;
}

Result<void> add_signers(Registry& registry, VersionList& list) {
  std::map<std::string, std::vector<std::string>> listed;  // signatures, by what they sign
  for (const OtherArtifact& other : list.others)
    if (other.type == kSignatureArtifact) listed[other.subject].push_back(other.digest);
  for (ListedVersion& version : list.versions) {
    std::vector<std::string> referrers = std::move(listed[version.digest]);
    if (!registry.lists_untagged()) {
      Result<std::vector<std::string>> found = registry.list_referrers(version.digest);
      if (!found && found.error().kind == ErrorKind::kIo) return fail(found.error());
      if (!found) {  // does not hide the other versions
        version.signers = {"damaged"};
        continue;
      }
      referrers = *std::move(found);
    }
    PGO_TRY(version.signers, claimed_signers(registry, referrers));
  }
  return ok();
}

}  // namespace pgo
