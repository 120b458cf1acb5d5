#include "pgo/stores/debuginfod/debuginfod_server.h"

#include <gtest/gtest.h>

#include "pgo/base/mapped_file.h"
#include "tests/data/http_outcomes.h"
#include "tests/data/temporary_files.h"

namespace pgo::debuginfod_server_test {
namespace {

using debuginfod::DebuginfodFile;
using debuginfod::DebuginfodServer;
using test::answer;
using test::quick_http;
using test::ScriptedAnswer;
using test::ScriptedServer;
using test::Then;

const BuildId kId = *BuildId::from_hex("0102030405060708");

class DebuginfodServerTest : public test::TemporaryFiles {
 protected:
  // The file, "not there", or the error.
  std::string fetched(const ScriptedServer& server,
                      DebuginfodFile file = DebuginfodFile::kExecutable, uint64_t max_file = 100) {
    net::HttpOptions http = quick_http();
    http.stall_timeout = .3;
    DebuginfodServer opened = DebuginfodServer::open(server.url("/debug/"), http, max_file).value();
    BlobWriter writer = cache.write().value();
    const Result<bool> is_there = opened.fetch(kId, file, writer);
    if (!is_there) return server.without_port(test::text_of(is_there.error()));
    if (!*is_there) return "not there";
    return std::string(as_text(MappedFile::open(writer.commit("")->path)->bytes()));
  }

  BlobCache cache = BlobCache::open(path("cache")).value();
};

TEST_F(DebuginfodServerTest, HasFilesByBuildId) {
  ScriptedServer server({answer(200, "program"), answer(200, "symbols"), answer(404)});
  EXPECT_EQ(fetched(server), "program");
  EXPECT_EQ(fetched(server, DebuginfodFile::kDebuginfo), "symbols");
  EXPECT_EQ(fetched(server), "not there");
  EXPECT_EQ(server.requests()[0].target(), "/debug/buildid/0102030405060708/executable");
  EXPECT_EQ(server.requests()[1].target(), "/debug/buildid/0102030405060708/debuginfo");
}

TEST_F(DebuginfodServerTest, IsAskedAgainAfterABrokenAnswer) {
  ScriptedServer server({{answer(200, "program").bytes.substr(0, 44), Then::kClose},
                         answer(503),
                         answer(200, "program")});
  EXPECT_EQ(fetched(server), "program");
}

TEST_F(DebuginfodServerTest, RefusesWhatIsNoFile) {
  const std::string place = "http://HOST/debug/buildid/0102030405060708/executable: ";
  ScriptedServer pages({answer(200, "<html>", "Content-Type: text/html\r\n"),
                        answer(200, "x", "Content-Encoding: gzip\r\n"), answer(403, "secret")});
  EXPECT_EQ(fetched(pages), place +
                                "the server answered with an HTML page, such as a login page; "
                                "check the URL and the credentials");
  EXPECT_EQ(fetched(pages), place + "the answer has a Content-Encoding that was not asked for");
  EXPECT_EQ(fetched(pages), place +
                                "the server answered 403 (Forbidden); check that these "
                                "credentials may read this");
}

// Whether the server says so beforehand or not.
TEST_F(DebuginfodServerTest, RefusesFilesOfMoreThanTheLimit) {
  const std::string refusal =
      "http://HOST/debug/buildid/0102030405060708/executable: has more than 5 bytes, and no more "
      "are read";
  ScriptedServer server({answer(200, "123456"),
                         {"HTTP/1.1 200 OK\r\n\r\n123456", Then::kClose},
                         answer(200, "12345")});
  EXPECT_EQ(fetched(server, DebuginfodFile::kExecutable, 5), refusal);
  EXPECT_EQ(fetched(server, DebuginfodFile::kExecutable, 5), refusal);
  EXPECT_EQ(fetched(server, DebuginfodFile::kExecutable, 5), "12345");
}

TEST_F(DebuginfodServerTest, ReportsAServerThatStalls) {
  ScriptedServer server(ScriptedServer::Handler(
      [](const test::ScriptedRequest&) { return ScriptedAnswer{"HTTP/1.1 200 O", Then::kStall}; }));
  const std::string error = fetched(server);
  EXPECT_TRUE(error.starts_with("http://HOST/debug/buildid/0102030405060708/executable: "))
      << error;
}

TEST(DebuginfodUrls, AreTheWordsOfTheVariable) {
  using Urls = std::vector<std::string>;
  EXPECT_EQ(debuginfod::debuginfod_urls(""), Urls());
  EXPECT_EQ(debuginfod::debuginfod_urls("  ima:enforcing https://a  http://b/c/\n"),
            (Urls{"https://a", "http://b/c/"}));
}

TEST(DebuginfodUrls, HaveNoSecrets) {
  const auto error = [](const char* url) {
    return test::text_of(DebuginfodServer::open(url, {}).error());
  };
  EXPECT_EQ(error("https://me:secret@a"),
            "https://a: the URL contains a user or a password; put them into ~/.netrc");
  EXPECT_EQ(error("https://a/b?token=secret"),
            "https://a/b: the URL of a debuginfod server has no query ('?…')");
  EXPECT_EQ(error("file:///srv"), "file:///srv: is not an http: or https: URL");
}

}  // namespace
}  // namespace pgo::debuginfod_server_test
