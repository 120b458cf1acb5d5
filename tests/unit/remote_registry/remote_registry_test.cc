#include "pgo/remote_registry/remote_registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include "pgo/base/base64.h"
#include "pgo/base/sha256.h"
#include "pgo/base/temporary_directory.h"
#include "tests/data/scripted_server.h"
#include "tests/data/tls_identity.h"

namespace pgo::remote_registry_test {
namespace {

using test::answer;
using test::ScriptedAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;
using test::Then;

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
std::string digest_of(std::string_view text) { return Sha256::digest_of(bytes_of(text)); }

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

RemoteRegistryOptions quick() {
  RemoteRegistryOptions options;
  options.http.first_pause = .001;
  options.http.tries = 2;
  options.http.netrc = false;
  options.docker_config = "";
  return options;
}

std::string manifest_text(const std::string& layer, const std::string& subject = "") {
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

// A host that only looks like this machine gets no password by plain http.
TEST(RemoteRegistry, TakesOnlyThisMachineForItself) {
  for (const auto& [host, scheme] :
       {std::pair("127.example.com", "https"), std::pair("127.0.0.1:5000", "http"),
        std::pair("[::1]:5000", "http"), std::pair("localhost", "http"),
        std::pair("registry.example:5000", "https")})
    EXPECT_EQ(RegistrySession(host, "a/b", quick()).url("/c"),
              std::string(scheme) + "://" + host + "/v2/a/b/c");
}

TEST(RemoteRegistry, KeepsWhatIsPushed) {
  Served served;
  RemoteRegistry& remote = served.remote;
  EXPECT_EQ(remote.name(), "oci://" + served.server.host() + "/team/server");
  const std::string layer = "a profile", manifest = manifest_text(layer);
  EXPECT_TRUE(*remote.push_blob(digest_of(layer), bytes_of(layer)));
  EXPECT_FALSE(*remote.push_blob(digest_of(layer), bytes_of(layer)));
  EXPECT_TRUE(*remote.has_blob({"", digest_of(layer), layer.size()}));
  EXPECT_FALSE(*remote.has_blob({"", digest_of("x"), 1}));
  ASSERT_EQ(error_of(remote.push_manifest(manifest, "v1")), "no error");
  for (const std::string& version : {std::string("v1"), digest_of(manifest)}) {
    auto stored = get_manifest(remote, version);
    ASSERT_TRUE(stored) << stored.error().message;
    EXPECT_EQ(stored->bytes, manifest);
    EXPECT_EQ(stored->digest, digest_of(manifest));
  }
  EXPECT_EQ(*get_blob(remote, {"", digest_of(layer), layer.size()}, 100), layer);
  EXPECT_FALSE(*remote.find_manifest("v2"));
  EXPECT_EQ(*remote.list_manifests(), (std::vector<ManifestName>{{"v1", ""}}));
}

TEST(RemoteRegistry, MovesATagOnlyFromWhatItNames) {
  Served served;
  RemoteRegistry& remote = served.remote;
  const std::string one = manifest_text("a"), two = manifest_text("b"), three = manifest_text("c");
  EXPECT_TRUE(remote.move_tag(one, "v1", "").value());
  EXPECT_FALSE(remote.move_tag(two, "v1", "").value());
  EXPECT_FALSE(remote.move_tag(two, "v1", digest_of(two)).value());
  EXPECT_EQ(get_manifest(remote, "v1")->digest, digest_of(one));
  EXPECT_TRUE(remote.move_tag(two, "v1", digest_of(one)).value());
  EXPECT_EQ(get_manifest(remote, "v1")->digest, digest_of(two));
  served.registry.written_after = one;
  EXPECT_FALSE(remote.move_tag(three, "v1", digest_of(two)).value());
}

// A proxy may send "application/json", or a parameter behind the type.
TEST(RemoteRegistry, BelievesManifestsThatSayTheirType) {
  for (const std::string type : {"", "application/json", "text/plain; charset=utf-8"}) {
    Served served;
    served.registry.manifest_type = type;
    ASSERT_TRUE(served.remote.push_manifest(manifest_text("a"), "v1"));
    EXPECT_EQ(get_manifest(served.remote, "v1")->media_type, kOciManifestType) << type;
  }
  Served served;
  served.registry.manifest_type = "application/vnd.docker.distribution.manifest.v1+json ; a=b";
  const std::string silent = "{\"schemaVersion\":1}";
  served.registry.manifests[digest_of(silent)] = silent;
  EXPECT_EQ(get_manifest(served.remote, digest_of(silent))->media_type,
            "application/vnd.docker.distribution.manifest.v1+json");
}

TEST(RemoteRegistry, FindsBlobsThatARedirectLeadsTo) {
  for (const int status : {301, 302, 303, 307, 308}) {
    ScriptedServer server({answer(status, "", "Location: https://store.example/a\r\n")});
    RemoteRegistry remote(server.host(), "team/server", quick());
    const Result<bool> found = remote.has_blob({"", digest_of("a"), 1});
    EXPECT_TRUE(found && *found) << status;
  }
}

TEST(RemoteRegistry, PushesManifestsAsTheTypeThatTheyAre) {
  Served served;
  ASSERT_TRUE(served.remote.push_manifest(manifest_text("a"), "v1"));
  EXPECT_EQ(served.registry.last_type, kOciManifestType);
  const std::string docker = "application/vnd.docker.distribution.manifest.v2+json";
  ASSERT_TRUE(served.remote.push_manifest_as(docker, manifest_text("a"), "v1"));
  EXPECT_EQ(served.registry.last_type, docker);
}

TEST(RemoteRegistry, RefusesListsOfReferrersWithoutEnd) {
  OciIndex index;
  for (int i = 0; i < 10'001; i++)
    index.manifests.push_back({kOciManifestType, digest_of(std::to_string(i)), 1});
  const std::string digest = digest_of("subject");
  ScriptedServer server({answer(200, oci_index_text(index))});
  RemoteRegistry remote(server.host(), "team/server", quick());
  EXPECT_EQ(error_of(remote.list_referrers(digest)),
            "oci://" + server.host() +
                "/team/server: lists more than 10000 manifests that refer to " + digest);
}

TEST(RemoteRegistry, SendsLargeBlobsInPartsThatGoOn) {
  MemoryRegistry registry;
  registry.cut_parts = 2;
  ScriptedServer server([&](const ScriptedRequest& request) { return registry(request); });
  RemoteRegistryOptions options = quick();
  options.upload_part = 10;
  RemoteRegistry remote(server.host(), "team/server", options);
  const std::string blob = "0123456789abcdefghijklmnopqrstuvwxyz";
  ASSERT_EQ(error_of(remote.push_blob(digest_of(blob), bytes_of(blob))), "no error");
  EXPECT_EQ(registry.blobs[digest_of(blob)], blob);
  size_t states = 0;
  for (const ScriptedRequest& request : server.requests())
    states += request.head.starts_with("GET ");
  EXPECT_GE(states, 1U);
}

TEST(RemoteRegistry, BeginsUploadsAgainThatTheRegistryForgot) {
  MemoryRegistry registry;
  registry.cut_parts = 1;
  registry.forgets_uploads = true;
  ScriptedServer server([&](const ScriptedRequest& request) { return registry(request); });
  RemoteRegistryOptions options = quick();
  options.upload_part = 10;
  options.http.tries = 1;
  RemoteRegistry remote(server.host(), "team/server", options);
  const std::string blob = "0123456789abcdefghijklmnopqrstuvwxyz";
  ASSERT_EQ(error_of(remote.push_blob(digest_of(blob), bytes_of(blob))), "no error");
  EXPECT_EQ(registry.blobs[digest_of(blob)], blob);

  // Not for ever.
  registry.cut_parts = 1000;
  const std::string other = "abcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ(server.without_port(error_of(remote.push_blob(digest_of(other), bytes_of(other)))),
            "oci://HOST/team/server: an upload that broke off: the server answered 404 (Not "
            "Found): BLOB_UPLOAD_UNKNOWN: blob upload unknown to registry");
  EXPECT_EQ(registry.cut_parts, 997U);
}

TEST(RemoteRegistry, FindsBlobsWhoseAnswerWasLost) {
  MemoryRegistry registry;
  registry.lost_answers = 1;
  ScriptedServer server([&](const ScriptedRequest& request) { return registry(request); });
  RemoteRegistry remote(server.host(), "team/server", quick());
  ASSERT_EQ(error_of(remote.push_blob(digest_of("a"), bytes_of("a"))), "no error");
  size_t uploads = 0;
  for (const ScriptedRequest& request : server.requests())
    uploads += request.head.starts_with("POST ");
  EXPECT_EQ(uploads, 1U);
}

TEST(RemoteRegistry, EndsAnUploadThatNeverGoesOn) {
  MemoryRegistry registry;
  registry.cut_parts = 1000;
  ScriptedServer server([&](const ScriptedRequest& request) { return registry(request); });
  RemoteRegistryOptions options = quick();
  options.upload_part = 10;
  options.http.tries = 1;
  RemoteRegistry remote(server.host(), "team/server", options);
  const std::string blob(1000, 'a');
  EXPECT_EQ(server.without_port(error_of(remote.push_blob(digest_of(blob), bytes_of(blob)))),
            "oci://HOST/team/server: an upload: the server answered 500 (Internal Server Error)");
}

TEST(RemoteRegistry, ListsTagsOfAllPages) {
  Served served;
  served.registry.page = 2;
  for (const char* tag : {"b", "a", "d", "c", "e"}) served.registry.tags[tag] = "sha256:0";
  served.registry.tags["sha256-" + std::string(64, 'a')] = "sha256:0";  // an index of referrers
  served.registry.tags["../../etc?n=1"] = "sha256:0";                   // no tag
  served.registry.tags[std::string(129, 'a')] = "sha256:0";
  auto names = served.remote.list_manifests();
  ASSERT_TRUE(names) << names.error().message;
  EXPECT_EQ(*names,
            (std::vector<ManifestName>{{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}, {"e", ""}}));
}

// As go-containerregistry does, which says nothing of the rest.
TEST(RemoteRegistry, AsksForNoNumberOfTagsThatAListWouldBeCutAt) {
  Served served;
  ASSERT_TRUE(served.remote.list_manifests());
  EXPECT_EQ(served.server.requests().back().target(), "/v2/team/server/tags/list");
}

// A repository whose tags were all removed has a list of none.
TEST(RemoteRegistry, TellsUnknownRepositoriesFromEmptyOnes) {
  ScriptedServer server(
      {answer(200, R"({"name":"team/server","tags":null})"),
       answer(404, R"({"errors":[{"code":"NAME_UNKNOWN","message":"repository name not known"}]})"),
       answer(404, "404 page not found\n")});
  RemoteRegistry remote(server.host(), "team/server", quick());
  auto names = remote.list_manifests();
  ASSERT_EQ(error_of(names), "no error");
  EXPECT_EQ(*names, std::vector<ManifestName>());
  const std::string none =
      "oci://HOST/team/server: there is no such repository: the server answered 404 (Not Found)";
  EXPECT_EQ(server.without_port(error_of(remote.list_manifests())),
            none + ": NAME_UNKNOWN: repository name not known");
  EXPECT_EQ(server.without_port(error_of(remote.list_manifests())), none);
}

TEST(RemoteRegistry, RefusesListsWithoutEnd) {
  ScriptedServer server([](const ScriptedRequest&) {
    return answer(200, "{\"tags\":[]}", "Link: </v2/team/server/tags/list?n=1000>; rel=next\r\n");
  });
  RemoteRegistry remote(server.host(), "team/server", quick());
  EXPECT_EQ(server.without_port(error_of(remote.list_manifests())),
            "oci://HOST/team/server: the pages of a list do not end");
}

// With referrers and the header, with referrers alone, with neither, and with an odd answer.
TEST(RemoteRegistry, FindsReferrersInAllKindsOfRegistry) {
  struct Kind {
    bool lists = false, answers = false;
    std::optional<ScriptedAnswer> odd = {};
  };
  const std::vector<Kind> kinds = {
      {true, true},
      {true, false},
      {},
      {.odd = answer(400, R"({"errors":[{"code":"NAME_INVALID"}]})")},
      {.odd = answer(406)},
      {.odd = answer(200, "<html></html>", "Content-Type: text/html\r\n")},
      {.odd = answer(200, "{}", "Content-Type: application/json\r\n")},
  };
  for (const auto& [lists, answers, odd] : kinds) {
    Served served;
    served.registry.lists_referrers = lists;
    served.registry.answers_subject = answers;
    served.registry.odd_referrers = odd;
    RemoteRegistry& remote = served.remote;
    const std::string subject = manifest_text("a"), one = manifest_text("b", subject),
                      two = manifest_text("c", subject);
    ASSERT_TRUE(remote.push_manifest(subject, "v1"));
    EXPECT_EQ(*remote.list_referrers(digest_of(subject)), std::vector<std::string>());
    for (const std::string& referrer : {one, two, one})
      ASSERT_EQ(error_of(remote.push_manifest(referrer, "")), "no error");
    std::vector<std::string> expected = {digest_of(one), digest_of(two)};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(*remote.list_referrers(digest_of(subject)), expected)
        << lists << answers << (odd ? odd->bytes : "");
    EXPECT_EQ(served.registry.tags.size(), lists ? 1U : 2U);
  }
}

TEST(RemoteRegistry, RefusesADamagedListOfReferrers) {
  ScriptedServer server(
      {answer(200, "{}", std::string("Content-Type: ") + kOciIndexType + "\r\n"), answer(403)});
  RemoteRegistry remote(server.host(), "team/server", quick());
  const std::string digest = digest_of("subject");
  EXPECT_EQ(server.without_port(error_of(remote.list_referrers(digest))),
            "oci://HOST/team/server: the referrers of " + digest +
                ": is not an OCI image index: 'schemaVersion' of the index is not a whole number "
                "from 2 to 2");
  EXPECT_EQ(server.without_port(error_of(remote.list_referrers(digest))),
            "oci://HOST/team/server: a list: the server answered 403 (Forbidden)");
}

TEST(RemoteRegistry, FindsReferrersBesideThoseThatItCannotRead) {
  Served served;
  const std::string subject = manifest_text("a"), one = manifest_text("b", subject);
  ASSERT_TRUE(served.remote.push_manifest(subject, "v1"));
  ASSERT_TRUE(served.remote.push_manifest(one, ""));
  std::string tag = digest_of(subject);
  tag[6] = '-';
  OciIndex index;
  index.manifests = {{kOciManifestType, "sha512:ab", 1},
                     {kOciManifestType, digest_of(one), one.size()}};
  const std::string text = oci_index_text(index);
  served.registry.manifests[digest_of(text)] = text;
  served.registry.tags[tag] = digest_of(text);
  EXPECT_EQ(served.remote.list_referrers(digest_of(subject)).value(),
            std::vector<std::string>{digest_of(one)});
}

TEST(RemoteRegistry, ListsReferrersThatAreMissing) {
  Served served;
  served.registry.lists_referrers = served.registry.answers_subject = false;
  const std::string subject = manifest_text("a"), one = manifest_text("b", subject);
  ASSERT_TRUE(served.remote.push_manifest(subject, "v1"));
  ASSERT_TRUE(served.remote.push_manifest(one, ""));
  served.registry.manifests.erase(digest_of(one));
  EXPECT_EQ(served.remote.list_referrers(digest_of(subject)).value(),
            std::vector<std::string>{digest_of(one)});
  Result<std::string> blob = get_blob(served.remote, {"", digest_of("none"), 4}, 100);
  ASSERT_FALSE(blob);
  EXPECT_EQ(blob.error().advice, "push or archive the same files again");
}

TEST(RemoteRegistry, RefusesWhatHasAnotherDigest) {
  Served served;
  const std::string layer = "a profile", manifest = manifest_text(layer);
  served.registry.blobs[digest_of(layer)] = "a profilf";
  served.registry.manifests[digest_of(manifest)] = manifest + " ";
  const auto shown = [&](const auto& result) {
    return served.server.without_port(error_of(result));
  };
  const std::string place = "oci://HOST/team/server: ";
  EXPECT_EQ(shown(get_blob(served.remote, {"", digest_of(layer), layer.size()}, 100)),
            place + "the blob " + digest_of(layer) + ": is damaged: its digest should be " +
                digest_of(layer) + ", and is " + digest_of("a profilf"));
  EXPECT_EQ(shown(served.remote.find_manifest(digest_of(manifest))),
            place + "the manifest " + digest_of(manifest) + ": is damaged: its digest should be " +
                digest_of(manifest) + ", and is " + digest_of(manifest + " "));
  served.registry.blobs[digest_of(layer)] = "too much of a profile";
  EXPECT_EQ(shown(get_blob(served.remote, {"", digest_of(layer), layer.size()}, 100)),
            "oci://HOST/team/server: the answer has more than 9 bytes");
}

TEST(RemoteRegistry, SaysWhatTheRegistrySays) {
  ScriptedServer server(
      {answer(403, R"({"errors":[{"code":"DENIED","message":"requested access is denied"}]})"),
       answer(200, "<!DOCTYPE html>", "Content-Type: text/html\r\n")});
  RemoteRegistry remote(server.host(), "team/server", quick());
  EXPECT_EQ(server.without_port(error_of(remote.find_manifest("v1"))),
            "oci://HOST/team/server: the manifest v1: the server answered 403 (Forbidden): DENIED: "
            "requested access is denied");
  EXPECT_EQ(server.without_port(error_of(remote.find_manifest("v1")))
                .find("oci://HOST/team/server: the manifest v1"),
            0U);
}

// Credentials.

RemoteRegistryOptions with_user(const ScriptedServer& server, TemporaryDirectory& directory) {
  RemoteRegistryOptions options = quick();
  options.docker_config = directory.file("config.json");
  std::ofstream(options.docker_config) << "{\"auths\": {\"" << server.host() << "\": {\"auth\": \""
                                       << to_base64("u:secret") << "\"}}}";
  return options;
}

TEST(RemoteRegistry, SendsUserAndPasswordOnlyWhenAsked) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.header("Authorization") == "Basic " + to_base64("u:secret")) return answer(404);
    return answer(401, "", "WWW-Authenticate: Basic realm=\"r\"\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  EXPECT_EQ(error_of(remote.find_manifest("v1")), "no error");
  EXPECT_EQ(error_of(remote.find_manifest("v2")), "no error");
  ASSERT_EQ(server.requests().size(), 3U);
  EXPECT_EQ(server.requests()[0].header("Authorization"), "");
}

TEST(RemoteRegistry, AnswersOneOfSeveralChallenges) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.header("Authorization") == "Basic " + to_base64("u:secret")) return answer(404);
    return answer(401, "",
                  "WWW-Authenticate: Basic realm=\"r\"\r\nWWW-Authenticate: Negotiate YII=\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  EXPECT_EQ(error_of(remote.find_manifest("v1")), "no error");
}

TEST(RemoteRegistry, GetsTokensAndRenewsThem) {
  unsigned tokens = 0;
  std::string host;
  ScriptedServer server([&](const ScriptedRequest& request) {
    if (request.target().starts_with("/token")) {
      if (request.target() != "/token?service=reg&scope=repository%3Ateam%2Fserver%3Apull" ||
          request.header("Authorization") != "Basic " + to_base64("u:secret"))
        return answer(400);
      return answer(200, "{\"access_token\": \"t" + std::to_string(++tokens) + "\"}");
    }
    if (request.header("Authorization") == "Bearer t" + std::to_string(tokens) && tokens != 2)
      return answer(404);
    if (tokens == 2 && request.target().ends_with("/v1")) return answer(404);
    return answer(401, "",
                  "WWW-Authenticate: Bearer realm=\"http://" + host +
                      "/token\",service=\"reg\",scope=\"repository:team/server:pull\"\r\n");
  });
  host = server.host();
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  EXPECT_EQ(error_of(remote.find_manifest("v1")), "no error");
  EXPECT_EQ(tokens, 1U);
  tokens = 2;  // t1 is not valid any more
  EXPECT_EQ(error_of(remote.find_manifest("v2")), "no error");
  EXPECT_EQ(tokens, 3U);
}

TEST(RemoteRegistry, SaysHowToLogIn) {
  ScriptedServer server([](const ScriptedRequest&) {
    return answer(401,
                  R"({"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]})",
                  "WWW-Authenticate: Basic realm=\"r\"\r\n");
  });
  RemoteRegistry anonymous(server.host(), "team/server", quick());
  auto refused = anonymous.find_manifest("v1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(server.without_port(refused.error().message),
            "oci://HOST/team/server: the server answered 401 (Unauthorized): UNAUTHORIZED: "
            "authentication required");
  EXPECT_EQ(server.without_port(refused.error().advice),
            "neither docker's config.json nor ~/.netrc has a user and a password that it accepts; "
            "'docker login HOST' writes them");
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry wrong(server.host(), "team/server", with_user(server, directory));
  auto again = wrong.find_manifest("v1");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().advice,
            "it does not accept the user and password of " + directory.file("config.json"));
  EXPECT_EQ(again.error().message.find("secret"), std::string::npos);
}

TEST(RemoteRegistry, SendsNoPasswordToATokenServerWithoutTls) {
  ScriptedServer server([](const ScriptedRequest&) {
    return answer(401, "", "WWW-Authenticate: Bearer realm=\"http://auth.example/token\"\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  EXPECT_EQ(server.without_port(error_of(remote.find_manifest("v1"))),
            "oci://HOST/team/server: names a token server without TLS: http://auth.example");
}

TEST(RemoteRegistry, FollowsBlobsToAStoreWithoutCredentials) {
  const std::string layer = "a profile";
  ScriptedServer store([&](const ScriptedRequest&) { return answer(200, layer); });
  ScriptedServer server([&](const ScriptedRequest& request) {
    if (request.header("Authorization").empty())
      return answer(401, "", "WWW-Authenticate: Basic realm=\"r\"\r\n");
    return answer(307, "", "Location: " + store.url("/there?signature=s") + "\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  auto blob = get_blob(remote, {"", digest_of(layer), layer.size()}, 100);
  ASSERT_TRUE(blob) << blob.error().message;
  EXPECT_EQ(*blob, layer);
  ASSERT_EQ(store.requests().size(), 1U);
  EXPECT_EQ(store.requests()[0].header("Authorization"), "");
}

// The store has the same host as the registry, so netrc would have an entry for it, too.
TEST(RemoteRegistry, FollowsBlobsToAStoreWithoutNetrc) {
  const std::string layer = "a profile";
  ScriptedServer store([&](const ScriptedRequest& request) {
    if (request.header("Authorization").empty()) return answer(200, layer);
    return answer(400);
  });
  ScriptedServer server([&](const ScriptedRequest& request) {
    if (request.header("Authorization") != "Basic " + to_base64("u:secret"))
      return answer(401, "", "WWW-Authenticate: Basic realm=\"r\"\r\n");
    return answer(307, "", "Location: " + store.url("/there?signature=s") + "\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  std::ofstream(directory.file("netrc")) << "machine 127.0.0.1 login u password secret\n";
  ::setenv("NETRC", directory.file("netrc").c_str(), 1);
  RemoteRegistryOptions options = quick();
  options.http.netrc = true;
  RemoteRegistry remote(server.host(), "team/server", options);
  auto blob = get_blob(remote, {"", digest_of(layer), layer.size()}, 100);
  EXPECT_EQ(error_of(blob), "no error");
  ::unsetenv("NETRC");
  ASSERT_EQ(store.requests().size(), 1U);
  EXPECT_EQ(store.requests()[0].header("Authorization"), "");
}

// A certificate that cannot be read is an error where it would be shown.
TEST(RemoteRegistry, ShowsTheClientCertificateToTheRegistryOnly) {
  auto directory = *TemporaryDirectory::make();
  const test::TlsFiles tls = test::make_tls_files(directory.path());
  const std::string layer = "a profile";
  ScriptedServer store(
      [&](const ScriptedRequest& request) {
        return answer(200, request.target().starts_with("/token") ? "{\"token\": \"t\"}" : layer);
      },
      tls.server);
  ScriptedServer server([&](const ScriptedRequest& request) {
    if (request.header("Authorization") == "Bearer t")
      return answer(307, "", "Location: " + store.url("/there") + "\r\n");
    return answer(401, "", "WWW-Authenticate: Bearer realm=\"" + store.url("/token") + "\"\r\n");
  });
  RemoteRegistryOptions options = quick();
  options.http.ca_file = tls.authority;
  options.http.client_certificate = options.http.client_key = directory.file("unreadable.pem");
  std::ofstream(options.http.client_key) << "x";
  RemoteRegistry remote(server.host(), "team/server", options);
  EXPECT_EQ(error_of(get_blob(remote, {"", digest_of(layer), layer.size()}, 100)), "no error");
  EXPECT_EQ(store.requests().size(), 2U);

  ScriptedServer strict([](const ScriptedRequest&) { return answer(404); }, tls.server);
  RegistrySession session(strict.host(), "team/server", options);
  EXPECT_EQ(error_of(session.send({.url = strict.url("/v2/")})),
            options.http.client_key + ": cannot be used as a client certificate");
}

TEST(RemoteRegistry, UploadsNowhereElse) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.head.starts_with("HEAD")) return answer(404);
    return answer(202, "", "Location: http://elsewhere.example/uploads/1\r\n");
  });
  RemoteRegistry remote(server.host(), "team/server", quick());
  EXPECT_EQ(
      server.without_port(error_of(remote.push_blob(digest_of("a"), bytes_of("a")))),
      "oci://HOST/team/server: wants an upload to go to another server, http://elsewhere.example");
}

}  // namespace
}  // namespace pgo::remote_registry_test
