#include "pgo/remote_registry/remote_registry.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/remote_registry/memory_registry.h"

namespace pgo::remote_registry_test {
namespace {

using test::answer;
using test::bytes_of;
using test::digest_of;
using test::error_of;
using test::manifest_text;
using test::quick;
using test::ScriptedRequest;
using test::ScriptedServer;
using test::Served;

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

}  // namespace
}  // namespace pgo::remote_registry_test
