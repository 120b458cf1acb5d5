// A registry in memory, as the distribution specification has it, for tests of what talks to
// registries.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pgo/base/sha256.h"
#include "pgo/remote_registry/remote_registry.h"
#include "tests/data/scripted_server.h"

namespace pgo::test {

inline Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline std::string digest_of(std::string_view text) { return Sha256::digest_of(bytes_of(text)); }

// A registry as the distribution specification has it, in memory, with the differences that real
// ones have. One repository: team/server.
struct MemoryRegistry {
  bool lists_referrers = false, answers_subject = false;
  std::optional<ScriptedAnswer> odd_referrers;          // what each list of referrers is instead
  std::string manifest_type;                            // what all manifests are sent as; empty: no
  size_t page = 0;                                      // tags at a time; 0: all
  std::map<std::string, std::string> blobs, manifests;  // by digest
  std::map<std::string, std::string> tags;
  std::string upload;
  bool is_stored = false;  // the upload, as a blob
  size_t cut_parts = 0;    // so many parts of uploads break off in their middle
  // As docker-registry 2.8: what broke off is lost. And so many answers to what is stored are, too.
  bool forgets_uploads = false;
  size_t lost_answers = 0;
  std::string written_after;  // another job's manifest, which gets the next tag that is written
  std::string last_type;      // of the manifest that was written last

  ScriptedAnswer operator()(const ScriptedRequest& request) {
    const std::string method = request.head.substr(0, request.head.find(' '));
    std::string target = request.target();
    const std::string root = "/v2/team/server/";
    if (!target.starts_with(root)) return answer(404);
    target.erase(0, root.size());
    if (target.starts_with("blobs/uploads")) return take_upload(method, target, request);
    if (target.starts_with("blobs/")) return blob(method, target.substr(6));
    if (target.starts_with("manifests/")) return manifest(method, target.substr(10), request);
    if (target.starts_with("tags/list")) return list(target);
    if (target.starts_with("referrers/") && odd_referrers) return *odd_referrers;
    if (target.starts_with("referrers/") && lists_referrers) return referrers(target.substr(10));
    return answer(404, "404 page not found\n");
  }

  ScriptedAnswer take_upload(const std::string& method, const std::string& target,
                             const ScriptedRequest& request) {
    const std::string there = "Location: /v2/team/server/blobs/uploads/1?state=a\r\n";
    if (method == "POST") {
      upload.clear();
      is_stored = false;
      return answer(202, "", there);
    }
    const ScriptedAnswer unknown = answer(
        404,
        R"({"errors":[{"code":"BLOB_UPLOAD_UNKNOWN","message":"blob upload unknown to registry"}]})");
    if (method == "GET")
      return forgets_uploads
                 ? unknown
                 : answer(204, "",
                          there + "Range: 0-" +
                              std::to_string(upload.empty() ? 0 : upload.size() - 1) + "\r\n");
    if (method == "PATCH") {
      const std::string range = request.header("Content-Range");
      if (std::stoull(range) != upload.size()) return answer(416);
      if (cut_parts > 0) {
        cut_parts--;
        upload += request.body.substr(0, request.body.size() / 2);
        return answer(500);
      }
      upload += request.body;
      return answer(202, "", there);
    }
    if (is_stored) return unknown;
    const std::string contents = upload + request.body;
    const std::string digest = target.substr(target.find("digest=") + 7);
    if (digest != digest_of(contents))
      return answer(
          400,
          R"({"errors":[{"code":"DIGEST_INVALID","message":"provided digest did not match"}]})");
    blobs[digest] = contents;
    is_stored = true;
    if (lost_answers == 0) return answer(201);
    lost_answers--;
    return answer(500);
  }

  ScriptedAnswer blob(const std::string& method, const std::string& digest) {
    auto found = blobs.find(digest);
    if (found == blobs.end())
      return answer(404,
                    R"({"errors":[{"code":"BLOB_UNKNOWN","message":"blob unknown to registry"}]})");
    return method == "HEAD" ? ScriptedAnswer{"HTTP/1.1 200 R\r\nContent-Length: " +
                                             std::to_string(found->second.size()) + "\r\n\r\n"}
                            : answer(200, found->second);
  }

  ScriptedAnswer manifest(const std::string& method, const std::string& version,
                          const ScriptedRequest& request) {
    if (method == "PUT") {
      const std::string digest = digest_of(request.body);
      manifests[digest] = request.body;
      last_type = request.header("Content-Type");
      if (version != digest) tags[version] = digest;
      if (version != digest && !written_after.empty()) {
        tags[version] = digest_of(written_after);
        manifests[tags[version]] = std::exchange(written_after, "");
      }
      return answer(201, "",
                    "Docker-Content-Digest: " + digest + "\r\n" +
                        (answers_subject ? "OCI-Subject: sha256:0\r\n" : ""));
    }
    auto tag = tags.find(version);
    auto found = manifests.find(tag == tags.end() ? version : tag->second);
    if (found == manifests.end())
      return answer(404,
                    R"({"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]})");
    const std::string type = manifest_type.empty() ? "" : "Content-Type: " + manifest_type + "\r\n";
    return answer(200, found->second, "Docker-Content-Digest: " + found->first + "\r\n" + type);
  }

  ScriptedAnswer list(const std::string& target) {
    const size_t last = target.find("last=");
    auto from = last == target.npos ? tags.begin() : tags.upper_bound(target.substr(last + 5));
    std::string names, link;
    size_t count = 0;
    for (; from != tags.end() && (page == 0 || count < page); ++from, ++count)
      names += (names.empty() ? "\"" : ",\"") + from->first + "\"";
    if (from != tags.end())
      link =
          "Link: </v2/team/server/tags/list?last=" + std::prev(from)->first + ">; rel=\"next\"\r\n";
    return answer(200, "{\"name\":\"team/server\",\"tags\":[" + names + "]}", link);
  }

  // As go-containerregistry has it: with the config's type for the artifact's.
  ScriptedAnswer referrers(const std::string& digest) {
    OciIndex index;
    for (const auto& [name, text] : manifests) {
      auto parsed = parse_oci_manifest(text, name);
      if (parsed && parsed->subject && parsed->subject->digest == digest)
        index.manifests.push_back({kOciManifestType, name, text.size(), kOciEmptyType});
    }
    return answer(200, oci_index_text(index));
  }
};

// Few and short pauses, and nothing of the home directory.
inline RemoteRegistryOptions quick() {
  RemoteRegistryOptions options;
  options.http.first_pause = .001;
  options.http.tries = 2;
  options.http.netrc = false;
  options.docker_config = "";
  return options;
}

inline std::string manifest_text(const std::string& layer, const std::string& subject = "") {
  OciManifest manifest;
  manifest.artifact_type = "application/vnd.example";
  manifest.config = oci_empty_descriptor();
  manifest.layers.push_back({"text/plain", digest_of(layer), layer.size()});
  if (!subject.empty())
    manifest.subject = OciDescriptor{kOciManifestType, digest_of(subject), subject.size()};
  return oci_manifest_text(manifest);
}

template <typename T>
std::string error_of(const Result<T>& result) {
  return result ? "no error" : result.error().message;
}

// A test's registry and a server for it.
struct Served {
  MemoryRegistry registry;
  ScriptedServer server{[this](const ScriptedRequest& request) { return registry(request); }};
  RemoteRegistry remote{server.host(), "team/server", quick()};
};

}  // namespace pgo::test
