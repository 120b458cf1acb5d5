#include "pgo/registry/oci_manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "pgo/base/json_fields.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"

namespace pgo {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxBlobSize = (uint64_t{1} << 63) - 1;

std::string compact_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// "sha256:44136f…", "sha512:…": an algorithm and what it gave.
bool is_digest_of_any_kind(std::string_view text) {
  const size_t colon = text.find(':');
  if (text.starts_with("sha256:")) return is_sha256_digest(text);
  return colon != text.npos && colon > 0 && colon + 1 < text.size() && text.size() <= 256 &&
         text.substr(0, colon).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+._-") ==
             text.npos &&
         text.substr(colon + 1).find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
             "0123456789=_-") == text.npos;
}

// What an object has besides `known`.
std::string other_fields(const json& object, std::initializer_list<const char*> known) {
  if (!object.is_object()) return "";
  json others = object;
  for (const char* key : known) others.erase(key);
  return others.empty() ? "" : compact_text(others);
}

json with_other_fields(const std::string& others) {
  json object = others.empty() ? json() : json::parse(others, nullptr, false);
  return object.is_object() ? object : json::object();
}

OciDescriptor parse_descriptor(const json& object, const std::string& place, JsonProblem& problem) {
  JsonFields fields(object, place, problem);
  OciDescriptor result;
  result.media_type = fields.text("mediaType");
  result.digest = fields.text("digest");
  if (!problem.first && !is_digest_of_any_kind(result.digest))
    fields.wrong("digest", "a digest such as sha256:<64 hexadecimal digits>");
  result.size = fields.number("size", 0, kMaxBlobSize);
  result.artifact_type = fields.optional_text("artifactType");
  result.annotations = fields.optional_labels("annotations");
  result.other_fields =
      other_fields(object, {"mediaType", "digest", "size", "artifactType", "annotations"});
  return result;
}

json descriptor_json(const OciDescriptor& descriptor) {
  json result = with_other_fields(descriptor.other_fields);
  result["mediaType"] = descriptor.media_type;
  result["digest"] = descriptor.digest;
  result["size"] = descriptor.size;
  if (!descriptor.artifact_type.empty()) result["artifactType"] = descriptor.artifact_type;
  if (!descriptor.annotations.empty()) result["annotations"] = descriptor.annotations;
  return result;
}

std::vector<OciDescriptor> parse_descriptors(JsonFields& fields, const char* key,
                                             const std::string& kind, JsonProblem& problem) {
  std::vector<OciDescriptor> result;
  const json* list = fields.find(key);
  if (list == nullptr || !list->is_array()) {
    fields.wrong(key, "a list");
    return result;
  }
  for (size_t i = 0; i < list->size() && !problem.first; i++)
    result.push_back(parse_descriptor((*list)[i], kind + " " + std::to_string(i + 1), problem));
  return result;
}

}  // namespace

OciDescriptor oci_empty_descriptor() {
  const Bytes bytes = as_bytes(kOciEmptyBlob);
  return {kOciEmptyType, Sha256::digest_of(bytes), kOciEmptyBlob.size()};
}

Result<OciManifest> parse_oci_manifest(std::string_view text, const std::string& name) {
  PGO_TRY(const json object, parse_json(text, kMaxOciManifest, name, "is not an OCI manifest"));
  JsonProblem problem;
  JsonFields fields(object, "the manifest", problem);
  if (fields.has("manifests") && !fields.has("layers"))
    return fail(ErrorKind::kUnsupported, name + ": is an image index, and not a manifest",
                "name one of its manifests by digest");
  fields.number("schemaVersion", 2, 2);
  OciManifest manifest;
  manifest.artifact_type = fields.optional_text("artifactType");
  const json* config = fields.find("config");
  manifest.config = parse_descriptor(config == nullptr ? json() : *config, "the config", problem);
  manifest.layers = parse_descriptors(fields, "layers", "layer", problem);
  if (const json* subject = fields.find("subject"))
    manifest.subject = parse_descriptor(*subject, "the subject", problem);
  manifest.annotations = fields.optional_labels("annotations");
  if (problem.first)
    return fail(ErrorKind::kInput, name + ": is not an OCI manifest: " + *problem.first);
  return manifest;
}

std::string oci_manifest_text(const OciManifest& manifest) {
  json result = {{"schemaVersion", 2},
                 {"mediaType", kOciManifestType},
                 {"config", descriptor_json(manifest.config)},
                 {"layers", json::array()}};
  if (!manifest.artifact_type.empty()) result["artifactType"] = manifest.artifact_type;
  for (const OciDescriptor& layer : manifest.layers)
    result["layers"].push_back(descriptor_json(layer));
  if (manifest.subject) result["subject"] = descriptor_json(*manifest.subject);
  if (!manifest.annotations.empty()) result["annotations"] = manifest.annotations;
  return compact_text(result);
}

Result<std::string> own_media_type(std::string_view text, const std::string& name) {
  PGO_TRY(const json object, parse_json(text, kMaxOciIndex, name, "is not an OCI manifest"));
  JsonProblem problem;
  JsonFields fields(object, "the manifest", problem);
  std::string media_type = fields.optional_text("mediaType");
  if (problem.first) return fail(ErrorKind::kInput, name + ": " + *problem.first);
  if (media_type.empty() && fields.has("manifests")) media_type = kOciIndexType;
  return media_type;
}

Result<OciIndex> parse_oci_index(std::string_view text, const std::string& name) {
  PGO_TRY(const json object, parse_json(text, kMaxOciIndex, name, "is not an OCI image index"));
  JsonProblem problem;
  JsonFields fields(object, "the index", problem);
  fields.number("schemaVersion", 2, 2);
  OciIndex index;
  index.manifests = parse_descriptors(fields, "manifests", "manifest", problem);
  index.other_fields = other_fields(object, {"schemaVersion", "mediaType", "manifests"});
  if (problem.first)
    return fail(ErrorKind::kInput, name + ": is not an OCI image index: " + *problem.first);
  return index;
}

std::string oci_index_text(const OciIndex& index) {
  std::vector<std::pair<std::string, std::string>> manifests;  // by digest
  for (const OciDescriptor& manifest : index.manifests)
    manifests.emplace_back(manifest.digest, compact_text(descriptor_json(manifest)));
  std::sort(manifests.begin(), manifests.end());
  json others = with_other_fields(index.other_fields);
  others["schemaVersion"] = 2;
  others["mediaType"] = kOciIndexType;
  std::string text = compact_text(others);
  text.pop_back();  // the closing brace
  text += ",\"manifests\":[";
  for (size_t i = 0; i < manifests.size(); i++)
    text += (i == 0 ? "\n" : ",\n") + manifests[i].second;
  return text + "\n]}\n";
}

}  // namespace pgo
