#include "pgo/archive/registry_archive.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/versions/cached_blob.h"

namespace pgo {
namespace {

constexpr const char* kBuildId = "dev.prodpgo.build-id";
constexpr unsigned kTagTries = 5;

std::string media_type_of(ReleaseRole role) {
  return "application/vnd.prodpgo." + std::string(role_name(role)) + ".v1";
}

OciDescriptor layer_of(const ReleaseFile& file) {
  return {.media_type = media_type_of(file.role),
          .digest = file.digest,
          .size = file.image.bytes().size(),
          .annotations = {{kOciTitle, std::string(role_name(file.role))},
                          {kBuildId, file.image.build_id().hex()}}};
}

// What the registry has of a build.
struct ArchivedBuild {
  std::string digest;  // of the manifest; empty: there is none
  // By media type, so in one order, whatever was archived first.
  std::map<std::string, OciDescriptor> layers;
};

Result<ArchivedBuild> find_build(Registry& registry, const RegistryReference& build) {
  ArchivedBuild found;
  PGO_TRY(const std::optional<StoredManifest> stored, registry.find_manifest(build.tag));
  if (!stored) return found;
  found.digest = stored->digest;
  PGO_TRY(OciManifest manifest, parse_oci_manifest(stored->bytes, stored->digest));
  if (manifest.artifact_type != kBuildArtifactType)
    return fail(ErrorKind::kInput,
                reference_text(build) + ": is not an archived build, but " +
                    (manifest.artifact_type.empty() ? "another artifact" : manifest.artifact_type),
                "archive builds in a repository of their own");
  for (OciDescriptor& layer : manifest.layers) {
    std::string type = layer.media_type;
    found.layers.emplace(std::move(type), std::move(layer));
  }
  return found;
}

// What the registry has of this build, and the files of this release.
Result<ArchivedBuild> find_with_release(Registry& registry, const RegistryReference& build,
                                        const Release& release) {
  PGO_TRY(ArchivedBuild found, find_build(registry, build));
  for (const ReleaseFile& file : release.files) {
    OciDescriptor layer = layer_of(file);
    auto [there, is_new] = found.layers.try_emplace(layer.media_type, layer);
    if (!is_new && there->second.digest != layer.digest)
      return other_contents(reference_text(build) + ": " + std::string(role_name(file.role)), file,
                            there->second.digest);
    there->second = std::move(layer);
  }
  return found;
}

// The digest of the manifest that the second tag has; empty: none. It may name this build only:
// what it named stays findable.
Result<std::string> find_second_tag(Registry& registry, const RegistryReference& to,
                                    const std::string& build_id) {
  PGO_TRY(const std::optional<StoredManifest> stored, registry.find_manifest(to.tag));
  if (!stored) return std::string();
  PGO_TRY(const OciManifest manifest, parse_oci_manifest(stored->bytes, stored->digest));
  const auto found = manifest.annotations.find(kBuildId);
  const std::string other = found == manifest.annotations.end() ? "" : found->second;
  if (other == build_id) return stored->digest;
  return fail(ErrorKind::kMismatch,
              reference_text(to) + ": the tag names " +
                  (other.empty() ? "another artifact" : "the build " + other) +
                  " already, and this is the build " + build_id,
              "choose another tag");
}

std::string manifest_text(const ArchivedBuild& build, const std::string& build_id) {
  OciManifest manifest;
  manifest.artifact_type = kBuildArtifactType;
  manifest.config = oci_empty_descriptor();
  for (const auto& [type, layer] : build.layers) manifest.layers.push_back(layer);
  manifest.annotations = {{kBuildId, build_id}};
  return oci_manifest_text(manifest);
}

Failure always_changed(const RegistryReference& reference) {
  return fail(ErrorKind::kIo, reference_text(reference) + ": other jobs change it at the same time",
              "run this again");
}

// Gives the build its tag, with what other jobs have archived of it meanwhile. The manifest.
Result<std::string> tag_build(Registry& registry, const RegistryReference& build,
                              const Release& release) {
  for (unsigned attempt = 0; attempt < kTagTries; attempt++) {
    PGO_TRY(const ArchivedBuild found, find_with_release(registry, build, release));
    std::string manifest = manifest_text(found, release.build_id().hex());
    PGO_TRY(const bool is_moved, registry.move_tag(manifest, build.tag, found.digest));
    if (is_moved) return manifest;
  }
  return always_changed(build);
}

Result<void> add_second_tag(Registry& registry, const RegistryReference& to,
                            const std::string& manifest, const std::string& build_id) {
  for (unsigned attempt = 0; attempt < kTagTries; attempt++) {
    PGO_TRY(const std::string found, find_second_tag(registry, to, build_id));
    PGO_TRY(const bool is_moved, registry.move_tag(manifest, to.tag, found));
    if (is_moved) return ok();
  }
  return always_changed(to);
}

class RegistryArchive final : public BuildArchive {
 public:
  RegistryArchive(RegistryReference from, OpenRegistry open, const BlobCache& cache)
      : from_(std::move(from)),
        name_(reference_text(from_)),
        open_(std::move(open)),
        cache_(cache) {}

  const std::string& name() const override { return name_; }

 protected:
  Result<std::vector<ReleaseRole>> list(const BuildId& build, ArchivedUse) override {
    PGO_CHECK(open_registry());
    PGO_TRY(ArchivedBuild found, find_build(*registry_, reference_of(build)));
    layers_ = std::move(found.layers);
    std::vector<ReleaseRole> roles;
    for (const ReleaseRole role :
         {ReleaseRole::kExecutable, ReleaseRole::kDebug, ReleaseRole::kPrebolt})
      if (layers_.contains(media_type_of(role))) roles.push_back(role);
    return roles;
  }

  Result<FetchedFile> fetch(const BuildId& build, ReleaseRole role) override {
    const OciDescriptor& layer = layers_.at(media_type_of(role));
    const std::string place =
        reference_text(reference_of(build)) + ": " + std::string(role_name(role));
    PGO_CHECK(check_digest_kind(place, layer.digest));
    std::optional<Blob> blob = cache_.find_digest(layer.digest, layer.size);
    if (!blob) {
      PGO_TRY(blob, fetch_into_cache(*registry_, layer, cache_));
    }
    return FetchedFile{blob->path, place};
  }

  Result<std::vector<BuildId>> list_relatives(const BuildId& build) override {
    PGO_CHECK(open_registry());
    if (!builds_) {
      PGO_TRY(const std::vector<ManifestName> names, registry_->list_manifests());
      builds_.emplace();
      for (const ManifestName& name : names)
        if (const std::optional<BuildId> id = BuildId::from_hex(name.tag)) builds_->insert(*id);
    }
    return relatives_among(*builds_, build);
  }

 private:
  Result<void> open_registry() {
    if (registry_) return ok();
    PGO_TRY(registry_, open_(from_, RegistryUse::kRead));
    return ok();
  }
  RegistryReference reference_of(const BuildId& build) const {
    RegistryReference reference = from_;
    reference.tag = archive_key(build).hex();
    return reference;
  }

  const RegistryReference from_;
  const std::string name_;
  const OpenRegistry open_;
  const BlobCache& cache_;
  std::unique_ptr<Registry> registry_;
  std::map<std::string, OciDescriptor> layers_;  // of the build that was listed last
  std::optional<std::set<BuildId>> builds_;      // all, once they were needed
};

}  // namespace

Result<std::unique_ptr<BuildArchive>> open_registry_archive(const RegistryReference& from,
                                                            OpenRegistry open,
                                                            const BlobCache& cache) {
  if (!from.version().empty())
    return fail(ErrorKind::kUsage, reference_text(from) + ": builds are looked for by build ID",
                "leave the tag or digest out");
  return std::unique_ptr<BuildArchive>(
      std::make_unique<RegistryArchive>(from, std::move(open), cache));
}

Result<KeptRelease> keep_in_registry(const RegistryReference& to, const OpenRegistry& open,
                                     const Release& release) {
  if (!to.digest.empty())
    return fail(ErrorKind::kUsage, reference_text(to) + ": the files make the digest of a build",
                "leave it out");
  RegistryReference build = to;
  const std::string build_id = release.build_id().hex();
  build.tag = archive_key(release.build_id()).hex();
  PGO_TRY(const std::unique_ptr<Registry> registry, open(to, RegistryUse::kPush));
  // Asked before the first file is sent: with other files there, nothing changes.
  if (!to.tag.empty()) {
    PGO_TRY([[maybe_unused]] const std::string tagged, find_second_tag(*registry, to, build_id));
  }
  PGO_TRY([[maybe_unused]] const ArchivedBuild there, find_with_release(*registry, build, release));

  KeptRelease kept;
  for (const ReleaseFile& file : release.files) {
    kept.files.push_back(kept_file(file, repository_text(to) + "@" + file.digest));
    PGO_TRY(kept.files.back().is_new, registry->push_blob(file.digest, file.image.bytes()));
  }
  const OciDescriptor empty = oci_empty_descriptor();
  PGO_TRY([[maybe_unused]] const bool is_new,
          registry->push_blob(empty.digest, as_bytes(kOciEmptyBlob)));
  PGO_TRY(const std::string manifest, tag_build(*registry, build, release));
  kept.manifest = Sha256::digest_of(as_bytes(manifest));
  if (!to.tag.empty()) PGO_CHECK(add_second_tag(*registry, to, manifest, build_id));
  return kept;
}

}  // namespace pgo
