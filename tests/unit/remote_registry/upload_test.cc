#include "pgo/remote_registry/remote_registry.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/remote_registry/memory_registry.h"

namespace pgo::upload_test {
namespace {

using test::answer;
using test::bytes_of;
using test::digest_of;
using test::error_of;
using test::MemoryRegistry;
using test::quick;
using test::ScriptedRequest;
using test::ScriptedServer;

TEST(RemoteRegistryUpload, SendsLargeBlobsInPartsThatGoOn) {
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

TEST(RemoteRegistryUpload, BeginsUploadsAgainThatTheRegistryForgot) {
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

TEST(RemoteRegistryUpload, FindsBlobsWhoseAnswerWasLost) {
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

TEST(RemoteRegistryUpload, EndsAnUploadThatNeverGoesOn) {
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

TEST(RemoteRegistryUpload, UploadsNowhereElse) {
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
}  // namespace pgo::upload_test
