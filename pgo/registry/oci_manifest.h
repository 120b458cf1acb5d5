// What OCI registries and image layouts keep: manifests, which list blobs by digest, and indexes,
// which list manifests (https://github.com/opencontainers/image-spec).
//
// Reading is lenient, as the specification asks: media types and fields that are not known are no
// errors, and an index that is written again keeps them. A digest may be of another algorithm; who
// reads what it names says that only sha256 is supported. Texts are canonical: keys sorted, no
// spaces, no clock, so the same manifest always has the same digest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"

namespace pgo {

inline constexpr size_t kMaxOciManifest = size_t{4} << 20;  // bytes; registries accept no more
inline constexpr size_t kMaxOciIndex = size_t{64} << 20;

inline constexpr const char* kOciManifestType = "application/vnd.oci.image.manifest.v1+json";
inline constexpr const char* kOciIndexType = "application/vnd.oci.image.index.v1+json";
inline constexpr const char* kOciEmptyType = "application/vnd.oci.empty.v1+json";
inline constexpr std::string_view kOciEmptyBlob = "{}";
// Annotations of the specification: the tag, in the index of a layout; the name of a file, of a
// layer; and when the contents were made.
inline constexpr const char* kOciTag = "org.opencontainers.image.ref.name";
inline constexpr const char* kOciTitle = "org.opencontainers.image.title";
inline constexpr const char* kOciCreated = "org.opencontainers.image.created";

struct OciDescriptor {
  std::string media_type, digest;
  uint64_t size = 0;
  std::string artifact_type = {};  // empty: none
  Labels annotations = {};
  std::string other_fields = {};  // as a JSON object; empty: there are none

  bool operator==(const OciDescriptor&) const = default;
};

struct OciManifest {
  std::string artifact_type;  // empty: none
  OciDescriptor config;
  std::vector<OciDescriptor> layers;
  std::optional<OciDescriptor> subject;  // the manifest that this one is about, as a signature is
  Labels annotations;

  bool operator==(const OciManifest&) const = default;
};

struct OciIndex {
  std::vector<OciDescriptor> manifests;
  std::string other_fields = {};  // as a JSON object; empty: there are none

  bool operator==(const OciIndex&) const = default;
};

// The descriptor of the empty blob, "{}", which is the config of what has none.
OciDescriptor oci_empty_descriptor();

// `name` is for messages. Errors: kInput for what is none; kUnsupported for an index where a
// manifest is expected.
Result<OciManifest> parse_oci_manifest(std::string_view text, const std::string& name);
std::string oci_manifest_text(const OciManifest& manifest);

// What a manifest or an index says of its media type. Empty: it says nothing, and lists no
// manifests, so it is a manifest of the type that its registry says. Error: kInput for no JSON.
Result<std::string> own_media_type(std::string_view text, const std::string& name);

// Error: kInput.
Result<OciIndex> parse_oci_index(std::string_view text, const std::string& name);
// Its manifests in the order of digests and tags, one on each line.
std::string oci_index_text(const OciIndex& index);

}  // namespace pgo
