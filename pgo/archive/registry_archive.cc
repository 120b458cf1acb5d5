#include "pgo/archive/registry_archive.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"

namespace pgo {
namespace {

constexpr const char* kBuildId = "dev.prodpgo.build-id";

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

// By media type, so in one order, whatever was archived first.
using Layers = std::map<std::string, OciDescriptor>;

// What the registry has of this build.
Result<Layers> archived_layers(Registry& registry, const RegistryReference& build) {
  Layers layers;
  PGO_TRY(const std::optional<StoredManifest> stored, registry.find_manifest(build.tag));
  if (!stored) return layers;
  PGO_TRY(OciManifest manifest, parse_oci_manifest(stored->bytes, stored->digest));
  if (manifest.artifact_type != kBuildArtifactType)
    return fail(ErrorKind::kInput,
                reference_text(build) + ": is not an archived build, but " +
                    (manifest.artifact_type.empty() ? "another artifact" : manifest.artifact_type),
                "archive builds in a repository of their own");
  for (OciDescriptor& layer : manifest.layers) {
    std::string type = layer.media_type;
    layers.emplace(std::move(type), std::move(layer));
  }
  return layers;
}

// A second tag, such as a version number, may name this build only: what it named stays findable.
Result<void> check_tag(Registry& registry, const RegistryReference& to,
                       const std::string& build_id) {
  if (to.tag.empty()) return ok();
  PGO_TRY(const std::optional<StoredManifest> stored, registry.find_manifest(to.tag));
  if (!stored) return ok();
  PGO_TRY(const OciManifest manifest, parse_oci_manifest(stored->bytes, stored->digest));
  const auto found = manifest.annotations.find(kBuildId);
  const std::string other = found == manifest.annotations.end() ? "" : found->second;
  if (other == build_id) return ok();
  return fail(ErrorKind::kMismatch,
              reference_text(to) + ": the tag names " +
                  (other.empty() ? "another artifact" : "the build " + other) +
                  " already, and this is the build " + build_id,
              "choose another tag");
}

Result<void> add_layers(Layers& layers, const Release& release, const std::string& place) {
  for (const ReleaseFile& file : release.files) {
    OciDescriptor layer = layer_of(file);
    auto [found, is_new] = layers.try_emplace(layer.media_type, layer);
    if (!is_new && found->second.digest != layer.digest)
      return other_contents(place + ": " + std::string(role_name(file.role)), file,
                            found->second.digest);
    found->second = std::move(layer);
  }
  return ok();
}

std::string manifest_text(const Layers& layers, const std::string& build_id) {
  OciManifest manifest;
  manifest.artifact_type = kBuildArtifactType;
  manifest.config = oci_empty_descriptor();
  for (const auto& [type, layer] : layers) manifest.layers.push_back(layer);
  manifest.annotations = {{kBuildId, build_id}};
  return oci_manifest_text(manifest);
}

}  // namespace

Result<KeptRelease> keep_in_registry(const RegistryReference& to, const OpenRegistry& open,
                                     const Release& release) {
  if (!to.digest.empty())
    return fail(ErrorKind::kUsage, reference_text(to) + ": the files make the digest of a build",
                "leave it out");
  RegistryReference build = to;
  build.tag = release.build_id().hex();
  PGO_TRY(const std::unique_ptr<Registry> registry, open(to, RegistryUse::kPush));
  PGO_CHECK(check_tag(*registry, to, build.tag));
  PGO_TRY(Layers layers, archived_layers(*registry, build));
  PGO_CHECK(add_layers(layers, release, reference_text(build)));

  KeptRelease kept;
  for (const ReleaseFile& file : release.files) {
    kept.files.push_back(kept_file(file, repository_text(to) + "@" + file.digest));
    PGO_TRY(kept.files.back().is_new, registry->push_blob(file.digest, file.image.bytes()));
  }
  const OciDescriptor empty = oci_empty_descriptor();
  PGO_TRY([[maybe_unused]] const bool is_new,
          registry->push_blob(empty.digest, as_bytes(kOciEmptyBlob)));
  const std::string manifest = manifest_text(layers, build.tag);
  kept.manifest = Sha256::digest_of(as_bytes(manifest));
  PGO_CHECK(registry->push_manifest(manifest, build.tag));
  if (!to.tag.empty()) PGO_CHECK(registry->push_manifest(manifest, to.tag));
  return kept;
}

}  // namespace pgo
