#include "pgo/remote_registry/remote_registry.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "pgo/base/json_fields.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/registry/reference.h"
#include "pgo/remote_registry/blob_upload.h"
#include "pgo/remote_registry/next_page.h"

namespace pgo {
namespace {

constexpr const char* kAccept =
    "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, "
    "application/vnd.docker.distribution.manifest.v2+json, "
    "application/vnd.docker.distribution.manifest.list.v2+json";
constexpr unsigned kMaxPages = 10'000;
constexpr size_t kMaxNames = 1'000'000;
constexpr size_t kMaxList = size_t{64} << 20;
constexpr size_t kMaxReferrers = 10'000;  // each is read
constexpr unsigned kFallbackTries = 5;

// "sha256-<hex>": the tag of the index that lists what refers to a digest.
std::string fallback_tag(const std::string& digest) {
  std::string tag = digest;
  std::replace(tag.begin(), tag.end(), ':', '-');
  return tag;
}

bool is_fallback_tag(std::string_view tag) {
  std::string digest(tag);
  if (digest.starts_with("sha256-")) digest[6] = ':';
  return is_sha256_digest(digest);
}

// Without parameters: "application/json" of "application/json; charset=utf-8".
std::string media_type_of(const net::HttpResponse& answer) {
  const std::string& type = answer.header("content-type");
  return type.substr(0, type.find_first_of("; \t"));
}

// Counts and hashes what passes, since a registry may send anything.
class CheckedSink final : public BlobSink {
 public:
  explicit CheckedSink(BlobSink& sink) : sink_(sink) {}

  Result<void> append(Bytes bytes) override {
    hash_.add(bytes);
    size_ += bytes.size();
    return sink_.append(bytes);
  }
  Result<void> restart() override {
    hash_ = Sha256();
    size_ = 0;
    return sink_.restart();
  }
  std::string digest() { return "sha256:" + hash_.hex(); }
  uint64_t size() const { return size_; }

 private:
  BlobSink& sink_;
  Sha256 hash_;
  uint64_t size_ = 0;
};

bool is_not_found(const net::HttpResponse& answer) { return answer.status == 404; }

// How registries without a list of referrers answer: some refuse the digest as a name (400) or the
// type (406), and a proxy may answer any path with a success. A list counts whatever its type is.
bool lists_no_referrers(const net::HttpResponse& answer) {
  if (answer.status == 200)
    return media_type_of(answer) != kOciIndexType && !parse_oci_index(answer.body, "the answer");
  return answer.status == 400 || answer.status == 404 || answer.status == 406;
}

// Reads a list page by page. What is not nothing is the first answer, by which the registry has no
// such list, as `is_none` says.
template <typename IsNone, typename Take>
Result<std::optional<net::HttpResponse>> read_pages(RegistrySession& session, std::string url,
                                                    IsNone is_none, Take take) {
  std::set<std::string> seen;
  while (!url.empty()) {
    if (!seen.insert(url).second || seen.size() > kMaxPages)
      return fail(ErrorKind::kInput, session.name() + ": the pages of a list do not end");
    PGO_TRY(const net::HttpUrl page, net::parse_http_url(url));
    PGO_TRY(net::HttpResponse answer, session.send({.url = url}));
    if (seen.size() == 1 && is_none(answer)) return std::optional(std::move(answer));
    if (answer.status != 200) return session.refusal(answer, "a list");
    PGO_CHECK(take(answer.body));
    PGO_TRY(url, next_page(answer.header("link"), page));
  }
  return std::optional<net::HttpResponse>();
}

}  // namespace

Result<std::optional<StoredManifest>> RemoteRegistry::find_manifest(const std::string& version) {
  const std::string what = "the manifest " + version;
  const bool is_digest = version.find(':') != version.npos;
  if (is_digest) PGO_CHECK(check_digest_kind(name() + ": " + what, version));
  PGO_TRY(net::HttpResponse answer, session_.send({.url = session_.url("/manifests/" + version),
                                                   .headers = {{"Accept", kAccept}},
                                                   .shown = name() + ": " + what}));
  if (answer.status == 404) return std::optional<StoredManifest>();
  if (answer.status != 200) return session_.refusal(answer, what);
  if (answer.is_html()) return fail(net::page_error(name() + ": " + what));
  if (answer.body.size() > kMaxOciManifest)
    return fail(ErrorKind::kInput, name() + ": " + what + " is larger than 4 MB");
  StoredManifest stored;
  stored.digest = Sha256::digest_of(as_bytes(answer.body));
  const std::string& promised = is_digest ? version : answer.header("docker-content-digest");
  if (is_sha256_digest(promised) && promised != stored.digest)
    return wrong_digest(name() + ": " + what, promised, stored.digest);
  // A proxy, or a store behind the registry, may answer "application/json".
  PGO_TRY(stored.media_type, own_media_type(answer.body, name() + ": " + what));
  if (stored.media_type.empty()) stored.media_type = media_type_of(answer);
  stored.bytes = std::move(answer.body);
  return std::optional<StoredManifest>(std::move(stored));
}

Result<std::vector<ManifestName>> RemoteRegistry::list_manifests() {
  std::set<std::string> tags;
  auto take = [&](const std::string& body) -> Result<void> {
    PGO_TRY(const nlohmann::json object,
            parse_json(body, kMaxList, name(), "the list of tags is not JSON"));
    JsonProblem problem;
    JsonFields fields(object, "the list of tags", problem);
    const nlohmann::json* const listed = fields.find("tags");
    if (listed != nullptr && listed->is_null())
      return ok();  // of docker-registry: no tags are left
    for (const std::string& tag : fields.optional_texts("tags"))
      if (is_tag(tag) && !is_fallback_tag(tag)) tags.insert(tag);
    if (problem.first) return fail(ErrorKind::kInput, name() + ": " + *problem.first);
    if (tags.size() > kMaxNames)
      return fail(ErrorKind::kInput, name() + ": has more than a million tags");
    return ok();
  };
  // Without a number of tags: go-containerregistry cuts the list at one without saying so. Those
  // that send pages do it anyway.
  PGO_TRY(const std::optional<net::HttpResponse> none,
          read_pages(session_, session_.url("/tags/list"), is_not_found, take));
  if (none) {
    Failure failure = session_.refusal(*none, "there is no such repository");
    failure.error.advice = "check its name; 'pgo push' makes a repository";
    return failure;
  }
  std::vector<ManifestName> names;
  for (const std::string& tag : tags) names.push_back({tag, ""});
  return names;
}

Result<std::optional<std::vector<std::string>>> RemoteRegistry::ask_for_referrers(
    const std::string& digest) {
  std::set<std::string> found;
  auto take = [&](const std::string& body) -> Result<void> {
    PGO_TRY(const OciIndex index, parse_oci_index(body, name() + ": the referrers of " + digest));
    for (const OciDescriptor& one : index.manifests) found.insert(one.digest);
    if (found.size() > kMaxReferrers)
      return fail(ErrorKind::kInput, name() + ": lists more than " + std::to_string(kMaxReferrers) +
                                         " manifests that refer to " + digest);
    return ok();
  };
  PGO_TRY(const std::optional<net::HttpResponse> none,
          read_pages(session_, session_.url("/referrers/" + digest), lists_no_referrers, take));
  if (none) return std::optional<std::vector<std::string>>();
  return std::optional(std::vector<std::string>(found.begin(), found.end()));
}

Result<OciIndex> RemoteRegistry::fallback_index(const std::string& tag) {
  PGO_TRY(const std::optional<StoredManifest> stored, find_manifest(tag));
  if (!stored) return OciIndex{};
  return parse_oci_index(stored->bytes, name() + ": the index " + tag);
}

Result<std::vector<std::string>> RemoteRegistry::list_referrers(const std::string& digest) {
  PGO_CHECK(check_digest_kind(name(), digest));
  PGO_TRY(std::optional<std::vector<std::string>> listed, ask_for_referrers(digest));
  if (!listed) {
    PGO_TRY(const OciIndex index, fallback_index(fallback_tag(digest)));  // of 4 MB at most
    std::set<std::string> digests;
    for (const OciDescriptor& one : index.manifests) digests.insert(one.digest);
    listed.emplace(digests.begin(), digests.end());
  }
  std::vector<std::string> referrers;
  for (const std::string& one : *listed) {
    // What is damaged, or of another digest, is no reason to hide the others.
    Result<std::optional<StoredManifest>> found = find_manifest(one);
    if (!found && found.error().kind == ErrorKind::kIo) return fail(found.error());
    if (found && !*found) referrers.push_back(one);  // deleted as garbage, for example
    if (!found || !*found) continue;
    Result<OciManifest> manifest = parse_oci_manifest((*found)->bytes, name() + ": " + one);
    if (manifest && manifest->subject && manifest->subject->digest == digest)
      referrers.push_back(one);
  }
  return referrers;
}

Result<void> RemoteRegistry::fetch_blob(const OciDescriptor& blob, BlobSink& sink) {
  const std::string place = name() + ": the blob " + blob.digest;
  PGO_CHECK(check_digest_kind(name(), blob.digest));
  CheckedSink checked(sink);
  PGO_TRY(const net::HttpResponse answer,
          session_.fetch(session_.url("/blobs/" + blob.digest), blob.size, checked));
  if (answer.status != 200) {
    Failure failure = session_.refusal(answer, "the blob " + blob.digest);
    if (answer.status == 404) failure.error.advice = "push or archive the same files again";
    return failure;
  }
  if (checked.size() != blob.size)
    return fail(ErrorKind::kInput, place + " has " + std::to_string(checked.size()) +
                                       " bytes, and " + std::to_string(blob.size) +
                                       " by the manifest that names it");
  const std::string found = checked.digest();
  if (found != blob.digest) return wrong_digest(place, blob.digest, found);
  return ok();
}

Result<bool> RemoteRegistry::has_blob(const OciDescriptor& blob) {
  PGO_CHECK(check_digest_kind(name(), blob.digest));
  PGO_TRY(const net::HttpResponse answer,
          session_.send({.method = "HEAD", .url = session_.url("/blobs/" + blob.digest)}));
  if (answer.status == 404) return false;
  // Here, or in a store that a redirect of any kind leads to.
  if (answer.status == 200 || answer.is_redirect()) return true;
  return session_.refusal(answer, "the blob " + blob.digest);
}

Result<bool> RemoteRegistry::push_blob(const std::string& digest, Bytes bytes) {
  PGO_TRY(const bool is_there, has_blob({"", digest, bytes.size()}));
  if (is_there) return false;
  PGO_CHECK(upload_blob(session_, digest, bytes));
  return true;
}

Result<void> RemoteRegistry::put_manifest(const std::string& bytes, const std::string& media_type,
                                          const std::string& version, net::HttpResponse& answer) {
  PGO_TRY(answer, session_.send({.method = "PUT",
                                 .url = session_.url("/manifests/" + version),
                                 .headers = {{"Content-Type", media_type}},
                                 .body = bytes}));
  if (answer.status != 201) return session_.refusal(answer, "the manifest " + version);
  const std::string digest = Sha256::digest_of(as_bytes(bytes));
  const std::string& stored = answer.header("docker-content-digest");
  if (stored.empty() || stored == digest) return ok();
  return wrong_digest(name() + ": the manifest " + version, digest, stored);
}

Result<void> RemoteRegistry::push_manifest_as(const std::string& media_type,
                                              const std::string& bytes, const std::string& tag) {
  OciDescriptor descriptor;
  descriptor.digest = Sha256::digest_of(as_bytes(bytes));
  descriptor.size = bytes.size();
  net::HttpResponse answer;
  const std::string& version = tag.empty() ? descriptor.digest : tag;
  Result<OciManifest> manifest = parse_oci_manifest(bytes, name() + ": " + version);
  if (!manifest) {
    PGO_TRY([[maybe_unused]] const OciIndex index, parse_oci_index(bytes, name() + ": " + version));
    return put_manifest(bytes, media_type, version, answer);
  }
  PGO_CHECK(put_manifest(bytes, media_type, version, answer));
  if (!manifest->subject || !answer.header("oci-subject").empty()) return ok();
  // It may list referrers all the same.
  PGO_TRY(const std::optional<std::vector<std::string>> listed,
          ask_for_referrers(manifest->subject->digest));
  if (listed && std::find(listed->begin(), listed->end(), descriptor.digest) != listed->end())
    return ok();
  descriptor.media_type = media_type;
  descriptor.artifact_type = manifest->artifact_type;
  descriptor.annotations = manifest->annotations;
  return add_to_fallback(descriptor, manifest->subject->digest);
}

Result<bool> RemoteRegistry::move_tag(const std::string& bytes, const std::string& tag,
                                      const std::string& expected) {
  PGO_TRY(const std::optional<StoredManifest> before, find_manifest(tag));
  if ((before ? before->digest : "") != expected) return false;
  PGO_CHECK(push_manifest_as(kOciManifestType, bytes, tag));
  PGO_TRY(const std::optional<StoredManifest> after, find_manifest(tag));
  return after && after->bytes == bytes;
}

// Others may do the same at once, and the last one wins: it is looked at again, until it holds.
Result<void> RemoteRegistry::add_to_fallback(const OciDescriptor& referrer,
                                             const std::string& subject) {
  const std::string tag = fallback_tag(subject);
  for (unsigned attempt = 0; attempt < kFallbackTries; attempt++) {
    PGO_TRY(OciIndex index, fallback_index(tag));
    auto is_it = [&](const OciDescriptor& one) { return one.digest == referrer.digest; };
    if (std::any_of(index.manifests.begin(), index.manifests.end(), is_it)) return ok();
    index.manifests.push_back(referrer);
    net::HttpResponse ignored;
    PGO_CHECK(put_manifest(oci_index_text(index), kOciIndexType, tag, ignored));
  }
  PGO_TRY(const OciIndex index, fallback_index(tag));
  for (const OciDescriptor& one : index.manifests)
    if (one.digest == referrer.digest) return ok();
  return fail(ErrorKind::kIo,
              name() + ": the index " + tag +
                  " does not keep what is added to it, because others write it at "
                  "the same time",
              "push again");
}

}  // namespace pgo
