#include "pgo/remote_registry/remote_registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/remote_registry/memory_registry.h"

namespace pgo::referrers_test {
namespace {

using test::answer;
using test::digest_of;
using test::error_of;
using test::manifest_text;
using test::quick;
using test::ScriptedAnswer;
using test::ScriptedServer;
using test::Served;

TEST(RemoteRegistryReferrers, RefusesListsOfReferrersWithoutEnd) {
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

// With referrers and the header, with referrers alone, with neither, and with an odd answer.
TEST(RemoteRegistryReferrers, FindsReferrersInAllKindsOfRegistry) {
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

TEST(RemoteRegistryReferrers, RefusesADamagedListOfReferrers) {
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

TEST(RemoteRegistryReferrers, FindsReferrersBesideThoseThatItCannotRead) {
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

TEST(RemoteRegistryReferrers, ListsReferrersThatAreMissing) {
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

}  // namespace
}  // namespace pgo::referrers_test
